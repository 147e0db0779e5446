/** The order of what waits, and which of it is selected. Moving touches no other row. */
import type { LateRequest, Request } from "../../broker/index.js";
import { askerOf, summaryOf } from "../../face/describe.js";
import { floodsOf, rowKeyOf } from "./flood.js";
import type { Entry, Model, Queue } from "./model.js";
import { requestOf } from "./model.js";

/** The queue anew, after anything in it changed. What was selected stays selected; where it is gone, what follows it. */
export function withQueue(model: Model, changes: Partial<Pick<Queue, "filter" | "listed">> = {}): Model {
  const queue = { ...model.queue, ...changes };
  const selected = queue.entries[queue.selected];
  const entries = entriesOf(model, queue, selected?.key ?? null);
  return { ...model, queue: { ...queue, entries, selected: placeOf(selected, entries, queue.selected) } };
}

/** `rows` further down, or up where it is negative; at an end it stays, or goes round. */
export function moved(model: Model, rows: number, end: "stays" | "goes round"): Model {
  const { queue } = model;
  const count = queue.entries.length;
  if (count === 0) return model;
  const wanted = queue.selected + rows;
  const selected =
    end === "stays" ? Math.min(Math.max(wanted, 0), count - 1) : ((wanted % count) + count) % count;
  return selected === queue.selected ? model : { ...model, queue: { ...queue, selected } };
}

/** With the row of request `id` selected; the same model where it has none. */
export function selected(model: Model, id: string): Model {
  const { queue } = model;
  const index = queue.entries.findIndex((entry) => requestOf(entry)?.id === id);
  return index < 0 ? model : { ...model, queue: { ...queue, selected: index } };
}

function placeOf(selected: Entry | undefined, entries: readonly Entry[], before: number): number {
  const index = selected === undefined ? -1 : entries.findIndex(({ key }) => key === selected.key);
  return index >= 0 ? index : Math.max(0, Math.min(before, entries.length - 1));
}

/**
 * The rows: what waits, the oldest first, then what has ended. A row for many stands where its first would; the one that is
 * selected keeps a row of its own, for nothing may take a card away from whoever reads it.
 */
function entriesOf(
  { inbox, late, past }: Pick<Model, "inbox" | "late" | "past">,
  { filter, listed }: Pick<Queue, "filter" | "listed">,
  selectedKey: string | null,
): readonly Entry[] {
  const floods = floodsOf(inbox.requests, past);
  const begun = new Set<string>();
  const entries: Entry[] = [];
  for (const request of inbox.requests) {
    if (!isWanted(request, filter)) continue;
    const key = floods.size === 0 ? "" : rowKeyOf(request);
    const requests = floods.get(key);
    if (requests !== undefined && !begun.has(key)) {
      begun.add(key);
      entries.push({ kind: "many", key, requests: requests.filter((one) => isWanted(one, filter)) });
    }
    if (requests === undefined || listed.has(key) || request.id === selectedKey) {
      entries.push({ kind: "one", key: request.id, request });
    }
  }
  return [...entries, ...lateEntries(late ?? [], filter)];
}

function lateEntries(late: readonly LateRequest[], filter: string): readonly Entry[] {
  return late
    .filter(({ request }) => isWanted(request, filter))
    .map((one) => ({ kind: "late", key: `late ${one.request.id}`, late: one }));
}

/** Does any of what a row shows hold `filter`? Upper and lower case are the same. */
function isWanted(request: Request, filter: string): boolean {
  if (filter === "") return true;
  const { client, thread } = askerOf(request);
  const level = request.kind === "approval" ? request.level : request.kind;
  const text = [request.id, level, client, thread ?? "", summaryOf(request)].join("\n");
  return text.toLowerCase().includes(filter.toLowerCase());
}
