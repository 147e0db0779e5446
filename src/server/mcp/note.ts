/** Leaves a line in the audit log of what nobody can undo any more. */
import type { AuditEvent, AuditLog } from "../../broker/index.js";

/** Writes down what has happened already, whether or not that can be written. */
export function note(audit: AuditLog, events: readonly AuditEvent[]): Promise<void> {
  return audit.append(events, "plain").catch(() => {
    // A log that cannot be written shows at the next decision, which then runs nothing.
  });
}
