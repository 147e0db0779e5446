/**
 * Every kind of event that the audit log takes, with its fields: what we checked (`verified`), what somebody claimed
 * (`selfReported`), and all else (`details`). The types are inferred from it, so the compiler holds whoever writes an event
 * to its kind. docs/audit.md is printed from it. Only types are taken from here where time counts.
 */
import type { Shape } from "../request/shape.js";
import { approvalEvents } from "./approval-events.js";
import { effectEvents } from "./effect-events.js";
import { type Fields, shapeOf, type ValuesOf } from "./event-fields.js";
import { lastingEvents } from "./lasting-events.js";
import { questionEvents } from "./question-events.js";

/** A kind of event. */
export interface EventKind {
  /** What happened, in a sentence. */
  readonly says: string;
  readonly verified: Fields;
  readonly selfReported: Fields;
  readonly details: Fields;
}

/** All of them by name, in the order in which docs/audit.md prints them. */
export const auditEvents = {
  ...approvalEvents,
  ...effectEvents,
  ...questionEvents,
  ...lastingEvents,
} as const satisfies Readonly<Record<string, EventKind>>;

type Table = typeof auditEvents;

/** What an event is about, as it stands under `kind` in its line. */
export type AuditKind = keyof Table;

/** The parts of an event, which are never merged. */
export const eventParts = ["verified", "selfReported", "details"] as const;
type EventPart = (typeof eventParts)[number];

/** A part may be left out where nothing has to stand in it. */
type PartOf<N extends EventPart, F extends Fields> = keyof F extends never
  ? { readonly [K in N]?: Readonly<Record<string, never>> }
  : Record<string, never> extends ValuesOf<F>
    ? { readonly [K in N]?: ValuesOf<F> }
    : { readonly [K in N]: ValuesOf<F> };

/** One event of kind `K`, as JSON values. */
export type EventOf<K extends AuditKind> = {
  readonly kind: K;
  /** The id of the request or call it belongs to; null before there is one. */
  readonly call: string | null;
} & PartOf<"verified", Table[K]["verified"]> &
  PartOf<"selfReported", Table[K]["selfReported"]> &
  PartOf<"details", Table[K]["details"]>;

/** One thing that happened. The log adds when, and which process wrote it. */
export type AuditEvent = { readonly [K in AuditKind]: EventOf<K> }[AuditKind];

/** What one part of an event of kind `K` says. */
export type EventValues<K extends AuditKind, N extends EventPart> = ValuesOf<Table[K][N]>;

/** The shape of one part of the events of `kind`, for checks. */
export function eventShape(kind: AuditKind, part: EventPart): Shape<unknown> {
  return shapeOf(auditEvents[kind][part]);
}
