/** Writing down what happens around an ask, where a log that cannot be written is a value and no surprise. */
import type { AuditEvent, AuditLog } from "../audit/audit-log.js";
import { oneLine, reasonOf } from "./reason.js";

/** Resolves with why the events could not be written, or with null when they were. Never rejects. */
export type Write = (
  events: readonly AuditEvent[],
  durability: "durable" | "plain",
) => Promise<string | null>;

/** Writes into `audit`. Only for a yes does it matter whether that worked: whoever writes one looks at the result. */
export function writerInto(audit: AuditLog): Write {
  return async (events, durability) => {
    try {
      await audit.append(events, durability);
      return null;
    } catch (error) {
      return oneLine(reasonOf(error));
    }
  };
}
