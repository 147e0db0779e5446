/**
 * What the audit log says of an ask, in order: policy.judged, approval.requested, approval.pending, dialog.ended,
 * approval.answered, approval.settled, approval.decided. Never a person's or a caller's free text: digests.
 * What callers and faces say of themselves stands under `selfReported`.
 */

import type { AuditEvent, EventOf, EventValues } from "../audit/audit-log.js";
import type { Ending, Taken } from "../channel/channel.js";
import type { VerdictName } from "../policy/verdict.js";
import { type Assurance, assuranceOf } from "../request/assurance.js";
import { canonicalJson } from "../request/binding.js";
import { sha256Hex, type Text } from "../request/long-text.js";
import type { Outcome, OutcomeName } from "../request/outcome.js";
import type { Subject } from "../request/request.js";
import type { Ask } from "./approver.js";
import { secondsBetween } from "./call.js";
import type { BannerWord } from "./notices.js";
import type { Decided } from "./race.js";
import { oneLine } from "./reason.js";
import type { Allowance } from "./rules.js";

/** Before there is a request: that the policy said *ask*, and what is about to be asked in which ways. */
export function requestedEvents(ask: Ask, ways: { channel: boolean; dialog: boolean }): AuditEvent[] {
  return [judgedEvent(ask, "ask", null), requestedEvent(ask, null, ways)];
}

/** The same of a call that joins an identical one: `joins` is the request of that, null where it got none. */
export function joinedEvents(ask: Ask, joins: string | null): AuditEvent[] {
  return [judgedEvent(ask, "ask", joins), requestedEvent(ask, joins, { joins })];
}

/** Of an ask that a rule of the session allows, for the caller who waits for `seconds`: nobody is asked. */
export function allowedEvents(
  ask: Ask,
  allowance: Allowance,
  { run, seconds }: Pick<Outcome, "run" | "seconds">,
): AuditEvent[] {
  const { request, via, scope, assurance } = allowance;
  const rule = `${scope} approval ${request}`;
  const judged = judgedEvent(ask, "allow", request);
  return [
    { ...judged, details: { ...judged.details, rule } },
    decidedEvent(ask, request, "approved", { via, scope, assurance, rule, run, seconds }),
  ];
}

/** Of a call that the policy lets through; its ask names the rule. `remembered` is the id of a remembered one. */
export function letThroughEvents(
  ask: Ask,
  { request, via, scope, assurance, run, seconds }: Outcome,
  remembered: string | null,
): AuditEvent[] {
  const judged = judgedEvent(ask, "allow", request);
  const by = remembered === null ? {} : { remembered };
  const how = { via, scope, assurance, run, seconds, ...by };
  return [{ ...judged, details: { ...judged.details, ...by } }, decidedEvent(ask, request, "approved", how)];
}

/** What stands in the log about the end of a request beside the decision itself. */
export interface EndingWords {
  /** From the first call to the end. */
  readonly seconds: number;
  /** What became of its banner. */
  readonly banner: BannerWord;
  /** Why a yes, or an answer to a question, came to nothing; null where it did not. */
  readonly why: string | null;
}

/** Who answered `decided`, if anybody did, and what the receipt will say. */
export function endedEvents(id: string, decided: Decided, ending: Ending, words: EndingWords): AuditEvent[] {
  const settled = settledEvent(id, decided, ending, words);
  const answered = answeredIn(decided, words.seconds);
  return answered === null ? [settled] : [answered, settled];
}

/** Who answered, `seconds` after the first call asked; null where nobody but the server did. */
export function answeredIn(
  { taken, reading }: Decided,
  seconds: number,
): EventOf<"approval.answered"> | null {
  if (taken.answer.via === "server") return null;
  // What a dialog said counts from when that was up.
  const since = reading === null ? seconds : secondsBetween(0, reading.ms);
  return answeredEvent(taken, since, reading?.isUnseen ?? false);
}

/** What the receipt will say; a second one of a request corrects the first. */
export function settledEvent(
  id: string,
  { taken, dialog }: Decided,
  { outcome, ran }: Ending,
  { seconds, banner, why }: EndingWords,
): AuditEvent {
  const details = { outcome, via: taken.answer.via, seconds, ran, dialog, banner, why };
  return { kind: "approval.settled", call: id, details };
}

/** How sure it is that a person gave this answer; null where the server gave it. */
export function assuranceOfTaken({ answer, testimony }: Taken): Assurance | null {
  return answer.via === "server" ? null : assuranceOf(answer.via, testimony?.verified ?? null);
}

