/** What the channel tells: what waits, what is new, and what waits no longer. */
import type { LateRequest, Request } from "../../broker/index.js";
import { summaryOf } from "../../face/describe.js";
import { elsewhereText } from "../../face/ended.js";
import type { InboxState, Left } from "../../face/inbox.js";
import { changed, looksAt } from "./card.js";
import type { Event } from "./event.js";
import { withPast } from "./flood.js";
import { hasText, type Model, requestOf, type Stepped, still } from "./model.js";
import { noted, withArrivals, withVanished } from "./notices.js";
import { withQueue } from "./queue.js";
import { withTextBack } from "./replies.js";

/** The channel as it is now. What is open is looked at again: what is known about it may have changed with the rest. */
export function withInbox(
  model: Model,
  { state, arrived, at, now }: Extract<Event, { kind: "inbox" }>,
): Stepped {
  const isNew = arrived.length > 0;
  const unopened = hasText(model) ? model.unopened + arrived.length : 0;
  const gone = goneFrom(model.inbox.requests, state.requests);
  const past = withPast(model.past, gone, now);
  const next = withTextsBack(withQueue({ ...withState(model, state, at), now, past, unopened }), gone, at);
  const told = isNew && hasText(model) ? withArrivals(next, waitingText(unopened, next), at) : next;
  const open = told.card?.entry;
  const isThere = open !== undefined && told.queue.entries.some(({ key }) => key === open.key);
  return {
    model: told,
    effects: [...(isNew ? [{ kind: "ring" } as const] : []), ...(isThere ? looksAt(open) : [])],
  };
}

/** Closes what waits no longer, and says how it ended where it was open. */
export function withoutRequest(
  model: Model,
  { request, ending, isMore = false }: Extract<Event, { kind: "left" }>,
  at: number,
): Model {
  // Thousands may leave at once, and each order of the queue takes a look at all that wait.
  const isSilent = !model.sent.has(request.id) && !isOpen(model, request.id);
  if (isMore && isSilent) return hasDied(ending) ? withVanished(model, at) : model;
  const requests = model.inbox.requests.filter(({ id }) => id !== request.id);
  const past = withPast(model.past, [request], model.now);
  const gone = withQueue({ ...model, past, inbox: { ...model.inbox, requests } });
  const sent = new Map(model.sent);
  // How an answer of this face ended is told when it is known.
  if (sent.get(request.id) === "told") sent.delete(request.id);
  else if (sent.has(request.id)) sent.set(request.id, "left");
  const quiet = { ...gone, sent };
  if (model.sent.has(request.id)) return quiet;
  const told = isOpen(model, request.id)
    ? noted(quiet, `no longer waiting: ${leftText(ending)} — ${summaryOf(request)}`, at)
    : hasDied(ending)
      ? withVanished(quiet, at)
      : quiet;
  return withTextsBack(told, [request], at);
}

/** What was typed for a question that waits no longer; of an answer that is under way its ending tells. */
function withTextsBack(model: Model, gone: readonly Request[], at: number): Model {
  if (model.replies.size === 0) return model;
  return gone.reduce((next, { id }) => (next.sent.has(id) ? next : withTextBack(next, id, at)), model);
}

/** What has ended and may still be answered, while that is shown. */
export function withLate(model: Model, requests: readonly LateRequest[], at: number): Stepped {
  if (model.late === null) return still(model);
  const next = withQueue({ ...model, late: requests });
  return still(requests.length === 0 ? noted(next, "Nothing that ended may still be answered.", at) : next);
}

function goneFrom(before: readonly Request[], now: readonly Request[]): readonly Request[] {
  const ids = new Set(now.map(({ id }) => id));
  return before.filter(({ id }) => !ids.has(id));
}

function withState(model: Model, inbox: InboxState, at: number): Model {
  const detached = new Set(inbox.detached);
  const id = openId(model);
  const isOther = id !== null && detached.has(id) !== model.detached.has(id);
  const next = { ...model, inbox, detached };
  return isOther ? changed(next, at) : next;
}

/** Where a card is open nothing else opens. */
function waitingText(count: number, { card }: Model): string {
  const waits = `${count} new ${count === 1 ? "request waits" : "requests wait"}`;
  if (card !== null) return `${waits}.`;
  return `${waits}; ${count === 1 ? "it opens" : "they open"} when the input box is empty.`;
}

/** Did its server die before anybody answered? A row that goes for no reason that is told looks like a mistake. */
function hasDied(ending: Left | null): boolean {
  return ending !== null && ending.receipt.outcome === "stale";
}

function leftText(ending: Left | null): string {
  return ending === null ? "nothing says how it ended" : elsewhereText(ending.receipt, ending.proof);
}

function isOpen(model: Model, id: string): boolean {
  return openId(model) === id;
}

function openId({ card }: Model): string | null {
  return card === null ? null : (requestOf(card.entry)?.id ?? null);
}
