/**
 * What the policy says of a call before anybody is asked. Pure data: the same verdict serves enforcement,
 * `wisp policy check` and the cards of every face.
 */

import type { Level, Offer } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { StateSpec } from "../request/state-spec.js";
import type { PathLook } from "./path-place.js";
import type { RememberedRule } from "./remembered.js";

/** What is judged. */
export type Judged = JudgedCommand | JudgedTool;

/** A command as it would run. */
export interface JudgedCommand {
  readonly kind: "command";
  /** The words that run; null for a line of bash. */
  readonly argv: readonly string[] | null;
  /** The line of bash; for an argv its quoted spelling. */
  readonly line: string;
  /** Where it would run: an absolute path. */
  readonly directory: string;
  /** The file that the first word leads to, as an absolute path; null where it leads to none, and for several commands. */
  readonly program: string | null;
  /** Which file that is, and in which state (program-file.ts); null where there is none. */
  readonly programIdentity: string | null;
  /** May whoever works in the directory change what the program does? Then no yes outlasts the connection. */
  readonly isProgramOpen: boolean;
}

/** A call of a tool. */
export interface JudgedTool {
  readonly kind: "tool";
  /** By the name that our configuration gives the server; null for a tool of the client's own (`Read`, `Edit`). */
  readonly server: string | null;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The directory that relative paths among the arguments start from. */
  readonly directory: string;
  /** Names of arguments that hold paths, where somebody knows: a rule that denies or asks for one of them speaks of all. */
  readonly pathArguments?: readonly string[];
  /** Where paths lead, as far as somebody looked for this call already; left out where nobody did. */
  readonly look?: PathLook;
}

/** In rising order of strictness. */
export const verdicts = ["allow", "ask", "deny"] as const;
/** What becomes of a call: it runs, a person is asked, or it is refused. */
export type VerdictName = (typeof verdicts)[number];

/** The rule that decided, and where it stands. */
export interface DecidingRule {
  /** `floor` is code that no file removes; `threshold` is what calls without a rule come to. */
  readonly list: VerdictName | "remembered" | "floor" | "threshold";
  /** As it is written: `Bash(git push *)`. For a floor or the threshold: what it says, in words. */
  readonly text: string;
  /** As a person names it: `policy.json`, `remembered.json`, `/home/p/api/.wisp/policy.json`; null for what is built in. */
  readonly file: string | null;
  /** From 1; null where the text it came from is not the file as it stands (an accepted copy). */
  readonly line: number | null;
}

/** One of the commands of a line, or the whole call. */
export interface JudgedPart {
  readonly text: string;
  readonly verdict: VerdictName;
  readonly rule: DecidingRule;
}

/** What the policy says, and why. Texts are as they stand in files and calls: shown through `shown`. */
export interface Verdict {
  readonly name: VerdictName;
  readonly level: Level;
  /** Why it has this level, and what else a person has to know, in short words; never empty. */
  readonly reasons: readonly string[];
  /** Only a line of bash can be more than the policy understands; then it is never allowed without asking. */
  readonly isComplex: boolean;
  readonly rule: DecidingRule;
  /** What a deny rule says to whoever is refused; null where it says nothing, and for other verdicts. */
  readonly denial: string | null;
  readonly parts: readonly JudgedPart[];
  /**
   * What asks, by every set of rules in force in which something does: the text of the rule, with its file where that is a
   * project's; null where that is no rule. A yes is remembered for one of them, and answers no other.
   */
  readonly askedBy: readonly (string | null)[];
  /** The widest yes that may be offered. */
  readonly maxScope: Scope;
  /** What an approval of a call of a tool is about, as the rule that decided says it; null where it says nothing of it. */
  readonly state: StateSpec | null;
  /** What asks is a rule for another of its paths: that only adds to what else is known of the call. */
  readonly isBeside: boolean;
  /** The rule that allows it says that it changes nothing. */
  readonly isReadOnly: boolean;
  /** The yes of a person that allows it; null where a file does, or nothing does. */
  readonly remembered: RememberedRule | null;
  /** The rule of the person's own file that allows it as soon as that is accepted; null where none does. */
  readonly waiting: DecidingRule | null;
  /** What a yes for the project or for always would remember, exactly this first; empty where nothing wider is offered. */
  readonly offers: readonly Offer[];
  /** What of this call differs from the rule remembered that comes nearest, in words; null where none comes near. */
  readonly nearest: string | null;
  /**
   * What every face has to say of the files themselves: what waits to be accepted, what a project file may not do, what
   * cannot be read. Part of `reasons` of a request.
   */
  readonly notices: readonly string[];
  /** A file cannot be used, so everything asks and a yes is for once. */
  readonly isFaulty: boolean;
}
