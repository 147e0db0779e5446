/**
 * What the audit log says of an ask, in order: policy.judged, approval.requested, approval.pending,
 * approval.answered, approval.settled, approval.decided. Never a person's or a caller's free text: digests.
 * What callers and faces say of themselves stands under `selfReported`.
 */

import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending, Taken } from "../channel/channel.js";
import { canonicalJson } from "../request/binding.js";
import { sha256Hex, type Text } from "../request/long-text.js";
import type { OutcomeName } from "../request/outcome.js";
import type { ApprovalRequest, Subject } from "../request/request.js";
import type { Ask } from "./approver.js";
import type { DialogPart } from "./race.js";
import { oneLine } from "./reason.js";

/** A dialog's answer that came sooner than this after the ask was hardly read by anybody. */
const unseenSeconds = 0.4;

/** Before there is a request: that the policy said *ask*, and what is about to be asked in which ways. */
export function requestedEvents(ask: Ask, ways: { channel: boolean; dialog: boolean }): AuditEvent[] {
  const judged = { verdict: "ask", reasons: ask.reasons.map(oneLine) };
  return [
    { kind: "policy.judged", call: null, details: { ...factsOf(ask), ...judged } },
    {
      kind: "approval.requested",
      call: null,
      selfReported: claimsOf(ask),
      details: { ...factsOf(ask), caller: oneLine(ask.caller), scopes: ask.scopes, ...ways },
    },
  ];
}

/** `request` is null when no way could ask; `why` says why nothing was filed. */
export function pendingEvent(
  request: ApprovalRequest | null,
  how: { readonly filed: boolean; readonly why: string | null; readonly dialog: boolean },
): AuditEvent {
  const why = how.why === null ? null : oneLine(how.why);
  const details = { ...how, why, binding: request?.binding ?? null };
  return { kind: "approval.pending", call: request?.id ?? null, details };
}

/** Something came back from the client's dialog that is no answer. */
export function invalidEvent(request: ApprovalRequest, why: string): AuditEvent {
  const details = { via: "elicitation", reason: "invalid", why: oneLine(why) };
  return { kind: "answer.refused", call: request.id, details };
}

/** What the lines about an ending are written from. `seconds` from the call to its answer. */
export interface Settling {
  readonly ask: Ask;
  readonly request: ApprovalRequest;
  readonly taken: Taken;
  readonly name: OutcomeName;
  readonly ending: Ending;
  readonly dialog: DialogPart;
  readonly seconds: number;
}

/** How a request ended: who answered, what the receipt will say, what the caller is told. */
export function settledEvents(settling: Settling): AuditEvent[] {
  const { ask, request, taken, name, ending, dialog, seconds } = settling;
  const { via } = taken.answer;
  const settled: AuditEvent = {
    kind: "approval.settled",
    call: request.id,
    details: { outcome: ending.outcome, via, seconds, ran: ending.ran, dialog },
  };
  const decided = decidedEvent(ask, request.id, name, { via, scope: taken.answer.scope ?? null, seconds });
  return via === "server" ? [settled, decided] : [answeredEvent(taken, seconds), settled, decided];
}

/** The line of an ask: whole in itself, also where nothing was ever filed. */
export function decidedEvent(
  ask: Ask,
  id: string | null,
  name: OutcomeName,
  how: Readonly<Record<string, unknown>>,
): AuditEvent {
  return {
    kind: "approval.decided",
    call: id,
    selfReported: claimsOf(ask),
    details: { outcome: name, ...how, ...factsOf(ask) },
  };
}

function answeredEvent({ answer, hash, testimony }: Taken, seconds: number): AuditEvent {
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
      via: answer.via,
      answer: hash,
      note: note === null ? null : sha256Hex(note),
      seconds,
      unseen: answer.via === "elicitation" && seconds < unseenSeconds,
    },
  };
}

function claimsOf(ask: Ask): Readonly<Record<string, unknown>> {
  const client =
    ask.client === null ? null : { name: oneLine(ask.client.name), version: oneLine(ask.client.version) };
  return {
    client,
    thread: ask.thread === null ? null : oneLine(ask.thread),
    says: ask.says === null ? null : sha256Hex(ask.says),
  };
}

function factsOf(ask: Ask): Readonly<Record<string, unknown>> {
  const rule = ask.rule === null ? null : oneLine(ask.rule);
  return { level: ask.level, rule, subject: ask.subject.type, ...subjectFacts(ask.subject) };
}

function subjectFacts(subject: Subject): Readonly<Record<string, unknown>> {
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