/** What stands in that line beside what was asked and how it ended. */
export type DecidedHow = Omit<EventValues<"approval.decided", "details">, keyof AskedFacts | "outcome"> & {
  /** What allowed it, where no answer to this very call did. */
  readonly rule?: string;
};

/** The line of a call's own ending: whole in itself, also where nothing was ever filed. */
export function decidedEvent(ask: Ask, id: string | null, name: OutcomeName, how: DecidedHow): AuditEvent {
  return {
    kind: "approval.decided",
    call: id,
    selfReported: claimsOf(ask),
    details: { outcome: name, ...factsOf(ask), ...how },
  };
}

/** What the policy says of an ask; `call` is the request it belongs to, null where there is none. */
export function judgedEvent(ask: Ask, verdict: VerdictName, call: string | null): EventOf<"policy.judged"> {
  const details = { ...factsOf(ask), verdict, reasons: ask.reasons.map(oneLine) };
  return { kind: "policy.judged", call, selfReported: claimsOf(ask), details };
}

type HowRequested = Pick<EventValues<"approval.requested", "details">, "channel" | "dialog" | "joins">;

function requestedEvent(ask: Ask, call: string | null, how: HowRequested): AuditEvent {
  return {
    kind: "approval.requested",
    call,
    selfReported: claimsOf(ask),
    details: { ...factsOf(ask), caller: oneLine(ask.caller), scopes: ask.scopes, ...how },
  };
}

/** Who gave `taken`, `seconds` after it was asked; `unseen` where nobody can have read the question by then. */
export function answeredEvent(taken: Taken, seconds: number, unseen: boolean): EventOf<"approval.answered"> {
  const { answer, hash, testimony } = taken;
  const note = answer.note ?? null;
  return {
    kind: "approval.answered",
    call: answer.id,
    verified: testimony?.seen ?? {},
    selfReported: {
      by: {
        pid: answer.by.pid,
        startedAt: oneLine(answer.by.startedAt),
        tty: answer.by.tty === null ? null : oneLine(answer.by.tty),
        version: oneLine(answer.by.version),
      },
    },
    details: {
      decision: answer.decision,
      scope: answer.scope ?? null,
      ...widerIn(answer),
      via: answer.via,
      answer: hash,
      note: note === null ? null : sha256Hex(note),
      assurance: assuranceOfTaken(taken),
      seconds,
      unseen,
    },
  };
}

function widerIn({ rule = null, downgradedFrom = null }: Taken["answer"]) {
  return {
    ...(rule !== null && { rule: oneLine(rule) }),
    ...(downgradedFrom !== null && { downgradedFrom }),
  };
}

function claimsOf(ask: Ask): EventValues<"approval.decided", "selfReported"> {
  return { ...callerClaims(ask), says: ask.says === null ? null : sha256Hex(ask.says) };
}

/** What callers say of themselves, whatever they ask. */
export function callerClaims({
  client,
  thread,
}: Pick<Ask, "client" | "thread">): EventValues<"question.told", "selfReported"> {
  return {
    client: client === null ? null : { name: oneLine(client.name), version: oneLine(client.version) },
    thread: thread === null ? null : oneLine(thread),
  };
}

/** What an ask is about, as its lines have it. */
type AskedFacts = Pick<
  EventValues<"approval.decided", "details">,
  "level" | "rule" | "subject" | SubjectFact
>;
type SubjectFact = "command" | "directory" | "server" | "tool" | "arguments" | "input";

function factsOf(ask: Ask): AskedFacts {
  const rule = ask.rule === null ? null : oneLine(ask.rule);
  return { level: ask.level, rule, subject: ask.subject.type, ...subjectFacts(ask.subject) };
}

function subjectFacts(subject: Subject): Pick<AskedFacts, SubjectFact> {
  switch (subject.type) {
    case "command":
      return { command: oneLine(headOf(subject.command)), directory: oneLine(subject.directory) };
    case "tool":
      return {
        server: oneLine(subject.server),
        tool: oneLine(subject.tool),
        arguments: subject.argumentsHash,
      };
    case "permission":
      return { tool: oneLine(subject.tool), input: sha256Hex(canonicalJson(subject.input)) };
    default:
      return subject satisfies never;
  }
}

function headOf(text: Text): string {
  return typeof text === "string" ? text : text.head;
}
