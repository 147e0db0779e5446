/** What the audit log says while a request is put before a person, whatever it asks. */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Askable } from "./dialog.js";
import type { DialogEnd } from "./race.js";
import { oneLine } from "./reason.js";
import type { Pending } from "./wait-kind.js";

/** `request` is null when no way could ask. */
export function pendingEvent(
  kind: "approval.pending" | "question.pending",
  request: Askable | null,
  how: Pending,
): AuditEvent {
  const why = how.why === null ? null : oneLine(how.why);
  const details = { ...how, why, binding: request?.binding ?? null };
  return { kind, call: request?.id ?? null, details };
}

/** The client's dialog is over, and it decided nothing. */
export function dialogEndedEvent({ id }: Askable, { how, seconds, isUnseen, why }: DialogEnd): AuditEvent {
  const details = { how, seconds, unseen: isUnseen, why: oneLine(why) };
  return { kind: "dialog.ended", call: id, details };
}
