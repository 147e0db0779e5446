/** Does a rule speak of a call? `exact` where the rule lets through, `loose` where it makes stricter. */
import { type Condition, isHolding, type Mode, pathCost, textsIn } from "./condition.js";
import { type Effort, spend } from "./effort.js";
import { type Glob, isGlobMatch, isSearch } from "./glob.js";
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
import { isRunHeld, isRunMatched } from "./runs.js";
import type { Searched } from "./searched.js";

/** What rules are held against. */
export type Subject = CommandSubject | ToolSubject;

/** One command of a line, or all that was found in a line that is more than the policy understands. */
export interface CommandSubject {
  readonly kind: "command";
  /** As it stands, then as what does the same; empty where nothing may let it through. */
  readonly exact: readonly ExactCommand[];
  /** Its words joined by one blank; null where its words are not known. */
  readonly text: string | null;
  /** That, and every command that it may run; looked for when it is asked for. */
  readonly searched: () => Searched;
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
  /** As in `Judging`. */
  readonly beside?: readonly string[];
}

/** Does the pattern match, all of `when` hold, and none of `unless` match? What `effort` leaves undone matches nothing. */
export function isRuleMatched(rule: Rule, subject: Subject, effort: Effort): boolean {
  const mode = rule.list === "allow" ? "exact" : "loose";
  return (
    isMatched(rule.pattern, subject, mode, effort) &&
    (isHeldBy(rule, subject, mode, effort) || (mode === "loose" && isHeldInside(rule, subject, effort))) &&
    !rule.unless.some((one) => isExcepted(one, subject, mode, effort))
  );
}

function isHeldBy({ when }: Rule, subject: Subject, mode: Mode, effort: Effort): boolean {
  const { arguments: args, place } = subject;
  const beside = subject.kind === "tool" ? subject.beside : undefined;
  const judging = { place, effort, ...(beside === undefined ? {} : { beside }) };
  return when.every((one) => isHolding(one, args, mode, judging));
}

/** By the words of one of the commands that it may run, where the rule speaks of that one. */
function isHeldInside({ pattern, when }: Rule, subject: Subject, effort: Effort): boolean {
  if (subject.kind !== "command" || pattern.kind !== "command") return false;
  const { loose } = pattern;
  const isHeld = (one: Condition, argv: readonly string[]): boolean =>
    isHolding(one, { ...subject.arguments, argv }, "loose", { place: subject.place, effort });
  const { commands, runs } = subject.searched();
  return (
    commands.some(
      ({ words, text }) =>
        loose.some((glob) => isTextMatched(glob, text, effort)) && when.every((one) => isHeld(one, words)),
    ) || runs.some((run) => spend(effort, run.text.length) && isRunHeld(run, loose, when, isHeld))
  );
}

/** An exception loosens what it is an exception to, so it is read the other way round. */
function isExcepted(pattern: Pattern, subject: Subject, mode: Mode, effort: Effort): boolean {
  if (mode === "exact") return isMatched(pattern, subject, "loose", effort);
  if (pattern.kind !== "command" || subject.kind !== "command")
    return isMatched(pattern, subject, "exact", effort);
  return subject.exact.some(
    (one) =>
      areOptionsNamed(one, pattern) &&
      isCommandMatched(pattern, { ...subject, exact: [one] }, "exact", effort),
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
export function isMatched(pattern: Pattern, subject: Subject, mode: Mode, effort: Effort): boolean {
  switch (pattern.kind) {
    case "command":
      return subject.kind === "command" && isCommandMatched(pattern, subject, mode, effort);
    case "tool":
      return subject.kind === "tool" && isToolMatched(pattern, subject);
    case "path":
      return (
        subject.kind === "tool" && subject.server === null && isFileMatched(pattern, subject, mode, effort)
      );
    default:
      return pattern satisfies never;
  }
}

function isCommandMatched(
  { exact, loose, literals }: CommandPattern,
  subject: CommandSubject,
  mode: Mode,
  effort: Effort,
): boolean {
  if (mode === "loose") {
    const isIn = (text: string): boolean => loose.some((glob) => isTextMatched(glob, text, effort));
    if (subject.text !== null && isIn(subject.text)) return true;
    const { commands, runs } = subject.searched();
    return (
      commands.some(({ text }) => text !== subject.text && isIn(text)) ||
      runs.some((run) => spend(effort, run.text.length) && isRunMatched(run, loose))
    );
  }
  return subject.exact.some(({ text, running }) =>
    exact.some(
      (glob) =>
        isTextMatched(glob, text, effort) &&
        // A * stands for anything but what runs another program: nobody who wrote it thought of that.
        (glob.length === 1 || areNamedIn(running(), literals)),
    ),
  );
}

/** Only what stands between two `*` has to be searched for. */
function isTextMatched(glob: Glob, text: string, effort: Effort): boolean {
  return (!isSearch(glob, text) || spend(effort, text.length)) && isGlobMatch(glob, text);
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

function isFileMatched(
  { tool, path }: PathPattern,
  subject: ToolSubject,
  mode: Mode,
  effort: Effort,
): boolean {
  const { arguments: args, place } = subject;
  if (mode === "loose") {
    if (subject.tool !== tool && families[tool]?.has(subject.tool) !== true) return false;
    const found = pathArguments.map((name) => textsIn(args[name]));
    // Of more than are looked at nobody can say what they name.
    if (!found.every((texts) => texts !== null)) return true;
    const named = found.flat();
    // A tool that names no path works in the directory of the call.
    return (named.length === 0 ? [place.directory] : named).some(
      (text) => spend(effort, pathCost(text)) && isPathMeant(path, text, place),
    );
  }
  if (subject.tool !== tool) return false;
  const named = pathArguments.filter((name) => args[name] !== undefined).map((name) => args[name]);
  return (
    named.length > 0 &&
    named.every(
      (text) => typeof text === "string" && spend(effort, pathCost(text)) && isPathAllowed(path, text, place),
    )
  );
}
