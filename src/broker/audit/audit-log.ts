/**
 * The record of who allowed what. What we checked stands under `verified`, what somebody claimed under
 * `selfReported`; the two are never merged. Never a secret, an environment or a person's free text. One contract
 * test (test/support/audit-log-contract.ts) runs against every implementation.
 */
export interface AuditLog {
  /**
   * Appends the events in order. With `durable` they are on disk when the promise resolves, and only then may
   * the effect they speak of begin. Rejects with `audit_unavailable`.
   */
  append(events: readonly AuditEvent[], durability: "durable" | "plain"): Promise<void>;
}

/** The closed list of what is written down: judging, asking, telling, answering, settling, keeping, sweeping, and each effect. */
export const auditKinds = [
  "policy.judged",
  "approval.requested",
  "approval.pending",
  "dialog.ended",
  "notification",
  "approval.answered",
  "approval.settled",
  "approval.decided",
  "question.requested",
  "question.pending",
  "question.answered",
  "question.settled",
  "question.told",
  "grant.kept",
  "grant.claimed",
  "grant.released",
  "answer.refused",
  "request.swept",
  "grant.revoked",
  "rule.remembered",
  "rule.revoked",
  "effect.started",
  "effect.finished",
  "fact.requested",
  "fact.answered",
  "fact.settled",
  "fact.forgotten",
  "log.repaired",
  "log.rotated",
] as const;
/** What an event is about, as it stands under `kind` in its line. */
export type AuditKind = (typeof auditKinds)[number];

/** One thing that happened, as JSON values. The log adds when, and which process wrote it. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** The id of the request or call it belongs to; null before there is one. */
  readonly call: string | null;
  readonly verified?: Readonly<Record<string, unknown>>;
  readonly selfReported?: Readonly<Record<string, unknown>>;
  readonly details?: Readonly<Record<string, unknown>>;
}
