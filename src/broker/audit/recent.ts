/**
 * What the end of the log says of requests that ended lately, across files that were put aside. It is shown and decides
 * nothing, so it asks for no key, and its lines may be somebody else's: what is not as we write it is passed over, and how
 * much is read is bounded. Whether a record is ours `wisp audit` says.
 */
import { eachLastLine } from "../files/last-lines.js";
import { type Decision, decisions, type Via, vias } from "../request/answer.js";
import type { Assurance } from "../request/assurance.js";
import { isIdentifier } from "../request/identifier.js";
import { type ReceiptOutcome, receiptOutcomes } from "../request/outcome.js";
import { assurances, type Kind, kinds } from "../request/request.js";
import { type Scope, scopes } from "../request/scope.js";
import { shownText } from "../request/shown.js";
import { parseStrictJson } from "../request/strict-json.js";
import { logPathsNewestFirst } from "./places.js";
import { isValues, type Values } from "./values.js";

/** What is known of one request. */
export interface RecentEnding {
  /** What was asked for; null where no record says it. */
  readonly kind: Kind | null;
  /** How it ended; null where that stands further up than was read. */
  readonly end: RecordedEnd | null;
  /** The answer that ended it. */
  readonly answer: RecordedAnswer | null;
  /** One that was given after it had ended otherwise. */
  readonly late: RecordedAnswer | null;
  /** What it asked for, safe to print. */
  readonly what: string | null;
  /** How often an effect began because of it. */
  readonly started: number;
  /** How the last one ended. */
  readonly finished: RecordedEffect | null;
}

/** How a request ended. Times are epoch milliseconds. `ran` is false where it is certain that nothing ran. */
export interface RecordedEnd {
  readonly at: number;
  readonly outcome: ReceiptOutcome;
  readonly via: Via | null;
  readonly ran: boolean | null;
}

/** An answer of a person, by the word of whoever wrote the log. */
export interface RecordedAnswer {
  readonly at: number;
  readonly decision: Decision;
  readonly scope: Scope | null;
  readonly via: Via;
  readonly assurance: Assurance | null;
  /** The hash of the answer, as its receipt has it. */
  readonly hash: string;
  /** The hash of its note; null where it had none. */
  readonly note: string | null;
}

/** How a command or a call ended that was approved. */
export interface RecordedEffect {
  readonly ending: (typeof effectEndings)[number];
  readonly exitCode: number | null;
  /** `SIGTERM`, or the system's error (`ENOENT`): capital letters and digits. */
  readonly word: string | null;
}

/** Of a log of any length no more than this is read: about ten thousand lines. */
const mostBytes = 4 * 1024 * 1024;
/** No line of ours is nearly as long. */
const longestLine = 64 * 1024;

