/** Events as strangers, older versions and careless tests write them: less, or other, than their kind has. */
import type { AuditEvent, AuditKind } from "../../src/broker/audit/audit-log.js";

type Values = Readonly<Record<string, unknown>>;

/** An event whose parts hold anything. */
export interface Sketch {
  readonly kind: AuditKind;
  readonly call: string | null;
  readonly verified?: Values;
  readonly selfReported?: Values;
  readonly details?: Values;
}

/** Takes it for an event. A log writes down what it is given: only the compiler holds its callers to their kinds. */
export function sketched(event: Sketch): AuditEvent {
  made.add(event);
  return event as AuditEvent;
}

const made = new WeakSet<object>();

/** Was it made to be less, or other, than its kind has? */
export function isSketched(event: AuditEvent): boolean {
  return made.has(event);
}

/** The same of several. */
export function sketches(...events: readonly Sketch[]): readonly AuditEvent[] {
  return events.map(sketched);
}
