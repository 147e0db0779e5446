/**
 * The open card. Invariant: what it shows is what an answer is for, and whatever changes what it shows begins the grace
 * anew and takes back that its end was seen.
 */
import { typedWord } from "../../broker/index.js";
import type { View } from "../../face/view.js";
import type { Span } from "../screen/card-rows.js";
import { isTiny, layoutOf, type WorkLayout, workLayoutOf } from "../screen/layout.js";
import { withCardAt } from "./grace.js";
import { lineOf } from "./line.js";
import {
  approvalOf,
  type Entry,
  hasText,
  type Model,
  type OpenCard,
  type Prompt,
  requestOf,
  type ShownForm,
  type Stepped,
  still,
} from "./model.js";
import { hinted, warned } from "./notices.js";
import { unworded } from "./word.js";

/** Opens the card of what is selected if it `mayOpen`, or keeps the one that is open; closes it where its row is gone. */
export function withCard(model: Model, at: number, mayOpen: boolean): Stepped {
  const { queue, card } = model;
  const entry = queue.entries[queue.selected];
  if (card !== null && entry?.key === card.entry.key) return withEntry(model, card, entry, at);
  const closed = card === null ? model : withoutCard(model, card, at);
  // Nothing new comes before the eyes of whoever types: it opens when the input box is empty.
  if (entry === undefined || !mayOpen || hasText(closed)) return still(closed);
  const opened = { ...closed, card: cardFor(entry) };
  return { model: withCardAt(opened, at), effects: looksAt(entry) };
}

/** What was found when `id` was looked at, where that is still open. */
export function withView(model: Model, id: string, view: View, at: number): Model {
  const { card } = model;
  if (card === null || requestOf(card.entry)?.id !== id) return model;
  if (card.view === null) return withCardAt({ ...model, card: { ...card, view } }, at);
  if (isAlike(card.view, view)) return model;
  return changed({ ...model, card: { ...card, view } }, at);
}

/** The open card says something else than it did, so nothing that was read or typed about it counts any more. */
export function changed(model: Model, at: number): Model {
  const { card, prompt } = model;
  if (card === null) return model;
  const anew = { ...card, isSeen: false, isSessionSeen: false, confirming: null, form: null };
  const shown = withCardAt({ ...model, card: anew }, at);
  // A note or a reason stays: it does not say that what runs was read.
  return prompt?.kind === "word" ? withoutWord(shown, prompt, anew, at) : shown;
}

/** A word says that what runs was read, so it is typed anew; the prompt stays, for the rest of it must hit no key. */
function withoutWord(
  model: Model,
  prompt: Extract<Prompt, { kind: "word" }>,
  { entry }: OpenCard,
  at: number,
): Model {
  const approval = approvalOf(entry);
  if (approval === null) return { ...model, prompt: null };
  const expected = typedWord(approval.subject);
  const asked = { ...model, prompt: { ...unworded(prompt), expected } };
  return hinted(asked, `What is shown has changed: read it, then type ${expected} anew, or Esc.`, at);
}

/** Keeps the scrolling within the text, and takes note of what is on the screen that has to be read before a yes. */
export function withSeen(model: Model): Model {
  const { card, size, page } = model;
  if (card === null || page !== null || isTiny(size)) return model;
  const place = workLayoutOf(model, card, layoutOf(model).bodyRows);
  // Nothing of the text itself is seen behind a rule.
  if (card.form !== null) return withFormSeen(model, card, card.form, place);
  const { rows, lastContent, session } = place.text;
  const scroll = Math.min(card.scroll, Math.max(0, rows.length - place.cardRows));
  const isThere = (row: number): boolean =>
    card.view !== null && row >= scroll && row < scroll + place.cardRows;
  const isSeen = card.isSeen || isThere(lastContent);
  const isSessionSeen =
    card.isSessionSeen || (session !== null && isSpanThere(session, isThere, place.cardRows));
  return scroll === card.scroll && isSeen === card.isSeen && isSessionSeen === card.isSessionSeen
    ? model
    : { ...model, card: { ...card, scroll, isSeen, isSessionSeen } };
}

/** Counts the rows of the rule that is shown, which have to be on the screen one after the other. */
function withFormSeen(
  model: Model,
  card: OpenCard,
  form: ShownForm,
  { text, cardRows }: Pick<WorkLayout, "text" | "cardRows">,
): Model {
  const count = text.rows.length;
  const scroll = Math.min(form.scroll, Math.max(0, count - cardRows));
  const seen = scroll <= form.seen ? Math.max(form.seen, Math.min(count, scroll + cardRows)) : form.seen;
  if (scroll === form.scroll && seen === form.seen) return model;
  return { ...model, card: { ...card, form: { ...form, scroll, seen, isSeen: seen >= count } } };
}

/** All of it at once, or its end where there is no room for all. */
function isSpanThere({ first, last }: Span, isThere: (row: number) => boolean, rows: number): boolean {
  return isThere(last) && (isThere(first) || last - first >= rows);
}

/** What the shell has to look at before `entry` can be shown. */
export function looksAt(entry: Entry): Stepped["effects"] {
  const request = requestOf(entry);
  return request === null ? [] : [{ kind: "look", id: request.id }];
}

function cardFor(entry: Entry): OpenCard {
  return {
    entry,
    view: null,
    scroll: 0,
    isSeen: false,
    isSessionSeen: false,
    isWhole: false,
    isHurrySaid: false,
    confirming: null,
    form: null,
  };
}

/** The same row, which may stand for something else now: then it is looked at again, as if it had just appeared. */
function withEntry(model: Model, card: OpenCard, entry: Entry, at: number): Stepped {
  if (entry === card.entry) return still(model);
  const kept = { ...model, card: { ...card, entry } };
  if (entry.kind === "many" || JSON.stringify(entry) === JSON.stringify(card.entry)) {
    return still(isGrown(card.entry, entry) ? changed(kept, at) : kept);
  }
  const anew = changed({ ...model, card: { ...card, entry, view: null, scroll: 0 } }, at);
  return { model: anew, effects: looksAt(entry) };
}

/** A row for many that stands for others now: whoever was about to deny them all has to look again. */
function isGrown(before: Entry, now: Entry): boolean {
  if (before.kind !== "many" || now.kind !== "many") return false;
  const known = new Set(before.requests.map(({ id }) => id));
  return now.requests.some(({ id }) => !known.has(id));
}

/**
 * Its row is gone. A text about it that is being typed moves to the input box: it is not lost, and what is typed further
 * is text and hits no other card.
 */
function withoutCard(model: Model, card: OpenCard, at: number): Model {
  const { prompt, page } = model;
  const closed = { ...model, card: null, page: page?.kind === "why" ? null : page };
  if (prompt === null || prompt.kind === "filter" || card.entry.kind === "many") return closed;
  const { text, isPasted } = prompt.line;
  const moved = { ...closed, prompt: null, box: { ...lineOf(text), isPasted } };
  return prompt.kind === "answer" && text !== ""
    ? warned(moved, "What you typed was not sent: it stands below.", at)
    : moved;
}

/** Do both say the same, but for how much time is left? The frame tells that. */
function isAlike(one: View, other: View): boolean {
  return one.objection === other.objection && textOf(one) === textOf(other);
}

function textOf({ card }: View): string {
  return JSON.stringify(card.fields.filter(({ label }) => label !== "left" && label !== "ended"));
}
