/** A disk on which one step below a directory fails, and all others work. */
import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** What was done below the directory, and how many steps that were. */
export interface Failed<T> {
  readonly result: T;
  /** Each as `linkSync a/b.json`. */
  readonly steps: readonly string[];
}

type Call = (...given: never[]) => unknown;

const byPath = ["mkdirSync", "openSync", "linkSync", "unlinkSync", "readdirSync"] as const;
const byHandle = ["writeSync", "readSync"] as const;

/**
 * Runs `run` while step number `failing`, counted from 1, fails with `errno`; 0: none. One at a time, and no other test may
 * run beside it.
 */
export async function failingAt<T>(
  directory: string,
  failing: number,
  errno: string,
  run: () => Promise<T>,
): Promise<Failed<T>> {
  const real = { ...fs };
  const steps: string[] = [];
  const opened = new Map<number, string>();
  const isBelow = (path: unknown): path is string =>
    typeof path === "string" && (path === directory || path.startsWith(`${directory}/`));
  /** The error where this step is the one. */
  const faultIn = (name: string, path: string): Error | null => {
    steps.push(`${name} ${path.slice(directory.length + 1)}`);
    if (steps.length !== failing) return null;
    return Object.assign(new Error(errno), { code: errno, syscall: name.replace("Sync", "") });
  };
  const refuse = (name: string, path: unknown): void => {
    const fault = isBelow(path) ? faultIn(name, path) : null;
    if (fault !== null) throw fault;
  };
  const patched: Record<string, Call> = {
    fsync(file: number, done: (error: unknown) => void) {
      const path = opened.get(file);
      const fault = path === undefined ? null : faultIn("fsync", path);
      // Nothing loses its power here, so nobody need wait for the real disk.
      if (path === undefined) real.fsync(file, done);
      else setImmediate(() => done(fault));
    },
    closeSync(file: number) {
      opened.delete(file);
      real.closeSync(file);
    },
  };
  for (const name of byPath) {
    const call = real[name] as Call;
    patched[name] = (path: PathLike, ...rest: never[]) => {
      refuse(name, path);
      const value = call(path as never, ...rest);
      if (name === "openSync" && isBelow(path)) opened.set(value as number, path);
      return value;
    };
  }
  for (const name of byHandle) {
    const call = real[name] as Call;
    patched[name] = (file: number, ...rest: never[]) => {
      refuse(name, opened.get(file));
      return call(file as never, ...rest);
    };
  }
  Object.assign(fs, patched);
  syncBuiltinESMExports();
  try {
    return { result: await run(), steps };
  } finally {
    Object.assign(fs, Object.fromEntries(Object.keys(patched).map((name) => [name, real[name as never]])));
    syncBuiltinESMExports();
  }
}
