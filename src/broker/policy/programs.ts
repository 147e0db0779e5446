/** Which words of a simple command are programs, and which of those run what they are given. */
import type { Piece } from "./pieces.js";

/** One simple command, ready to be searched. */
export interface Command {
  readonly words: readonly string[];
  /** The last part of each word's path or assignment, in lower case: `/bin/RM` and `alias.x=!rm` name `rm`. */
  readonly names: readonly string[];
  /** The words that are, or behind a wrapper may be, the program. */
  readonly programs: readonly Program[];
  /** Where its redirections lead. */
  readonly targets: readonly string[];
  /** False for quoted text that nothing is known to run: a commit message may speak of a shutdown. */
  readonly isRun: boolean;
}

/** One word that may be a program. */
export interface Program {
  /** Its place among the words. */
  readonly at: number;
  readonly word: string;
  /** As in `names`. */
  readonly name: string;
}

/** Takes `piece` apart once, for every danger that is looked for in it. */
export function commandOf(piece: Piece, isRun: boolean): Command {
  const words = piece.words.some((word) => word.includes("git-"))
    ? piece.words.flatMap(splitGit)
    : piece.words;
  const all = words.map((word, at) => ({ at, word, name: nameOf(word) }));
  const names = all.map(({ name }) => name);
  return { words, names, programs: programsOf(words, all), targets: piece.targets, isRun };
}

/** The name of the program a word may stand for. */
export function nameOf(word: string): string {
  return baseOf(word).toLowerCase();
}

/** What stands before the `=` of an option that has its value in the same word; the whole word of any other. */
export function optionOf(word: string): string {
  const end = word.indexOf("=");
  return end === -1 ? word : word.slice(0, end);
}

/** The same in the case it is written in. */
export function baseOf(word: string): string {
  let at = word.length;
  while (at > 0 && !isBeforeName(word.charCodeAt(at - 1))) at -= 1;
  return at === 0 ? word : word.slice(at);
}

/** `/`, `=` or `!`. */
function isBeforeName(code: number): boolean {
  return code === 0x2f || code === 0x3d || code === 0x21;
}

/** A bundle of short options that holds one of `letters`. */
export function isShort(word: string, letters: string): boolean {
  if (!word.startsWith("-") || word.startsWith("--")) return false;
  for (const letter of letters) if (word.includes(letter)) return true;
  return false;
}

