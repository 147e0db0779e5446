/** Which file a command runs: found in one way wherever it is judged, shown, bound or run. */
import { accessSync, type BigIntStats, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { errnoOf } from "../request/errors.js";
import type { FileIdentity } from "../request/request.js";
import { homeDirectoryOf } from "../system/home-directory.js";
import { onlyProgramOf } from "./only-program.js";
import { isProgramOpen, programIdentity } from "./program-file.js";
import type { JudgedCommand } from "./verdict.js";

/** The file of a program as it was found. */
export interface FoundProgram {
  readonly program: FileIdentity;
  /**
   * When anything about the file last changed, in nanoseconds as decimal text. Beside the identity, whose form is fixed:
   * nobody can set this time, so an edit shows even where size and mtime were made the same again.
   */
  readonly programChangedAt: string;
}

/** Variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A command before it is known which file it runs. */
export type CommandWords = Pick<JudgedCommand, "argv" | "line" | "directory">;

/** As the policy judges it; `found` is the file of its only program, null where there is none. */
export function judgedCommand(command: CommandWords, found: FoundProgram | null): JudgedCommand {
  const path = found?.program.path ?? null;
  return {
    kind: "command",
    ...command,
    program: path,
    // As it was found; it is looked at once more before it runs.
    programIdentity:
      found === null ? null : programIdentity({ ...found.program, changedAt: found.programChangedAt }),
    isProgramOpen: path !== null && isProgramOpen(path, command.directory),
  };
}

/** The file of the only program of a command; null for a line of more than one, and where there is no such file. */
export function programOf(
  { argv, line, directory }: CommandWords,
  environment: Environment,
): FoundProgram | null {
  const name = argv === null ? onlyProgramOf(line, homeDirectoryOf(environment)) : (argv[0] ?? null);
  if (name === null || name === "") return null;
  return name.includes("/") ? programAt(resolve(directory, name)) : programOnPath(name, environment);
}

/**
 * Relative entries of PATH are passed over: an agent that writes into the working directory would choose what
 * `git` means.
 */
export function programOnPath(name: string, environment: Environment): FoundProgram | null {
  for (const entry of (environment.PATH ?? "").split(delimiter)) {
    const program = isAbsolute(entry) ? programAt(join(entry, name)) : null;
    if (program !== null) return program;
  }
  return null;
}

/** The absolute entries of PATH; the usual places where it has none. A command runs with this one. */
export function absolutePathOf({ PATH = "" }: Environment): string {
  return PATH.split(delimiter).filter(isAbsolute).join(delimiter) || defaultPath;
}

const defaultPath = "/usr/local/bin:/usr/bin:/bin";

/** The program at `path`; null where none can be run there. */
export function programAt(path: string): FoundProgram | null {
  const found = lookAtProgram(path);
  return found.why === null ? found.program : null;
}

/** The same, with why there is none. */
export function lookAtProgram(
  path: string,
): { readonly why: null; readonly program: FoundProgram } | { readonly why: string } {
  const found = lookAtRight(path, (stats) => stats.isFile(), "is not a file");
  return found.why === null ? { why: null, program: foundProgram(path, found.stats) } : found;
}

/** What stands at a path, or why it cannot be used. */
export type RightLook = { readonly why: null; readonly stats: BigIntStats } | { readonly why: string };

/** Links are followed: what counts is the file that runs, and a link that is turned leads to another one. */
export function lookAtRight(
  path: string,
  isRight: (stats: BigIntStats) => boolean,
  otherwise: string,
): RightLook {
  try {
    const stats = statSync(path, { bigint: true });
    if (!isRight(stats)) return { why: otherwise };
    accessSync(path, constants.X_OK);
    return { why: null, stats };
  } catch (error) {
    return { why: whyUnusable(errnoOf(error)) };
  }
}

/** In words, as the end of a sentence about what stands there. */
export function whyUnusable(errno: string | null): string {
  switch (errno) {
    case "ENOENT":
    case "ENOTDIR":
      return "does not exist";
    case "EACCES":
      return "may not be entered or executed by this account";
    default:
      return `cannot be used (${errno})`;
  }
}

function foundProgram(path: string, stats: BigIntStats): FoundProgram {
  const mtime = String(BigInt.asUintN(64, stats.mtimeNs));
  const { dev, ino, size, ctimeNs } = stats;
  const program = { path, device: String(dev), inode: String(ino), size: Number(size), mtime };
  return { program, programChangedAt: String(ctimeNs) };
}
