/**
 * Which file a command runs and where, fixed before a person is asked and compared right before it runs: a yes is
 * for that file in that directory, and for nothing that takes their place meanwhile.
 */
import { isAbsolute, resolve } from "node:path";
import {
  type BoundTarget,
  errnoOf,
  type FileIdentity,
  type FoundProgram,
  lookAtProgram,
  lookAtRight,
  programAt,
  programOf,
  programOnPath,
  type RightLook,
  textObjection,
  WispError,
  whyUnusable,
  workTreeState,
} from "../../broker/index.js";
import type { Environment } from "./environment.js";
import {
  type DirectoryIdentity,
  identityOf,
  isSameIdentity,
  isStillReal,
  realDirectory,
} from "./working-directory.js";

/** What an agent wants to run: exactly one of `argv` and `line`, in an absolute directory. */
export interface WantedCommand {
  readonly argv: readonly string[] | null;
  readonly line: string | null;
  readonly directory: string;
}

/** A command whose program and directory are known. */
export interface ResolvedCommand {
  /** The words that run, or null for a line. */
  readonly argv: readonly string[] | null;
  /** The line that bash runs, or null for an argv. */
  readonly line: string | null;
  /** The file that is executed: the program of an argv, bash for a line. */
  readonly program: FileIdentity;
  /** As in `FoundProgram`. */
  readonly programChangedAt: string;
  /**
   * What the first word of a line of one simple command leads to: the file that bash will look for by it. Null where it
   * leads to none, as a word of bash's own may, for any other line, and for an argv.
   */
  readonly lineProgram: FoundProgram | null;
  /** Where the wanted directory really is: its path leads through no link. */
  readonly directory: string;
  readonly directoryIdentity: DirectoryIdentity;
  /** What is checked out and staged where it runs; null outside of a git work tree. */
  readonly state: readonly BoundTarget[] | null;
}

/**
 * Finds program and directory of `wanted`. A bare name is looked up in the absolute entries of the environment's
 * PATH; a name with a slash is relative to the directory. Throws invalid_input naming the argument.
 */
export function resolveCommand(wanted: WantedCommand, environment: Environment): ResolvedCommand {
  const { argv, line } = wanted;
  if ((argv === null) === (line === null)) throw invalid("argv", "give exactly one of argv and line");
  argv?.forEach((word, index) => {
    checkText(`argv[${index}]`, word);
  });
  if (line !== null) checkText("line", line);
  checkText("directory", wanted.directory);
  const directory = placeOf(wanted.directory);
  const directoryIdentity = identifyDirectory(directory);
  const found = argv === null ? findShell(environment) : findProgram(argv[0] ?? "", directory, environment);
  const lineProgram = findLineProgram(line, directory, environment);
  const state = workTreeState(directory);
  return { argv, line, ...found, lineProgram, directory, directoryIdentity, state };
}

/**
 * Throws replay_drift when program, directory or work tree are not as they were resolved; then nothing may run.
 * `environment` is the one that it was resolved in, and runs in.
 */
export function refuseDrift(command: ResolvedCommand, environment: Environment): void {
  const { program, programChangedAt, directory, directoryIdentity, state } = command;
  const here = lookAtDirectory(directory);
  const isThere = here.why === null && isSameIdentity(directoryIdentity, identityOf(here.stats));
  if (!isThere || !isStillReal(directory)) throw drifted("directory", directory);
  const now = programAt(program.path);
  if (now === null || !isSame(program, now.program) || now.programChangedAt !== programChangedAt) {
    throw drifted("program", program.path);
  }
  // Bash looks for it by its name: a file that is found before it now is another one, too.
  const named = findLineProgram(command.line, directory, environment);
  if (JSON.stringify(named) !== JSON.stringify(command.lineProgram)) {
    throw drifted("program", (command.lineProgram ?? named)?.program.path ?? "");
  }
  if (JSON.stringify(workTreeState(directory)) !== JSON.stringify(state)) {
    throw drifted("work tree", directory);
  }
}

/** Arguments end at a NUL and travel as UTF-8: with either broken, what runs is not what was shown. */
function checkText(argument: string, text: string): void {
  const objection = textObjection(text);
  if (objection !== null) throw invalid(argument, `a ${objection} cannot be passed to a program`);
}

/**
 * One spelling of each place, or the same call in another spelling would be another call. And what is judged, shown,
 * remembered and run in is where a link leads now: turned later, it leads a rule for that place to no other.
 */
function placeOf(directory: string): string {
  if (!isAbsolute(directory)) throw invalid("directory", "give an absolute path");
  try {
    return realDirectory(resolve(directory));
  } catch (error) {
    throw noDirectory(directory, whyUnusable(errnoOf(error)));
  }
}

function identifyDirectory(directory: string): DirectoryIdentity {
  const found = lookAtDirectory(directory);
  if (found.why === null) return identityOf(found.stats);
  throw noDirectory(directory, found.why);
}

function lookAtDirectory(directory: string): RightLook {
  return lookAtRight(directory, (stats) => stats.isDirectory(), "is not a directory");
}

function noDirectory(directory: string, why: string): WispError {
  return invalid("directory", `${named(directory)} ${why}`, "Give a directory that exists.");
}

/** The usual place first, so that a line means the same bash whatever PATH says. */
function findShell(environment: Environment): FoundProgram {
  const found = programAt("/bin/bash") ?? programOnPath("bash", environment);
  if (found === null) throw invalid("line", "there is no bash on this machine", "Give argv instead of line.");
  return found;
}

function findProgram(name: string, directory: string, environment: Environment): FoundProgram {
  const fix = "Name a program that is installed, or give the path of one.";
  if (name === "") throw invalid("argv[0]", "name a program", fix);
  if (!name.includes("/")) {
    const program = programOnPath(name, environment);
    if (program === null) throw invalid("argv[0]", `there is no program ${named(name)} on PATH`, fix);
    return program;
  }
  const path = resolve(directory, name);
  const found = lookAtProgram(path);
  if (found.why === null) return found.program;
  throw invalid("argv[0]", `${named(path)} ${found.why}`, fix);
}

function findLineProgram(
  line: string | null,
  directory: string,
  environment: Environment,
): FoundProgram | null {
  return line === null ? null : programOf({ argv: null, line, directory }, environment);
}

function isSame(before: FileIdentity, now: FileIdentity): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

const longestName = 200;

/** A name in a sentence: in quotes, and cut where it is very long. */
export function named(text: string): string {
  return JSON.stringify(text.length > longestName ? `${text.slice(0, longestName)}…` : text);
}

function invalid(argument: string, what: string, fix = "Correct this argument."): WispError {
  return new WispError("invalid_input", `${argument}: ${what}.`, { fix, details: { argument } });
}

function drifted(what: "directory" | "program" | "work tree", path: string): WispError {
  const changed =
    what === "work tree"
      ? `What is checked out or staged in ${path} is not what`
      : `The ${what} ${path} is not the one that`;
  return new WispError("replay_drift", `${changed} was approved; nothing ran.`, {
    details: { changed: what, path },
  });
}
