/**
 * What the audit log says of a fact that somebody wants kept, in order: fact.requested, fact.answered, fact.settled. The
 * value itself stands there as a hash: the file that keeps it says it.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending, Taken } from "../channel/channel.js";
import { sha256Hex } from "../request/long-text.js";
import type { FactRequest } from "../request/request.js";
import { secondsBetween } from "./call.js";
import type { BannerWord } from "./notices.js";
import { oneLine } from "./reason.js";
import { answeredEvent, callerClaims } from "./record.js";

/** It waits; `joins` where an identical ask waited already. */
export function factRequestedEvent(request: FactRequest, joins: boolean): AuditEvent {
  const { id, caller, fact, expiresAt, binding } = request;
  return {
    kind: "fact.requested",
    call: id,
    selfReported: {
      ...callerClaims(request),
      source: fact.source === null ? null : sha256Hex(fact.source),
    },
    details: {
      subject: oneLine(fact.subject),
      name: oneLine(fact.name),
      value: sha256Hex(fact.value),
      directory: fact.directory === null ? null : oneLine(fact.directory),
      caller: oneLine(caller),
      similar: fact.similar.length,
      expiresAt,
      binding,
      joins,
    },
  };
}

/** A person answered: on disk before anything is kept. `now` is wall time, for the request may be older than this process. */
export function factAnsweredEvent({ createdAt }: FactRequest, taken: Taken, now: number): AuditEvent {
  const seconds = Math.max(0, secondsBetween(createdAt, now));
  return { ...answeredEvent(taken, seconds, false), kind: "fact.answered" };
}

/** How it ended: what the receipt says, and why an answer came to nothing. */
interface FactEnded {
  readonly ending: Ending;
  /** What became of its banner; null where another process asked. */
  readonly banner: BannerWord | null;
  /** Why an answer came to nothing; null where it did not. */
  readonly why: string | null;
}

/** `now` as above. */
export function factSettledEvent(
  { id, createdAt }: FactRequest,
  { ending: { outcome, taken }, banner, why }: FactEnded,
  now: number,
): AuditEvent {
  const { decision = null, scope = null, via = null } = taken?.answer ?? {};
  const seconds = Math.max(0, secondsBetween(createdAt, now));
  return {
    kind: "fact.settled",
    call: id,
    details: { outcome, decision, scope, via, seconds, banner, why },
  };
}
