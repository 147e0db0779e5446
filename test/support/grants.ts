/** What grants are tested with: bounds, yeses, and what an audit log would say of them. */

import type { Recorded } from "../../src/broker/audit/decisions.js";
import type { Bound, Yes } from "../../src/broker/grants/grant-store.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import { answerTo, approvalRequest } from "./builders.js";
import type { MemoryAuditLog } from "./memory-audit-log.js";

export function boundTo(overrides: Partial<Bound> = {}): Bound {
  return {
    client: "stdio:test-client",
    role: "mcp",
    server: "wisp",
    directory: "/home/p/api",
    subject: sha256Hex("git push origin main"),
    definition: null,
    state: sha256Hex("HEAD"),
    ...overrides,
  };
}

/** A yes to a request of its own. */
export function yesTo(overrides: Partial<Yes> = {}): Yes {
  const request = overrides.request ?? approvalRequest();
  return { bound: boundTo(), request, answer: answerTo(request), life: null, ...overrides };
}

/** The part of an audit log that grants ask. */
export class Record {
  readonly #found = new Map<string, Recorded>();

  /** The yes was written down, as it is before it is kept. */
  answered({ request, answer }: Pick<Yes, "request" | "answer">): void {
    this.#found.set(request.id, { approvals: [answerHash(answer)], hasEffect: false });
  }

  /** Something was begun because of it. */
  started({ request }: Pick<Yes, "request">): void {
    this.#note(request.id, true);
  }

  released({ request }: Pick<Yes, "request">): void {
    this.#note(request.id, false);
  }

  of(id: string): Recorded | null {
    return this.#found.get(id) ?? { approvals: [], hasEffect: false };
  }

  #note(id: string, hasEffect: boolean): void {
    this.#found.set(id, { approvals: this.of(id)?.approvals ?? [], hasEffect });
  }
}

/** What a log that other tests fill says. */
export class RecordOf extends Record {
  readonly #audit: MemoryAuditLog;

  constructor(audit: MemoryAuditLog) {
    super();
    this.#audit = audit;
  }

  override of(id: string): Recorded {
    const found = { approvals: [] as string[], hasEffect: false };
    for (const { kind, call, details } of this.#audit.events) {
      if (call !== id) continue;
      if (kind === "approval.answered" && details?.decision === "approve")
        found.approvals.push(`${details.answer}`);
      if (kind === "effect.started" || kind === "effect.finished") found.hasEffect = true;
      if (kind === "grant.released") found.hasEffect = false;
    }
    return found;
  }
}
