/** An audit log that keeps its events, takes none that does not fit its kind, can be slow and can fail. */
import type { AuditEvent, AuditKind, AuditLog, EventOf } from "../../src/broker/audit/audit-log.js";
import { WispError } from "../../src/broker/request/errors.js";
import { unfitIn } from "./event-shapes.js";
import { isSketched } from "./sketched.js";

export interface Appended {
  readonly events: readonly AuditEvent[];
  readonly durability: "durable" | "plain";
}

export class MemoryAuditLog implements AuditLog {
  /** What was asked to be written and was, in order. */
  readonly appended: Appended[] = [];
  /** Appends that fail, by the durability they ask for. */
  failing: "none" | "durable" | "plain" | "all" = "none";
  /** Appends that wait until `release`, by the durability they ask for. */
  holding: "none" | "durable" | "plain" | "all" = "none";
  #held: (() => void)[] = [];

  async append(events: readonly AuditEvent[], durability: "durable" | "plain"): Promise<void> {
    if (this.holding === "all" || this.holding === durability) {
      await new Promise<void>((resolve) => this.#held.push(resolve));
    }
    if (this.failing === "all" || this.failing === durability) {
      throw new WispError("audit_unavailable", "The audit log cannot be written.", { why: "ENOSPC" });
    }
    const unfit = events.filter((event) => !isSketched(event)).map((event) => unfitIn({ ...event }));
    const [first = null] = unfit.filter((problem) => problem !== null);
    if (first !== null) throw new TypeError(`An event does not fit its kind: ${first}`);
    this.appended.push({ events, durability });
  }

  /** Lets everything that was held go on. */
  release(): void {
    this.holding = "none";
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }

  get events(): readonly AuditEvent[] {
    return this.appended.flatMap((one) => one.events);
  }

  get kinds(): readonly AuditKind[] {
    return this.events.map((event) => event.kind);
  }

  only<K extends AuditKind>(kind: K): readonly EventOf<K>[] {
    return this.events.filter((event): event is EventOf<K> & AuditEvent => event.kind === kind);
  }
}
