/**
 * The short list of what is dangerous wherever it stands in a command. Each entry looks at the words of one simple
 * command; most do not care whether the words are the program or an argument, because nobody can name every
 * program that runs another.
 */

import { baseOf, type Command, isShort, nameOf, optionOf } from "./programs.js";

/** One thing to warn of, and how a simple command shows it. */
export interface Danger {
  /** Completes "dangerous: …" for a person. */
  readonly reason: string;
  readonly isIn: (command: Command) => boolean;
}

/** In the order in which a person reads the reasons. */
export const dangers: readonly Danger[] = [
  { reason: "deletes recursively", isIn: (command) => removes(command, "rR", "--recursive") },
  { reason: "deletes by force", isIn: (command) => removes(command, "f", "--force") },
  { reason: "deletes everything it finds", isIn: deletesFound },
  { reason: "runs as root", isIn: ({ names }) => names.some((name) => rootPrograms.has(name)) },
  { reason: "runs under another account", isIn: (command) => hasProgram(command, accountPrograms) },
  { reason: "overwrites history on a remote", isIn: (command) => pushes(command, isForcedPush) },
  { reason: "deletes on a remote", isIn: (command) => pushes(command, isRemoteDeletion) },
  {
    reason: "throws away changes",
    isIn: (command) => git(command, "reset").some((word) => isLong(word, "--hard")),
  },
  {
    reason: "deletes untracked files",
    isIn: (command) => git(command, "clean").some((word) => isShort(word, "f") || isLong(word, "--force")),
  },
  { reason: "rewrites history", isIn: rewritesHistory },
  { reason: "writes over a disk", isIn: writesDisk },
  { reason: "changes modes or owners recursively", isIn: changesRecursively },
  { reason: "stops the machine", isIn: stopsMachine },
  {
    reason: "deletes from a cluster",
    isIn: ({ names, words }) => after(names, words, clusterPrograms).includes("delete"),
  },
  {
    reason: "mounts the root of this machine",
    isIn: ({ names, words }) => after(names, words, containerPrograms).some((word) => rootMount.test(word)),
  },
];

const removePrograms = new Set(["rm"]);
const searchPrograms = new Set(["find", "gfind", "fd", "fdfind"]);
const searchActions = new Set(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"]);
const argumentPrograms = new Set(["xargs", "parallel"]);
const removers = new Set(["rm", "rmdir", "unlink", "shred"]);
const rootPrograms = new Set(["sudo", "sudoedit", "doas", "pkexec", "run0"]);
const accountPrograms = new Set(["su", "runuser"]);
const rewriters = new Set(["filter-branch", "filter-repo"]);
const diskPrograms = new Set(
  "dd fdisk sfdisk cfdisk gdisk sgdisk parted shred wipefs blkdiscard mkswap mke2fs".split(" "),
);
const diskWriters = new Set(["tee", "cp"]);
const disk = /^\/+dev\/+(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|md|dm-|mapper\/|loop|k?mem)/;
const permissionPrograms = new Set(["chmod", "chown", "chgrp"]);
const stopPrograms = new Set(["shutdown", "reboot", "halt", "poweroff"]);
const initPrograms = new Set(["init", "telinit"]);
const servicePrograms = new Set(["systemctl", "loginctl"]);
const stopVerbs = new Set(["reboot", "poweroff", "halt", "kexec", "suspend", "hibernate"]);
const clusterPrograms = new Set(["kubectl", "oc"]);
const containerPrograms = new Set(["docker", "podman", "nerdctl"]);
/** `-v /:/x`, `-v/:/x`, `--volume=/:/x`, `--mount type=bind,source=/,…`. */
const rootMount = /^(?:-v=?|--volume=)?\/+:|(?:^|[,=])(?:source|src)=\/+(?:,|$)/;

/** The words behind the first whose name is one of `programs`. */
function after(
  names: readonly string[],
  words: readonly string[],
  programs: ReadonlySet<string>,
): readonly string[] {
  const index = names.findIndex((name) => programs.has(name));
  return index === -1 ? [] : words.slice(index + 1);
}

/** A long option, or the beginning of one: programs take `--rec` for `--recursive`. */
function isLong(word: string, option: string): boolean {
  const name = optionOf(word);
  return name.length > 2 && option.startsWith(name);
}

function removes({ names, words }: Command, letters: string, option: string): boolean {
  const index = names.findIndex((name) => removePrograms.has(name));
  if (index === -1) return false;
  const options = words.slice(index + 1);
  // `git rm --cached` forgets files and leaves them on disk; no other `rm` takes the option.
  if (names[index - 1] === "git" && options.includes("--cached")) return false;
  return options.some((word) => isShort(word, letters) || isLong(word, option));
}

function deletesFound({ names, words }: Command): boolean {
  const found = after(names, words, searchPrograms);
  const action = found.findIndex((word) => searchActions.has(word));
  const isRemover = (word: string) => removers.has(nameOf(word));
  return (
    found.includes("-delete") ||
    (action !== -1 && found.slice(action).some(isRemover)) ||
    after(names, words, argumentPrograms).some(isRemover)
  );
}

function hasProgram({ isRun, programs }: Command, wanted: ReadonlySet<string>): boolean {
  // These names are ordinary words too, so they count only as programs and in the case they are written in.
  return isRun && programs.some(({ word }) => wanted.has(baseOf(word)));
}

/** The words behind `verb` of git, wherever its own options stand. */
function git({ names, words }: Command, verb: string): readonly string[] {
  const start = words.findIndex((word, index) => names[index] === "git" || word.startsWith("alias."));
  if (start === -1) return [];
  const index = names.indexOf(verb, start);
  return index === -1 ? [] : words.slice(index + 1);
}

function pushes(command: Command, isMeant: (word: string) => boolean): boolean {
  return git(command, "push").some(isMeant);
}

/** `--force-with-lease` refuses to overwrite what nobody here has seen: it is no force. */
function isForcedPush(word: string): boolean {
  return (
    isShort(word, "f") ||
    isLong(word, "--force") ||
    isLong(word, "--mirror") ||
    (word.startsWith("+") && word.length > 1)
  );
}

function isRemoteDeletion(word: string): boolean {
  return (
    isShort(word, "d") ||
    isLong(word, "--delete") ||
    isLong(word, "--prune") ||
    (word.startsWith(":") && word.length > 1)
  );
}

function rewritesHistory({ names }: Command): boolean {
  const start = names.indexOf("git");
  return start !== -1 && names.slice(start + 1).some((name) => rewriters.has(name));
}

function writesDisk(command: Command): boolean {
  const { names, words, targets } = command;
  const isMaker = command.programs.some(({ name }) => name.startsWith("mkfs"));
  return (
    isMaker ||
    hasProgram(command, diskPrograms) ||
    targets.some((target) => disk.test(target)) ||
    after(names, words, diskWriters).some((word) => disk.test(word))
  );
}

function changesRecursively({ names, words }: Command): boolean {
  return after(names, words, permissionPrograms).some(
    (word) => isShort(word, "R") || isLong(word, "--recursive"),
  );
}

function stopsMachine(command: Command): boolean {
  const { names, words } = command;
  const hasLevel = words.some((word) => word === "0" || word === "6");
  return (
    hasProgram(command, stopPrograms) ||
    (hasProgram(command, initPrograms) && hasLevel) ||
    after(names, words, servicePrograms).some((word) => stopVerbs.has(word))
  );
}
