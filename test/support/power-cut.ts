/**
 * A disk that loses its power. Invariant of the model, which is as bad as POSIX allows: of every directory each name
 * that came or went since the directory was synced has come or gone, or has not, independently of all others, but for a
 * rename within it, which moves what is on disk or does not; a file that was not synced is as it is or as it was synced last.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Step } from "./fs-recorder.js";

interface File {
  readonly kind: "file";
  now: Buffer;
  disk: Buffer;
}

interface Directory {
  readonly kind: "directory";
  readonly now: Map<string, Inode>;
  readonly disk: Map<string, Inode>;
  /** Since it was synced. */
  renames: readonly Rename[];
}

interface Rename {
  readonly from: string;
  readonly to: string;
}

type Inode = File | Directory;

/** What was found after the power came back: names with contents, and directories with null. */
export type Tree = ReadonlyMap<string, Buffer | null>;

export class Disk {
  readonly #root: Directory;

  private constructor(root: Directory) {
    this.#root = root;
  }

  /** A disk on which everything of `tree` lies, as after a boot. */
  static of(tree: Tree): Disk {
    const disk = new Disk(directoryOf());
    for (const [path, content] of tree) {
      const inode = content === null ? directoryOf() : { kind: "file" as const, now: content, disk: content };
      disk.#put(path, inode);
      disk.#parentOf(path).disk.set(basename(path), inode);
    }
    return disk;
  }

  /** The same, to be changed apart. */
  copy(): Disk {
    return new Disk(copyOf(this.#root, new Map()) as Directory);
  }

  /** What programs find while the power is on. */
  now(): Tree {
    return treesOf(this.#root, nowOf)[0] ?? new Map();
  }

  apply(step: Step): void {
    switch (step.kind) {
      case "mkdir":
        this.#put(step.path, directoryOf());
        break;
      case "create":
        this.#put(step.path, { kind: "file", now: Buffer.alloc(0), disk: Buffer.alloc(0) });
        break;
      case "write": {
        const file = this.#at(step.path) as File;
        file.now = Buffer.concat([file.now, step.bytes]);
        break;
      }
      case "link":
        this.#put(step.path, this.#at(step.from));
        break;
      case "truncate": {
        const file = this.#at(step.path) as File;
        file.now = file.now.subarray(0, step.size);
        break;
      }
      case "rename": {
        const inode = this.#at(step.from);
        const parent = this.#parentOf(step.from);
        parent.now.delete(basename(step.from));
        this.#put(step.path, inode);
        // From one directory to another both names come and go by themselves.
        if (parent !== this.#parentOf(step.path)) break;
        parent.renames = [...parent.renames, { from: basename(step.from), to: basename(step.path) }];
        break;
      }
      case "unlink":
        this.#parentOf(step.path).now.delete(basename(step.path));
        break;
      case "sync":
        sync(this.#at(step.path));
        break;
      case "mark":
        break;
      default:
        step satisfies never;
    }
  }

  /** Everything that may be found if the power goes now. */
  cuts(): readonly Tree[] {
    return treesOf(this.#root, eitherOf);
  }

  /** The same text for two disks that nothing tells apart, whatever names temporaries have. */
  key(): string {
    return [this.now(), ...this.cuts()].map(keyOf).join("\n\n");
  }

  #put(path: string, inode: Inode): void {
    this.#parentOf(path).now.set(basename(path), inode);
  }

  #parentOf(path: string): Directory {
    const parent = dirname(path);
    return parent === "." ? this.#root : (this.#at(parent) as Directory);
  }

  #at(path: string): Inode {
    let inode: Inode | undefined = this.#root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      inode = inode?.kind === "directory" ? inode.now.get(name) : undefined;
    }
    if (inode === undefined) throw new Error(`the model has no ${path}`);
    return inode;
  }
}

/** Puts a tree where programs find it while `use` runs. */
export async function onDisk<T>(tree: Tree, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "wisp-cut-"));
  try {
    for (const [path, content] of tree) {
      if (content === null) mkdirSync(join(directory, path), { mode: 0o700 });
      else writeFileSync(join(directory, path), content, { mode: 0o600 });
    }
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function keyOf(tree: Tree): string {
  const seen = [...tree].map(([path, content]) => {
    const name = path.replace(/\.tmp\.[0-9a-f]+/, ".tmp");
    return `${name} ${content === null ? "/" : content.toString("base64")}`;
  });
  return seen.sort().join("\n");
}

function directoryOf(): Directory {
  return { kind: "directory", now: new Map(), disk: new Map(), renames: [] };
}

function sync(inode: Inode): void {
  if (inode.kind === "file") {
    inode.disk = inode.now;
    return;
  }
  inode.renames = [];
  inode.disk.clear();
  for (const [name, one] of inode.now) inode.disk.set(name, one);
}

function copyOf(inode: Inode, copies: Map<Inode, Inode>): Inode {
  const known = copies.get(inode);
  if (known !== undefined) return known;
  if (inode.kind === "file") {
    const file = { ...inode };
    copies.set(inode, file);
    return file;
  }
  const directory = directoryOf();
  directory.renames = inode.renames;
  copies.set(inode, directory);
  for (const [name, one] of inode.now) directory.now.set(name, copyOf(one, copies));
  for (const [name, one] of inode.disk) directory.disk.set(name, copyOf(one, copies));
  return directory;
}

/** What a name may lead to, or what a file may hold: the present, or any of the two. */
type Choose = <T>(now: T, disk: T) => ReadonlySet<T>;

const nowOf: Choose = (now) => new Set([now]);
const eitherOf: Choose = (now, disk) => new Set([now, disk]);

function treesOf(directory: Directory, choose: Choose): readonly Tree[] {
  return namesOf(directory, choose).flatMap((names) => {
    let trees: readonly Tree[] = [new Map()];
    for (const [name, inode] of names) {
      const parts = partsOf(name, inode, choose);
      trees = trees.flatMap((tree) => parts.map((part) => new Map([...tree, ...part])));
    }
    return trees;
  });
}

type Names = ReadonlyMap<string, Inode>;

/** What its names may lead to. */
function namesOf(directory: Directory, choose: Choose): readonly Names[] {
  let all: readonly Names[] = [new Map()];
  for (const name of new Set([...directory.disk.keys(), ...directory.now.keys()])) {
    const inodes = [...choose(directory.now.get(name), directory.disk.get(name))];
    all = all.flatMap((names) =>
      inodes.map((inode) => (inode === undefined ? names : new Map([...names, [name, inode]]))),
    );
  }
  return all.filter((names) => directory.renames.every((one) => isWhole(one, names, directory)));
}

/** No rename takes a file from where it was on disk without putting it where it is now, or leaves it in both places. */
function isWhole({ from, to }: Rename, names: Names, { now, disk }: Directory): boolean {
  const inode = disk.get(from);
  if (inode === undefined || now.get(from) === inode || now.get(to) !== inode) return true;
  return (names.get(from) === inode) !== (names.get(to) === inode);
}

function partsOf(name: string, inode: Inode, choose: Choose): readonly Tree[] {
  if (inode.kind === "file") {
    return [...choose(inode.now, inode.disk)].map((content) => new Map([[name, content]]));
  }
  return treesOf(inode, choose).map((tree) => {
    const below = [...tree].map(([path, content]) => [`${name}/${path}`, content] as const);
    return new Map<string, Buffer | null>([[name, null], ...below]);
  });
}