/** Programs that run the words behind them, as they stand: none of these words is a text for a shell. */
const prefixes = wordsOf(
  "env command exec builtin nice nohup timeout gtimeout time gtime stdbuf setsid ionice chrt taskset numactl xargs chroot " +
    "fakeroot fakechroot proot unshare nsenter bwrap firejail strace ltrace unbuffer busybox toybox docker podman nerdctl " +
    "kubectl oc uvx bunx su runuser sudo doas pkexec run0 setpriv capsh prlimit cpulimit cgexec chpst softlimit setuidgid " +
    "dbus-run-session dbus-launch systemd-run systemd-inhibit caffeinate start-stop-daemon daemonize runcon arch linux32 " +
    "linux64 setarch catchsegv valgrind perf xvfb-run proxychains proxychains4 tsocks torsocks torify faketime rlwrap " +
    "chronic ifne lckdo sshpass ssh-agent direnv dotenv entr",
);
/** Programs that run what one of their words says, or all of them. */
const textTakers = wordsOf(
  "eval trap ssh mosh watch parallel script flock sg newgrp npx pnpx pipx expect tmux screen at batch hyperfine gdb pee " +
    "mispipe socat nc ncat",
);
/** Of wrappers that take words, the option that takes a text: `env -S 'a b'`, `su -c 'a b'`. */
const textOptions = new Map(Object.entries({ env: "S", su: "c", runuser: "c", capsh: "c" }));
/** Wrappers that join their arguments to one line for a shell. */
const joiners = new Set(["eval", "ssh", "watch"]);
/** Options behind which `find` names a program. */
const actions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** Programs that run others behind some of their words only, and take texts for a shell there. */
const runningWords = new Map(
  Object.entries({
    npm: wordsOf("exec x"),
    pnpm: wordsOf("exec dlx"),
    yarn: wordsOf("exec dlx"),
    bun: wordsOf("x"),
    uv: wordsOf("run tool"),
    poetry: wordsOf("run"),
    pipenv: wordsOf("run"),
    bundle: wordsOf("exec"),
    rustup: wordsOf("run"),
    conda: wordsOf("run"),
    nix: wordsOf("run shell develop"),
    git: wordsOf("run foreach -x --exec"),
    ip: wordsOf("exec"),
    // For levels they are wrappers whatever their verb is.
    docker: wordsOf("run exec"),
    podman: wordsOf("run exec"),
    nerdctl: wordsOf("run exec"),
    kubectl: wordsOf("run exec debug"),
    oc: wordsOf("run exec debug rsh"),
    machinectl: wordsOf("shell"),
    fd: wordsOf("-x -X --exec --exec-batch"),
    fdfind: wordsOf("-x -X --exec --exec-batch"),
  }),
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

const shells = new Set("sh bash zsh dash ash ksh mksh rbash fish csh tcsh pwsh".split(" "));
const interpreters = new Set("python pypy perl ruby node nodejs deno bun php lua tclsh osascript".split(" "));
const sourcers = new Set(["source", "."]);
const fetchers = new Set(["curl", "wget", "fetch", "aria2c"]);

type Evaluator = "shell" | "interpreter" | "sourcer";

/** Does the command run text among its arguments? */
export function runsArguments({ programs }: Command): boolean {
  return programs.some(({ name }) => isWrapper(name) || evaluatorOf(name) !== null);
}

/** Where the words begin among which it runs programs: behind a wrapper, a shell or an action; null where it runs none. */
export function runsFrom({ words, programs }: Command): number | null {
  const [first] = programs;
  if (first === undefined) return null;
  const behind = runningWords.get(first.name);
  const from = behind === undefined ? runnerAt(words, first) : actionAt(words, first, behind);
  return from === -1 || from + 1 >= words.length ? null : from + 1;
}

/** Does it run texts among its words, rather than the words as they stand? */
export function takesTexts({ words, programs }: Command): boolean {
  if (programs.length > 1 && programs.slice(0, 1).some(isRunnerOfSome)) return true;
  let letters = "";
  for (const { name } of programs) {
    const evaluator = evaluatorOf(name);
    if (textTakers.has(name) || evaluator === "shell" || evaluator === "interpreter") return true;
    const letter = textOptions.get(name) ?? "";
    if (!letters.includes(letter)) letters += letter;
  }
  return letters !== "" && words.some((word) => isShort(word, letters) || word.startsWith("--"));
}

/** Does it run programs behind some of its words only, none of which is an option of a wrapper? */
function isRunnerOfSome({ name }: Program): boolean {
  return !prefixes.has(name) && runningWords.has(name);
}

/** Does the command run what is substituted into it, wherever it stands? */
export function evaluatesArguments({ programs }: Command): boolean {
  return programs.some(({ name }) => name === "eval" || evaluatorOf(name) !== null);
}

/** Is one line for a shell made of all that stands behind the program (`eval`, `ssh`, `watch`)? */
export function joinsArguments({ programs }: Command): boolean {
  return programs.some(({ name }) => joiners.has(name));
}

/** Does the command get something from elsewhere (`curl`, `wget` and the like)? */
export function hasFetcher({ programs }: Command): boolean {
  return programs.some(({ name }) => fetchers.has(name));
}

/** How the command treats what it reads: `program` when it surely runs it, `shell` when it is a shell that may. */
export function readerOf({ words, programs }: Command): "program" | "shell" | null {
  const program = programs.find(({ name }) => evaluatorOf(name) !== null);
  if (program === undefined) return null;
  const evaluator = evaluatorOf(program.name);
  const rest = words.slice(program.at + 1);
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

/** Names under which a program finds its own standard input. */
const inputs = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

function evaluatorOf(name: string): Evaluator | null {
  if (name.length > longestName) return null;
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

function programsOf(words: readonly string[], all: readonly Program[]): readonly Program[] {
  const first = all.find(({ word }) => !reserved.has(word) && !assignment.test(word));
  if (first === undefined) return [];
  const from = runnerAt(words, first);
  // Which argument of a wrapper is the program depends on its options; all of them may be.
  return from === -1 ? [first] : [first, ...all.slice(from + 1)];
}

/** Behind which of `words` programs may stand; -1 for none. */
function runnerAt(words: readonly string[], first: Program): number {
  if (isWrapper(first.name) || evaluatorOf(first.name) === "shell") return first.at;
  return actionAt(words, first, runningWords.get(first.name));
}

function actionAt(
  words: readonly string[],
  { at }: Program,
  behind: ReadonlySet<string> | undefined,
): number {
  return words.findIndex((word, index) => actions.has(word) || (index > at && behind?.has(word) === true));
}

/** One of the lists, or the loader of programs, which runs the file that it is given. */
function isWrapper(name: string): boolean {
  return prefixes.has(name) || textTakers.has(name) || /^ld(?:-[\w.-]{1,40})?\.so/.test(name);
}
