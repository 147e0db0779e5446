/** The visible rows of the queue, and the words that stand for one request in few columns. */
import type { Request } from "../../broker/index.js";
import { askerOf, durationText, summaryOf } from "../../face/describe.js";
import { type Entry, type Model, requestOf } from "../state/model.js";
import { fitted, fittedWhat } from "./fold.js";
import { manyNouns } from "./many-rows.js";
import { queueCells } from "./measures.js";
import type { QueuePart, QueueRow } from "./screen.js";

/**
 * `rows` rows around what is selected, of `columns`. They are turned like pages: moving within one changes two rows, and
 * what is not visible is never looked at.
 */
export function queuePart(model: Model, columns: number, rows: number): QueuePart {
  const { entries, selected } = model.queue;
  const first = rows < 1 ? 0 : Math.floor(selected / rows) * rows;
  const visible = entries.slice(first, first + rows);
  return {
    columns,
    rows: visible.map((entry, index) => rowOf(entry, first + index === selected, model, columns)),
    above: first,
    below: rows < 1 ? 0 : Math.max(0, entries.length - first - visible.length),
  };
}

/** `HIGH`, `!! DANGEROUS`; null for other kinds than approvals. What must be noticed is written large, not only coloured. */
export function levelText(request: Request): string | null {
  if (request.kind !== "approval") return null;
  const { level } = request;
  switch (level) {
    case "low":
    case "moderate":
      return level;
    case "high":
      return "HIGH";
    case "dangerous":
      return "!! DANGEROUS";
    default:
      return level satisfies never;
  }
}

/** `9:41`, or null where it does not end. `now` is wall time. */
export function leftText({ expiresAt }: Request, now: number): string | null {
  return expiresAt === null ? null : durationText((expiresAt - now) / 1_000);
}

/** `claude-code · git` */
export function whoText(request: Request): string {
  const { client, thread } = askerOf(request);
  return thread === null ? client : `${client} · ${thread}`;
}

/** One line for `request`, of any length. */
export function whatText(request: Request): string {
  const known = summaries.get(request);
  if (known !== undefined) return known;
  const summary = summaryOf(request);
  summaries.set(request, summary);
  return summary;
}

/** A text of many screens is escaped once and not for each frame. */
const summaries = new WeakMap<Request, string>();

function rowOf(entry: Entry, isSelected: boolean, model: Model, columns: number): QueueRow {
  const cells = queueCells(columns);
  const request = requestOf(entry) ?? (entry.kind === "many" ? entry.requests[0] : undefined);
  const isMany = entry.kind === "many";
  const level = request === undefined || isMany ? null : levelText(request);
  return {
    key: entry.key,
    isSelected,
    id: request === undefined || isMany ? "" : fitted(request.id, cells.id),
    level: fitted(isMany ? "many" : (level ?? request?.kind ?? ""), cells.level),
    tone: isMany || request?.kind !== "approval" ? "none" : request.level,
    what: fittedWhat(isMany ? manyText(entry) : request === undefined ? "" : whatText(request), cells.what),
    who: request === undefined ? "" : fitted(whoText(request), cells.who),
    left: fitted(leftCell(entry, model), cells.left),
  };
}

function manyText({ requests }: Extract<Entry, { kind: "many" }>): string {
  return `${requests.length} ${manyNouns[requests[0]?.kind ?? "approval"]} of one thread`;
}

function leftCell(entry: Entry, { detached, now }: Model): string {
  switch (entry.kind) {
    case "one":
      return detached.has(entry.request.id) ? "detached" : (leftText(entry.request, now) ?? "");
    case "late":
      return "ended";
    case "many":
      return "";
    default:
      return entry satisfies never;
  }
}