/** What the log of the home at `path` says of the last `most` requests that ended, by their ids; empty where it says nothing. */
export function recentEndings(path: string, most: number): ReadonlyMap<string, RecentEnding> {
  const found = new Map<string, Mutable<RecentEnding>>();
  let ends = 0;
  let left = mostBytes;
  const use = (line: Uint8Array): boolean => {
    left -= line.length + 1;
    const record = line.length > longestLine ? null : recordIn(line);
    if (record === null) return true;
    const ending = found.get(record.id) ?? { ...nothing };
    const had = ending.end !== null;
    note(record, ending);
    found.set(record.id, ending);
    if (!had && ending.end !== null) ends += 1;
    // The answer to a request stands right before its end, so one end more is read.
    return ends <= most;
  };
  for (const file of logPathsNewestFirst(path)) {
    if (left <= 0 || ends > most) break;
    eachLastLine(file, left, use);
  }
  return found;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const nothing: RecentEnding = {
  kind: null,
  end: null,
  answer: null,
  late: null,
  what: null,
  started: 0,
  finished: null,
};

interface LogRecord {
  readonly kind: unknown;
  readonly id: string;
  readonly at: number;
  readonly verified: Values;
  readonly details: Values;
}

function recordIn(line: Uint8Array): LogRecord | null {
  const parsed = parseStrictJson(line);
  if (!parsed.ok || !isValues(parsed.value)) return null;
  const { kind, call, ts, verified, details } = parsed.value;
  if (typeof call !== "string" || !isIdentifier(call)) return null;
  if (typeof ts !== "number" || !Number.isSafeInteger(ts) || ts < 0) return null;
  return { kind, id: call, at: ts, verified: valuesIn(verified), details: valuesIn(details) };
}

/** Lines come newest first: what was noted already came later. */
function note({ kind, at, verified, details }: LogRecord, ending: Mutable<RecentEnding>): void {
  ending.kind ??= kinds.find((one) => typeof kind === "string" && kind.startsWith(`${one}.`)) ?? null;
  // The log holds no word of a question, and an ask that it names has no id yet.
  if (ending.kind === "question") ending.what ??= "a question";
  switch (kind) {
    case "approval.settled":
    case "fact.settled":
    case "question.settled":
      ending.end ??= endIn(details, at);
      return;
    case "request.swept":
      ending.end ??= sweptIn(verified, at);
      return;
    case "approval.answered": {
      const answer = answerIn(details, at);
      if (ending.end === null) ending.late ??= answer;
      else ending.answer ??= answer;
      return;
    }
    case "fact.answered":
    case "question.answered":
      // Neither takes a late answer.
      ending.answer ??= answerIn(details, at);
      return;
    case "approval.decided":
      ending.what ??= whatIn(details);
      return;
    case "fact.requested":
      ending.what ??= factIn(details);
      return;
    case "effect.started":
      ending.started += 1;
      return;
    case "effect.finished":
      ending.finished ??= effectIn(details);
      return;
  }
}

function endIn({ outcome, via, ran }: Values, at: number): RecordedEnd | null {
  const name = oneOf(receiptOutcomes, outcome);
  if (name === null) return null;
  return { at, outcome: name, via: oneOf(vias, via), ran: typeof ran === "boolean" ? ran : null };
}

/** What a sweep ended has no end of its own: its server was gone. */
function sweptIn({ what }: Values, at: number): RecordedEnd | null {
  if (what === "stale") return { at, outcome: "stale", via: null, ran: false };
  return what === "decided, not run" ? { at, outcome: "failed", via: null, ran: false } : null;
}

function answerIn(details: Values, at: number): RecordedAnswer | null {
  const { answer, note } = details;
  const decision = oneOf(decisions, details.decision);
  const via = oneOf(vias, details.via);
  if (decision === null || via === null || typeof answer !== "string") return null;
  return {
    at,
    decision,
    scope: oneOf(scopes, details.scope),
    via,
    assurance: oneOf(assurances, details.assurance),
    hash: answer,
    note: typeof note === "string" ? note : null,
  };
}

/** The log holds shown text. */
function whatIn({ command, server, tool }: Values): string | null {
  if (typeof command === "string") return shownOnce(command);
  if (typeof tool !== "string") return null;
  return shownOnce(typeof server === "string" ? `${server} · ${tool}` : tool);
}

function factIn({ subject, name }: Values): string | null {
  return typeof subject === "string" && typeof name === "string" ? shownOnce(`${subject} · ${name}`) : null;
}

/**
 * A text of the log, safe to print. Shown once more its escapes would say something else; only what somebody else wrote
 * there is not shown yet.
 */
export function shownOnce(text: string): string {
  const plain = text.replace(/\\u\{[0-9a-f]{1,6}\}|␠×[0-9]+/g, ".");
  const isShown = shownText(plain) === plain && !/\\u\{[0-9a-f]{1,6}\}\p{M}|␠×[0-9]+\p{M}/u.test(text);
  return isShown ? text : shownText(text);
}

const effectEndings = [
  ...(["exited", "answered", "timed_out", "cancelled"] as const),
  ...(["abandoned", "drifted", "not_started", "unknown"] as const),
];

function effectIn({ ending, exitCode, signal, errno }: Values): RecordedEffect | null {
  const name = oneOf(effectEndings, ending);
  if (name === null) return null;
  const word = name === "not_started" ? errno : signal;
  return {
    ending: name,
    exitCode: typeof exitCode === "number" && Number.isInteger(exitCode) ? exitCode : null,
    word: typeof word === "string" && /^[A-Z0-9]{2,20}$/.test(word) ? word : null,
  };
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | null {
  return values.find((one) => one === value) ?? null;
}

function valuesIn(value: unknown): Values {
  return isValues(value) ? value : {};
}
