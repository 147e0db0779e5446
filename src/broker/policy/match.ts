/** Does a rule speak of a call? `exact` where the rule lets through, `loose` where it makes stricter. */
import { isHolding, type Mode, textsIn } from "./condition.js";
import { isGlobMatch } from "./glob.js";
import { isPathAllowed, isPathMeant, type PathPlace } from "./path-place.js";
import type { CommandPattern, PathPattern, Pattern, ToolPattern } from "./pattern.js";
import type { Rule } from "./rule.js";
import { areNamedIn } from "./running-options.js";

/** What rules are held against. */
export type Subject = CommandSubject | ToolSubject;

/** One command of a line, or all that was found in a line that is more than the policy understands. */
export interface CommandSubject {
  readonly kind: "command";
  /** As it stands, then as what does the same; empty where nothing may let it through. */
  readonly exact: readonly ExactCommand[];
  /** Its words joined by one blank, and those of every command that it may run. */
  readonly loose: readonly string[];
  /** What `when` looks into. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly place: PathPlace;
}

/** A command as rules that allow see it. */
export interface ExactCommand {
  /** Its words joined by `separator`. */
  readonly text: string;
  /** What of it may run another program; counted when it is asked for. */
  readonly running: () => readonly string[];
}

/** One call of a tool. */
export interface ToolSubject {
  readonly kind: "tool";
  readonly server: string | null;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly place: PathPlace;
}

/** Does the pattern match, all of `when` hold, and none of `unless` match? */
export function isRuleMatched(rule: Rule, subject: Subject): boolean {
  const mode = rule.list === "allow" ? "exact" : "loose";
  // An exception loosens what it is an exception to.
  const other = rule.list === "allow" ? "loose" : "exact";
  return (
    isMatched(rule.pattern, subject, mode) &&
    rule.when.every((one) => isHolding(one, subject.arguments, mode, subject.place)) &&
    !rule.unless.some((one) => isMatched(one, subject, other))
  );
}

/** Does the pattern alone match? */
export function isMatched(pattern: Pattern, subject: Subject, mode: Mode): boolean {
  switch (pattern.kind) {
    case "command":
      return subject.kind === "command" && isCommandMatched(pattern, subject, mode);
    case "tool":
      return subject.kind === "tool" && isToolMatched(pattern, subject);
    case "path":
      return subject.kind === "tool" && subject.server === null && isFileMatched(pattern, subject, mode);
    default:
      return pattern satisfies never;
  }
}

function isCommandMatched(pattern: CommandPattern, subject: CommandSubject, mode: Mode): boolean {
  const { exact, loose, literals } = pattern;
  if (mode === "loose") return subject.loose.some((text) => loose.some((glob) => isGlobMatch(glob, text)));
  return subject.exact.some(({ text, running }) =>
    // A * stands for anything but what runs another program: nobody who wrote it thought of that.
    exact.some((glob) => isGlobMatch(glob, text) && (glob.length === 1 || areNamedIn(running(), literals))),
  );
}

function isToolMatched({ server, tool }: ToolPattern, subject: ToolSubject): boolean {
  if ((server === null) !== (subject.server === null)) return false;
  return isGlobMatch(server ?? [""], subject.server ?? "") && isGlobMatch(tool, subject.tool);
}

/** The arguments in which tools of clients name files. */
const pathArguments = ["file_path", "notebook_path", "path"];

/** A rule for a tool that reads or writes speaks of all that do, where it makes stricter. */
const families: Readonly<Record<string, ReadonlySet<string>>> = {
  Read: new Set(["Read", "NotebookRead", "Glob", "Grep", "LS"]),
  Edit: new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]),
};

function isFileMatched({ tool, path }: PathPattern, subject: ToolSubject, mode: Mode): boolean {
  const { arguments: args, place } = subject;
  if (mode === "loose") {
    if (subject.tool !== tool && families[tool]?.has(subject.tool) !== true) return false;
    // A tool that names no path works in the directory of the call.
    const named = pathArguments.flatMap((name) => textsIn(args[name]) ?? [place.directory]);
    return (named.length === 0 ? [place.directory] : named).some((text) => isPathMeant(path, text, place));
  }
  if (subject.tool !== tool) return false;
  const named = pathArguments.filter((name) => args[name] !== undefined).map((name) => args[name]);
  return (
    named.length > 0 && named.every((text) => typeof text === "string" && isPathAllowed(path, text, place))
  );
}
