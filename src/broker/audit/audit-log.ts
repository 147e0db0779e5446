import type { AuditEvent } from "./events.js";

export type { AuditEvent, AuditKind, EventOf, EventValues } from "./events.js";

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
