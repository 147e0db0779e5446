/**
 * What the audit log says of approvals that no call was there to use: grant.kept, grant.claimed, grant.released. Each
 * line stands under the id of the request that was approved, beside what was asked and what ran.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { UnspentApproval } from "../grants/grant-store.js";
import type { ClearedRule, RememberedRule } from "../policy/remembered.js";
import type { Answer } from "../request/answer.js";
import type { Ask } from "./approver.js";
import { oneLine } from "./reason.js";
import { type DecidedHow, decidedEvent, judgedEvent } from "./record.js";

/** A yes waits for a call. */
export function keptEvent({ id, request, life }: UnspentApproval): AuditEvent {
  return { kind: "grant.kept", call: request.id, details: { grant: id, seconds: life.forMs / 1_000 } };
}

/** Of an ask that uses a yes up: nobody is asked. */
export function redeemedEvents(ask: Ask, approval: UnspentApproval, yes: DecidedHow): AuditEvent[] {
  const { id } = approval.request;
  const rule = `unspent approval ${id}`;
  const judged = judgedEvent(ask, "allow", id);
  return [
    { ...judged, details: { ...judged.details, rule } },
    claimedEvent(approval, "used"),
    decidedEvent(ask, id, "approved", { ...yes, rule, redeemed: true }),
  ];
}

/** Of an ask whose target is no longer what was approved: the yes is spent, and nothing runs. */
export function driftedEvents(
  ask: Ask,
  spent: readonly UnspentApproval[],
  id: string,
  how: DecidedHow,
): AuditEvent[] {
  return [...spent.map((one) => claimedEvent(one, "drifted")), decidedEvent(ask, id, "drifted", how)];
}

/** It is certain that nothing ran: the approval is about to be given back. */
export function releasedEvent({ id, request }: UnspentApproval): AuditEvent {
  return { kind: "grant.released", call: request.id, details: { grant: id } };
}

/** A yes left a rule for longer than its connection. */
export function rememberedEvent({ via }: Answer, kept: RememberedRule): AuditEvent {
  const { id, rule, scope, directory, program, assurance, expiresAt, request } = kept;
  const where = { directory: shownOrNull(directory), program: shownOrNull(program) };
  const details = { rule: id, text: oneLine(rule), scope, ...where, via, assurance, expiresAt };
  return { kind: "rule.remembered", call: request, details };
}

/** The rule of a yes that counts for nobody after all. */
export function takenBackEvent(id: string, request: string): AuditEvent {
  return { kind: "rule.revoked", call: request, details: { rule: id, why: "unpublished" } };
}

/** A rule that was cleared away: its time was over, or it does not stand in the file any more. */
export function clearedEvent({ rule: { id, rule, request }, why }: ClearedRule): AuditEvent {
  return { kind: "rule.revoked", call: request, details: { rule: id, text: oneLine(rule), why } };
}

function shownOrNull(text: string | null): string | null {
  return text === null ? null : oneLine(text);
}

function claimedEvent({ id, request }: UnspentApproval, how: "used" | "drifted"): AuditEvent {
  return { kind: "grant.claimed", call: request.id, details: { grant: id, how } };
}
