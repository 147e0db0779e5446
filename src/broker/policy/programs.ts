/** Which words of a simple command are programs, and which of those run what they are given. */
import type { Piece } from "./pieces.js";

/** One simple command, ready to be searched. */
export interface Command {
  readonly words: readonly string[];
  /** The last part of each word's path or assignment, in lower case: `/bin/RM` and `alias.x=!rm` name `rm`. */
  readonly names: readonly string[];
  /** Indexes of the words that are, or behind a wrapper may be, the program. */
  readonly programs: readonly number[];
  /** Where its redirections lead. */
  readonly targets: readonly string[];
  /** False for quoted text that nothing is known to run: a commit message may speak of a shutdown. */
  readonly isRun: boolean;
}

/** Takes `piece` apart once, for every danger that is looked for in it. */
export function commandOf(piece: Piece, isRun: boolean): Command {
  const words = piece.words.flatMap(splitGit);
  const names = words.map(nameOf);
  return { words, names, programs: programsOf(words, names), targets: piece.targets, isRun };
}

/** The name of the program a word may stand for. */
export function nameOf(word: string): string {
  return baseOf(word).toLowerCase();
}

/** The same in the case it is written in. */
export function baseOf(word: string): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("="), word.lastIndexOf("!")) + 1);
}

/** A bundle of short options that holds one of `letters`. */
export function isShort(word: string, letters: string): boolean {
  if (!word.startsWith("-") || word.startsWith("--")) return false;
  for (const letter of letters) if (word.includes(letter)) return true;
  return false;
}

/** Programs that run what their arguments say. */
const wrappers = new Set(
  (
    "env command exec builtin nice nohup timeout gtimeout time stdbuf setsid ionice chrt taskset xargs parallel " +
    "watch ssh chroot unshare nsenter flock strace ltrace script expect busybox toybox eval trap npx uvx bunx " +
    "docker podman nerdctl kubectl oc tmux screen at batch su runuser sudo doas pkexec run0"
  ).split(" "),
);
/** Wrappers that join their arguments to one line for a shell. */
const joiners = new Set(["eval", "ssh", "watch"]);
/** Options behind which `find` names a program. */
const actions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

const shells = new Set("sh bash zsh dash ash ksh mksh rbash fish csh tcsh pwsh".split(" "));
const interpreters = new Set("python pypy perl ruby node nodejs deno bun php lua tclsh osascript".split(" "));
const sourcers = new Set(["source", "."]);
const fetchers = new Set(["curl", "wget", "fetch", "aria2c"]);

type Evaluator = "shell" | "interpreter" | "sourcer";

/** Does the command run text among its arguments? */
export function runsArguments({ names, programs }: Command): boolean {
  return programs.some((index) => wrappers.has(names[index] ?? "") || evaluatorOf(names[index]) !== null);
}

/** Does the command run what is substituted into it, wherever it stands? */
export function evaluatesArguments({ names, programs }: Command): boolean {
  return programs.some((index) => names[index] === "eval" || evaluatorOf(names[index]) !== null);
}

/** Is one line for a shell made of all that stands behind the program (`eval`, `ssh`, `watch`)? */
export function joinsArguments({ names, programs }: Command): boolean {
  return programs.some((index) => joiners.has(names[index] ?? ""));
}

/** Does the command get something from elsewhere (`curl`, `wget` and the like)? */
export function hasFetcher({ names, programs }: Command): boolean {
  return programs.some((index) => fetchers.has(names[index] ?? ""));
}

/** How the command treats what it reads: `program` when it surely runs it, `shell` when it is a shell that may. */
export function readerOf({ words, names, programs }: Command): "program" | "shell" | null {
  const index = programs.find((one) => evaluatorOf(names[one]) !== null);
  if (index === undefined) return null;
  const evaluator = evaluatorOf(names[index]);
  const rest = words.slice(index + 1);
  const operand = rest.find(
    (word, at) => !/^[-+]/.test(word) && !/^[-+][A-Za-z]*[oO]$/.test(rest[at - 1] ?? ""),
  );
  const isNamed = rest.includes("-") || inputs.has(operand ?? "");
  if (isNamed || (operand === undefined && evaluator !== "sourcer")) return "program";
  if (evaluator !== "shell") return null;
  // Behind `bash -s` stand arguments, not a script.
  return rest.some((word) => isShort(word, "s")) && !rest.some((word) => isShort(word, "c"))
    ? "program"
    : "shell";
}

/** Is it the name of a shell? */
export function isShell(name: string): boolean {
  return evaluatorOf(name) === "shell";
}

/** Names under which a program finds its own standard input. */
const inputs = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

function evaluatorOf(name: string | undefined): Evaluator | null {
  if (name === undefined || name.length > longestName) return null;
  const plain = name.replace(/[0-9.]+$/, "");
  if (shells.has(plain)) return "shell";
  if (interpreters.has(plain)) return "interpreter";
  return sourcers.has(name) ? "sourcer" : null;
}

/** No program of ours is longer; the limit keeps patterns over names linear. */
const longestName = 24;

/** `git-push` is `git push`. */
function splitGit(word: string): readonly string[] {
  const name = baseOf(word);
  return name.startsWith("git-") ? ["git", name.slice(4)] : [word];
}

/** Words of the shell's grammar that may stand before a program. */
const reserved = new Set("{ } ! if then elif else fi while until do done esac time coproc".split(" "));
const assignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/;

/** Is it a word of the shell's grammar, behind which a program may stand? */
export function isReserved(word: string): boolean {
  return reserved.has(word);
}

function programsOf(words: readonly string[], names: readonly string[]): readonly number[] {
  const first = words.findIndex((word) => !reserved.has(word) && !assignment.test(word));
  if (first === -1) return [];
  const isWrapped = wrappers.has(names[first] ?? "") || evaluatorOf(names[first]) === "shell";
  const action = isWrapped ? first : words.findIndex((word) => actions.has(word));
  const programs = [first];
  // Which argument of a wrapper is the program depends on its options; all of them may be.
  if (action !== -1) for (let index = action + 1; index < words.length; index += 1) programs.push(index);
  return programs;
}
