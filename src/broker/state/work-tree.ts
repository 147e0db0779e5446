/**
 * What a git work tree holds, as far as a call may rely on it: which commit is checked out and what is staged. Read from
 * git's own files and without git: it would run what the repository configures.
 */
import { hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { lookThrough } from "../files/look.js";
import { expectErrno, WispError } from "../request/errors.js";
import type { BoundTarget } from "./bound-target.js";
import { stagedIdentity } from "./git-index.js";

/** Of the innermost work tree around `directory`, an absolute path; null where there is none that can be read. */
export function workTreeState(directory: string): readonly BoundTarget[] | null {
  const tree = workTreeAround(directory);
  return tree === null ? null : stateOf(tree);
}

/**
 * The same where somebody says that a yes rests on it: that there is no work tree around `path` is bound as well. Throws
 * invalid_input where there is one that cannot be read.
 */
export function fingerprintGit(path: string): readonly BoundTarget[] {
  const tree = workTreeAround(realOf(path));
  if (tree === null) {
    const fingerprint = hash("sha256", "wisp/git-none/v1", "hex");
    return [{ target: `no git work tree around ${path}`, fingerprint }];
  }
  const state = stateOf(tree);
  if (state !== null) return state;
  throw new WispError("invalid_input", `The git work tree ${tree.root} cannot be read.`, {
    why: "A yes to this call is to rest on what is checked out and staged there.",
  });
}

/** As it stands where nothing is there yet. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    expectErrno(error);
    return path;
  }
}

function stateOf(tree: WorkTree): readonly BoundTarget[] | null {
  const head = headOf(tree);
  const index = readSmall(join(tree.gitDirectory, "index"), largestIndex);
  if (head === null || index.kind === "unreadable") return null;
  const staged = index.kind === "missing" ? "nothing was ever staged" : stagedIdentity(index.bytes);
  return [
    { target: `HEAD of ${tree.root}`, fingerprint: hash("sha256", `wisp/git-head/v1\n${head}`, "hex") },
    { target: `index of ${tree.root}`, fingerprint: hash("sha256", `wisp/git-index/v1\n${staged}`, "hex") },
  ];
}

interface WorkTree {
  readonly root: string;
  /** Of this work tree alone: its HEAD and its index. */
  readonly gitDirectory: string;
  /** Shared by all work trees of the repository: its branches. */
  readonly commonDirectory: string;
}

/** A million files; more is read by nobody before each command. */
const largestIndex = 128 * 1024 * 1024;
const largestRefs = 16 * 1024 * 1024;
const largestName = 4_096;

function workTreeAround(directory: string): WorkTree | null {
  for (let root = directory; ; root = dirname(root)) {
    const gitDirectory = gitDirectoryIn(root);
    if (gitDirectory !== null && readText(join(gitDirectory, "HEAD"), largestName) !== null) {
      const common = readText(join(gitDirectory, "commondir"), largestName);
      return { root, gitDirectory, commonDirectory: resolve(gitDirectory, common?.trim() ?? ".") };
    }
    if (root === dirname(root)) return null;
  }
}

/** `.git` is a directory, or a file that names one. */
function gitDirectoryIn(root: string): string | null {
  const path = join(root, ".git");
  const stats = lookThrough(path);
  if (stats?.isDirectory() === true) return path;
  const named = stats?.isFile() === true ? /^gitdir: (.+)$/m.exec(readText(path, largestName) ?? "") : null;
  return named?.[1] === undefined ? null : resolve(root, named[1].trim());
}

/** A branch that names a branch that names a branch …: git follows five. */
const mostNames = 5;

/** What HEAD names, and the commit behind that; null where it cannot be read. */
function headOf({ gitDirectory, commonDirectory }: WorkTree): string | null {
  const names: string[] = [];
  let text = readText(join(gitDirectory, "HEAD"), largestName);
  while (text !== null && names.length < mostNames) {
    const value = text.trim();
    names.push(value);
    const name = /^ref: (.+)$/.exec(value)?.[1];
    if (name === undefined) return names.join("\n");
    text =
      readText(join(gitDirectory, name), largestName) ??
      readText(join(commonDirectory, name), largestName) ??
      packedRef(commonDirectory, name) ??
      // Another way of keeping branches, which changes its list with each of them.
      readText(join(commonDirectory, "reftable", "tables.list"), largestRefs) ??
      "no commit yet";
  }
  return null;
}

function packedRef(commonDirectory: string, name: string): string | null {
  const lines = readText(join(commonDirectory, "packed-refs"), largestRefs)?.split("\n") ?? [];
  const line = lines.find((one) => one.endsWith(` ${name}`));
  return line?.split(" ")[0] ?? null;
}

function readText(path: string, most: number): string | null {
  const read = readSmall(path, most);
  return read.kind === "bytes" ? read.bytes.toString("utf8") : null;
}

type Read =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable" };

/** The agent can put anything there: a pipe would keep us waiting, and what has no end would fill the memory. */
function readSmall(path: string, most: number): Read {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > most) return { kind: "unreadable" };
    return { kind: "bytes", bytes: readFileSync(file) };
  } catch (error) {
    const errno = expectErrno(error);
    return { kind: errno === "ENOENT" || errno === "ENOTDIR" ? "missing" : "unreadable" };
  } finally {
    if (file !== null) closeSync(file);
  }
}
