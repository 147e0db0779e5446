/**
 * Invariant: no key decides that a person could have pressed before they saw what it decides. A person needs longer than
 * this to see a card and answer it; a key that comes sooner was meant for something else, or is held down.
 */
import type { Model, Quiet } from "./model.js";
import { advised, hinted } from "./notices.js";

/** Of keyboard quiet, in milliseconds, before a key decides. */
export const graceMs = 500;

/** Were keyboard and card quiet for long enough before the key that was read at `at`, whenever it was pressed? */
export function isQuiet({ keyAt, since, cardAt, isDrawn }: Quiet, at: number): boolean {
  return isDrawn && Math.min(at, since) - Math.max(keyAt, cardAt) >= graceMs;
}

/**
 * May Enter end at `at` a text about the card? Its last letter came just before, so only the card counts: it stood for
 * long enough, and is still the one about which the text was begun.
 */
export function isSettled(quiet: Quiet, at: number): boolean {
  return isStanding(quiet, at) && quiet.cardAt <= quiet.typedAt;
}

/** Did the card stand for long enough before the key that was read at `at`? A key that only chooses may follow another one. */
export function isStanding({ since, cardAt, isDrawn }: Quiet, at: number): boolean {
  return isDrawn && Math.min(at, since) - cardAt >= graceMs;
}

/** With why the Enter read at `at` ended no text about the card, which was not settled. The next one may. */
export function unsettled(model: Model, quiet: Quiet, at: number): Model {
  return withTypedAt(hinted(model, unsettledText(quiet, at), at), at);
}

/** What came at once tells nobody when it was pressed, and a text that begins so not when it was begun. */
function unsettledText(quiet: Quiet, at: number): string {
  if (!isStanding({ ...quiet, since: at }, at)) {
    return "What is shown has just changed: look at it, then Enter again.";
  }
  return quiet.since === Number.NEGATIVE_INFINITY
    ? "Enter came at once with what stands before it: look at what is shown, then Enter again."
    : "What is shown may have changed since you began to type: look at it, then Enter again.";
}

/** A text is begun at `at`, or the person was told then that what it is about changed. */
export function withTypedAt(model: Model, at: number): Model {
  return { ...model, quiet: { ...model.quiet, typedAt: Math.max(model.quiet.typedAt, at) } };
}

/** A key or a paste came at `at`. Time never goes back. */
export function withKeyAt(model: Model, at: number): Model {
  return { ...model, quiet: { ...model.quiet, keyAt: Math.max(model.quiet.keyAt, at) } };
}

/** What is before the person's eyes is not what it was until `at`, as soon as it is drawn. */
export function withCardAt(model: Model, at: number): Model {
  return { ...model, quiet: { ...model.quiet, cardAt: Math.max(model.quiet.cardAt, at), isDrawn: false } };
}

/** All that had happened until `until` is before the person's eyes since `at`. */
export function withDrawn(model: Model, until: number, at: number): Model {
  const { cardAt, isDrawn } = model.quiet;
  if (isDrawn || cardAt > until) return model;
  return { ...model, quiet: { ...model.quiet, cardAt: Math.max(cardAt, at), isDrawn: true } };
}

/** Says once for each card that a key came too early. */
export function hurried(model: Model, at: number): Model {
  const { card } = model;
  if (card === null || card.isHurrySaid) return model;
  return advised({ ...model, card: { ...card, isHurrySaid: true } }, hurryText, at);
}

/** Says each time that a letter was dropped: whoever types on would not know what stands there. */
export function dropped(model: Model, at: number): Model {
  return advised(model, hurryText, at);
}

const hurryText = "Not yet: a key decides after half a second in which no key came and nothing changed.";
