/**
 * How sure it is that a person answered: what was seen of the process that answered, what was wanting, and the level
 * that makes (SECURITY.md). Levels in rising order: `file`, `dialog`, `terminal`, `signed`.
 */
import type { Answer, Via } from "./answer.js";
import { identifierSchema } from "./identifier.js";
import { hashSchema } from "./long-text.js";
import { type assurances, formatVersion, type Request } from "./request.js";
import * as s from "./shape.js";

/** A level as requests, results and faces print it. */
export type Assurance = (typeof assurances)[number];

const seen = s.nullable(s.boolean);

/** What the server saw of the answering process: true, false, or null for what it did not or could not look at. */
export const verifiedSchema = s.strictObject({ terminal: seen, ancestry: seen, signed: seen });

/**
 * `terminal`: its standard input is its controlling terminal; null with an `ancestry` that is not: it has one, and
 * what it reads from could not be seen. `ancestry`: all its ancestors were seen and none is a client's, and no process
 * of one was found to hold the other end of its terminal; false where one was found, null where they were not all seen.
 * Where nobody looked for who holds it, and which open files could not be seen, stands in the audit log. `signed`: its
 * answer carries a signature by an enrolled key.
 */
export type Verified = s.Infer<typeof verifiedSchema>;

/** Why an answer that allows something is less than its request takes. */
export const shortfalls = [
  /** No process of that number and start time is alive. */
  "process_gone",
  /** It, or what it must be told apart from, cannot be looked at: in another container, of somebody else, unknown, too much. */
  "process_unseen",
  /** Its standard input is not the terminal that controls it. */
  "no_terminal",
  /** It was started from within a client that runs a shell for its agent. */
  "within_client",
  /** A process of such a client holds the other end of its terminal. */
  "terminal_held",
] as const;
/** One of these, as it stands in the audit log and in a refusal. */
export type Shortfall = (typeof shortfalls)[number];

/** One process, as the audit log names it: every text safe to show. */
export interface SeenProcess {
  readonly pid: number;
  readonly name: string;
  readonly startedAt: string;
}

/** What a look at a process found, for the audit log: every text safe to show. What nobody looked for is missing. */
export interface Seen {
  readonly pid?: number;
  readonly startedAt?: string;
  readonly tty?: string | null;
  /** The nearest first. */
  readonly ancestors?: readonly SeenProcess[];
  /** The processes of the client that asked. */
  readonly client?: readonly SeenProcess[];
  /** The client within which it runs; null for none. */
  readonly within?: string | null;
  /** Who holds the other end of its terminal; null for nobody that was found. */
  readonly masterHolder?: SeenProcess | null;
  readonly unchecked?: readonly string[];
  /** Why it could not be looked at whole. */
  readonly fault?: string;
}

/** What whoever asked saw of the process that answered, while it was alive. */
export interface Testimony {
  readonly verified: Verified;
  /** What was looked at, for the audit log. */
  readonly seen: Seen;
  /** Null where it is enough. A no is taken whatever stands here. */
  readonly shortfall: Shortfall | null;
}

/** Looks at the process that `answer` names, now. Never throws: what cannot be looked at is a shortfall. */
export type Witness = (answer: Answer, request: Request) => Testimony;

/** The level of an answer that came by `via`; `verified` is null where nobody looked. */
export function assuranceOf(via: Via, verified: Verified | null): Assurance {
  if (verified?.signed === true) return "signed";
  if (via === "elicitation") return "dialog";
  return verified !== null && isAtTerminal(verified) ? "terminal" : "file";
}

/**
 * The level in words, with what a person must know beside it: where the answer came from, and what was not seen of that.
 * `verified` is null where nobody looked.
 */
export function assuranceWords(via: Via, verified: Verified | null): readonly string[] {
  const level = assuranceOf(via, verified);
  if (verified === null) return [level];
  const { terminal, ancestry } = verified;
  if (terminal === null && ancestry === null) return [level, "its process not seen"];
  return [
    level,
    ...(terminal === null ? ["standard input not seen"] : []),
    ...(ancestry === false ? ["from within a client's own processes"] : []),
    ...(ancestry === null ? ["ancestors not all seen"] : []),
  ];
}

/** What nobody could look at has neither. A process that was looked at has a terminal unless `terminal` is false. */
function isAtTerminal({ terminal, ancestry }: Verified): boolean {
  return terminal === true || (terminal === null && ancestry !== null);
}

/** `rejected/<hash of the answer>.reason.json`: tells the face that gave the answer what was wanting. */
export const refusalSchema = s.strictObject({
  v: s.literal(formatVersion),
  id: identifierSchema,
  answer: hashSchema,
  shortfall: s.oneOf(shortfalls),
});

/** A refusal's whole file, by the word of whoever wrote it. */
export type Refusal = s.Infer<typeof refusalSchema>;

/** Where the refusal of the answer with this hash lies in `rejected/`. */
export function refusalFileName(answer: string): string {
  return `${answer}.reason.json`;
}
