/** Does a rule speak of a call? `exact` where the rule lets through, `loose` where it makes stricter. */
import { isHolding, type Mode, textsIn } from "./condition.js";
import { isGlobMatch } from "./glob.js";
import { isPathAllowed, isPathMeant, type PathPlace } from "./path-place.js";
import {
  type CommandPattern,
  type PathPattern,
  type Pattern,
  separator,
  type ToolPattern,
} from "./pattern.js";
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
  /** The words of each of `loose`. */
  readonly searched: readonly (readonly string[])[];
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
  return (
    isMatched(rule.pattern, subject, mode) &&
    (isHeldBy(rule, subject.arguments, subject, mode) || (mode === "loose" && isHeldInside(rule, subject))) &&
    !rule.unless.some((one) => isExcepted(one, subject, mode))
  );
}

function isHeldBy({ when }: Rule, args: Subject["arguments"], { place }: Subject, mode: Mode): boolean {
  return when.every((one) => isHolding(one, args, mode, place));
}

/** By the words of one of the commands that it may run, where the rule speaks of that one. */
function isHeldInside(rule: Rule, subject: Subject): boolean {
  const { pattern } = rule;
  if (subject.kind !== "command" || pattern.kind !== "command") return false;
  return subject.loose.some(
    (text, index) =>
      pattern.loose.some((glob) => isGlobMatch(glob, text)) &&
      isHeldBy(rule, { ...subject.arguments, argv: subject.searched[index] ?? [] }, subject, "loose"),
  );
}

/** An exception loosens what it is an exception to, so it is read the other way round. */
function isExcepted(pattern: Pattern, subject: Subject, mode: Mode): boolean {
  if (mode === "exact") return isMatched(pattern, subject, "loose");
  if (pattern.kind !== "command" || subject.kind !== "command") return isMatched(pattern, subject, "exact");
  return subject.exact.some(
    (one) =>
      areOptionsNamed(one, pattern) && isCommandMatched(pattern, { ...subject, exact: [one] }, "exact"),
  );
}

/**
 * Does the exception name every option, as often as it stands there? The last one counts in many programs: a `*` that held
 * one would except `gh api --method GET -X DELETE`.
 */
function areOptionsNamed({ text }: ExactCommand, { literals }: CommandPattern): boolean {
  const left = literals.filter((word) => word.startsWith("-"));
  for (const word of text.split(separator)) {
    if (!word.startsWith("-")) continue;
    // `--method=*` names the beginning of one.
    const at = left.findIndex((one) => word.startsWith(one));
    if (at === -1) return false;
    left.splice(at, 1);
  }
  return true;
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
