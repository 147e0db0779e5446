/** Scrolling the card, or the page that is read instead of it. */
import type { FoldedCard } from "../screen/card-rows.js";
import { isTiny, layoutOf, workLayoutOf } from "../screen/layout.js";
import { pageLength, pageRows } from "../screen/pages.js";
import type { Scrolling } from "./keys.js";
import type { Model, OpenCard } from "./model.js";

/** What `by` scrolls. End goes first to what has to be read before a yes and was not seen yet, then to the end of the card. */
export function scrolled(model: Model, by: Scrolling): Model {
  const { page, card, size } = model;
  if (isTiny(size)) return model;
  const { bodyRows } = layoutOf(model);
  if (page !== null) {
    const rows = pageRows(bodyRows);
    const last = Math.max(0, pageLength(model, page) - rows);
    return { ...model, page: { ...page, scroll: placeOf(page.scroll, by, rows, last, last) } };
  }
  if (card === null) return model;
  const { cardRows, text } = workLayoutOf(model, card, bodyRows);
  const last = Math.max(0, text.rows.length - cardRows);
  const { form } = card;
  if (form !== null) {
    // End skips nothing that was not on the screen.
    const end = form.seen < text.rows.length ? Math.min(last, Math.max(0, form.seen - 1)) : last;
    return {
      ...model,
      card: { ...card, form: { ...form, scroll: placeOf(form.scroll, by, cardRows, last, end) } },
    };
  }
  const unseen = card.view === null ? null : firstUnseen(card, text);
  const end = unseen === null ? last : Math.max(0, unseen + 1 - cardRows);
  return { ...model, card: { ...card, scroll: placeOf(card.scroll, by, cardRows, last, end) } };
}

/** The last row of what is to be read first; null where all of it was on the screen. */
function firstUnseen(
  { isSeen, isSessionSeen }: OpenCard,
  { lastContent, session }: FoldedCard,
): number | null {
  if (!isSeen && lastContent >= 0) return lastContent;
  return isSessionSeen ? null : (session?.last ?? null);
}

function placeOf(scroll: number, by: Scrolling, rows: number, last: number, end: number): number {
  // One row of the page before stays, so that nothing between two pages is missed.
  const page = Math.max(1, rows - 1);
  const wanted = {
    up: scroll - 1,
    down: scroll + 1,
    pageup: scroll - page,
    pagedown: scroll + page,
    home: 0,
    end,
  };
  return Math.min(Math.max(wanted[by], 0), last);
}
