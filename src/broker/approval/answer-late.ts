/**
 * A person's answer to a request that has ended. Invariants: a yes is on disk in the audit log before it is kept, and it
 * is kept once; where the request was denied, or asked again, in the same moment, it is kept for nobody.
 */
import type { AuditEvent, AuditLog } from "../audit/audit-log.js";
import type { GrantStore, LateRequest, LateRequests, UnspentApproval } from "../grants/grant-store.js";
import type { Answer } from "../request/answer.js";
import type { Testimony } from "../request/assurance.js";
import { answerHash } from "../request/binding.js";
import type { Clock } from "../system/clock.js";
import { canBeAnsweredLate } from "./bound.js";
import { secondsBetween } from "./call.js";
import { keptEvent } from "./grant-record.js";
import { answeredEvent } from "./record.js";

/** What a face answers late requests with. */
export interface LateParts {
  readonly audit: AuditLog;
  readonly grants: GrantStore;
  readonly late: LateRequests;
  readonly clock: Clock;
}

/** What became of a late yes. */
export type LateYes =
  | { readonly kind: "kept"; readonly approval: UnspentApproval }
  /** One was kept before, used or not: one request lets one call through. Or there is no time left. */
  | { readonly kind: "kept before" }
  /** It was denied or asked again meanwhile. */
  | { readonly kind: "gone" };

/** What became of a late no. */
export type LateNo =
  | { readonly kind: "denied" }
  /** Somebody else answered it first, it was asked again, or its time is over. */
  | { readonly kind: "gone" };

/**
 * Why nobody may say yes to a request that has ended, or null. Completes "it takes no late yes: …". What can do most harm
 * is approved only while its call waits, and only for one call.
 */
export function lateObjection({ level, subject, assurance, scopes }: LateRequest["request"]): string | null {
  if (level === "dangerous") return "it is dangerous, and is approved only while its call waits";
  if (!canBeAnsweredLate({ level, subject })) {
    return `its level is ${level}, and nothing would tell whether what it changes is still the same`;
  }
  if (assurance === "signed") return "it takes only an answer that is signed by an enrolled key";
  return scopes.includes("once") ? null : "it does not offer a yes for one call alone";
}

/**
 * Keeps the yes for the next identical call, for as long as the request could be answered. `testimony` is of the process
 * that answers, which nobody else looks at: one that falls short is a programmer's error, as is a yes to what takes none.
 * Rejects with audit_unavailable, channel_unsafe, channel_unavailable.
 */
export async function approveLate(
  { bound, request, life }: LateRequest,
  answer: Answer,
  testimony: Testimony,
  { audit, grants, late, clock }: LateParts,
): Promise<LateYes> {
  if (testimony.shortfall !== null || lateObjection(request) !== null || answer.scope !== "once") {
    throw new TypeError(`${request.id} takes no such answer.`);
  }
  await audit.append([lateAnswerEvent(request, answer, testimony, clock)], "durable");
  const approval = await grants.keep({ bound, request, answer, life });
  if (approval === null) return { kind: "kept before" };
  if (late.remove(request.id)) {
    await note(audit, keptEvent(approval));
    return { kind: "kept", approval };
  }
  // Whoever took it away is to be obeyed: it was a no, or the ask that this yes would let through waits once more.
  if (await grants.revoke(approval.id)) await note(audit, revokedEvent(approval.id, request.id));
  return { kind: "gone" };
}

/**
 * Takes the request away: nobody can say yes to it any more, and the next identical call asks. Rejects with
 * audit_unavailable when it is denied all the same and that could not be written down, and as `revoke` does.
 */
export async function denyLate(
  { request }: LateRequest,
  answer: Answer,
  { audit, grants, late, clock }: LateParts,
): Promise<LateNo> {
  if (!late.remove(request.id)) return { kind: "gone" };
  // Of a yes that was given in the same moment, and whose process ended before it saw this.
  const isRevoked = await grants.revoke(request.id);
  const events = isRevoked ? [revokedEvent(request.id, request.id)] : [];
  await audit.append([lateAnswerEvent(request, answer, null, clock), ...events], "durable");
  return { kind: "denied" };
}

/** A person took back what is called `grant`, which a yes to `request` had left. */
export function revokedEvent(grant: string, request: string): AuditEvent {
  return { kind: "grant.revoked", call: request, details: { grant } };
}

function lateAnswerEvent(
  request: LateRequest["request"],
  answer: Answer,
  testimony: Testimony | null,
  clock: Clock,
): AuditEvent {
  // Another process filed it, perhaps before the machine was started: only the clock on the wall spans that.
  const seconds = Math.max(0, secondsBetween(request.createdAt, clock.now()));
  return answeredEvent({ answer, hash: answerHash(answer), testimony }, seconds, false);
}

/** What has happened already is so whether or not it can be written down. */
async function note(audit: AuditLog, event: AuditEvent): Promise<void> {
  await audit.append([event], "plain").catch(() => {});
}
