/** Holds events, and lines of a log, to the shapes of their kinds. */
import { type AuditKind, auditEvents, eventParts, eventShape } from "../../src/broker/audit/events.js";
import type { Shape } from "../../src/broker/request/shape.js";

const shapes = new Map<string, Shape<unknown>>();

/** What is wrong with `event`, the first thing that is: its kind, or a field that has no place there. Null where it fits. */
export function unfitIn(event: Readonly<Record<string, unknown>>): string | null {
  const { kind } = event;
  if (typeof kind !== "string" || !Object.hasOwn(auditEvents, kind)) return `no kind: ${String(kind)}`;
  for (const part of eventParts) {
    const name = `${kind} ${part}`;
    const shape = shapes.get(name) ?? eventShape(kind as AuditKind, part);
    shapes.set(name, shape);
    const problem = shape.problemIn(event[part] ?? {});
    if (problem !== null) return `${name}: ${problem.unknownKey ?? problem.path.join(".")}`;
  }
  return null;
}
