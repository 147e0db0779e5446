/**
 * Sees every file-system step that changes something below a directory. It must be imported before whatever is to be
 * watched, for that may keep the functions it imports; hence only where each test file has modules of its own.
 */
import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative } from "node:path";

/** One step, in the order in which it took effect. Paths are relative to the directory; "" is itself. */
export type Step =
  | { readonly kind: "mkdir" | "create" | "sync" | "unlink"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: "link" | "rename"; readonly from: string; readonly path: string }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "mark"; readonly name: string };

let root: string | null = null;
let reads: string[] = [];
let steps: Step[] = [];
const opened = new Map<number, string>();

const real = { ...fs };

/** What lies below the directory, relative to it; null for anything else. */
function inside(path: PathLike): string | null {
  if (root === null || typeof path !== "string") return null;
  return path === root || path.startsWith(`${root}/`) ? relative(root, path) : null;
}

function note(step: Step): void {
  if (root !== null) steps.push(step);
}

function bySide(kind: "mkdir" | "unlink", path: PathLike): void {
  const name = inside(path);
  if (name !== null) note({ kind, path: name });
}

function isMaking(flags: unknown): boolean {
  return typeof flags === "number" && (flags & fs.constants.O_CREAT) !== 0;
}

/** What is in a file is on disk after either of both; of its times nobody here makes anything. */
function syncingNow(name: "fsyncSync" | "fdatasyncSync") {
  return {
    [name](file: number) {
      const path = opened.get(file);
      real[name](file);
      if (path !== undefined) note({ kind: "sync", path });
    },
  };
}

function syncing(name: "fsync" | "fdatasync") {
  return {
    [name](file: number, done: (error: unknown) => void) {
      const path = opened.get(file);
      real[name](file, (error) => {
        // Only what has been put on disk is: until then everything is open.
        if (path !== undefined && error === null) note({ kind: "sync", path });
        done(error);
      });
    },
  };
}

Object.assign(fs, {
  mkdirSync(path: PathLike, ...rest: never[]) {
    const made: unknown = real.mkdirSync(path, ...rest);
    bySide("mkdir", path);
    return made;
  },
  unlinkSync(path: PathLike) {
    real.unlinkSync(path);
    bySide("unlink", path);
  },
  linkSync(from: PathLike, to: PathLike) {
    real.linkSync(from, to);
    const [source, path] = [inside(from), inside(to)];
    if (source !== null && path !== null) note({ kind: "link", from: source, path });
  },
  renameSync(from: PathLike, to: PathLike) {
    real.renameSync(from, to);
    const [source, path] = [inside(from), inside(to)];
    if (source === null || path === null) return;
    note({ kind: "rename", from: source, path });
    // Whoever has it open goes on with the file, not with the name.
    for (const [file, name] of opened) if (name === source) opened.set(file, path);
  },
  ftruncateSync(file: number, size: number) {
    real.ftruncateSync(file, size);
    const path = opened.get(file);
    if (path !== undefined) note({ kind: "truncate", path, size });
  },
  openSync(path: PathLike, flags: number, ...rest: never[]) {
    const name = inside(path);
    const isNew = name !== null && isMaking(flags) && !real.existsSync(path);
    const file = real.openSync(path, flags, ...rest);
    if (name === null) return file;
    opened.set(file, name);
    const { O_WRONLY, O_RDWR, O_DIRECTORY } = fs.constants;
    if (typeof flags === "number" && (flags & (O_WRONLY | O_RDWR | O_DIRECTORY)) === 0) reads.push(name);
    if (isNew) note({ kind: "create", path: name });
    return file;
  },
  closeSync(file: number) {
    opened.delete(file);
    real.closeSync(file);
  },
  writeSync(file: number, bytes: Buffer, offset = 0, length = bytes.length - offset) {
    const written = real.writeSync(file, bytes, offset, length);
    const path = opened.get(file);
    const piece = bytes.subarray(offset, offset + written);
    if (path !== undefined) note({ kind: "write", path, bytes: Buffer.from(piece) });
    return written;
  },
  ...syncingNow("fsyncSync"),
  ...syncingNow("fdatasyncSync"),
  ...syncing("fsync"),
  ...syncing("fdatasync"),
});
syncBuiltinESMExports();

/** Says where in the steps something became known. */
export function mark(name: string): void {
  note({ kind: "mark", name });
}

/** The files below `directory` that are opened for reading while `run` runs. One at a time. */
export async function readBy(directory: string, run: () => unknown): Promise<readonly string[]> {
  await recorded(directory, async () => {
    reads = [];
    await run();
  });
  return reads;
}

/** All steps below `directory` while `run` runs. One at a time. */
export async function recorded(directory: string, run: () => Promise<void>): Promise<readonly Step[]> {
  root = directory;
  steps = [];
  try {
    await run();
    return steps;
  } finally {
    root = null;
  }
}
