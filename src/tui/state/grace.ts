/**
 * Invariant: no key decides that a person could have pressed before they saw what it decides. A person needs longer than
 * this to see a card and answer it; a key that comes sooner was meant for something else, or is held down.
 */
import type { Model, Quiet } from "./model.js";
import { noted } from "./notices.js";

/** Of keyboard quiet, in milliseconds, before a key decides. */
export const graceMs = 500;

/** Have keyboard and card been quiet for long enough at `at`? */
export function isQuiet({ keyAt, cardAt }: Quiet, at: number): boolean {
  return at - Math.max(keyAt, cardAt) >= graceMs;
}

/**
 * May Enter end at `at` a text about the card? Its last letter came just before, so only the card counts: it stood for
 * long enough, and is still the one about which the text was begun.
 */
export function isSettled({ cardAt, typedAt }: Quiet, at: number): boolean {
  return at - cardAt >= graceMs && cardAt <= typedAt;
}

/** What is said where a text about the card was ended too soon. */
export const changedText = "What is shown has just changed: look at it, then Enter again.";

/** A text is begun at `at`, or the person was told then that what it is about changed. */
export function withTypedAt(model: Model, at: number): Model {
  return { ...model, quiet: { ...model.quiet, typedAt: Math.max(model.quiet.typedAt, at) } };
}

/** A key or a paste came at `at`. Time never goes back. */
export function withKeyAt(model: Model, at: number): Model {
  return { ...model, quiet: { ...model.quiet, keyAt: Math.max(model.quiet.keyAt, at) } };
}

/** What is before the person's eyes is not what it was until `at`. */
export function withCardAt(model: Model, at: number): Model {
  return { ...model, quiet: { ...model.quiet, cardAt: Math.max(model.quiet.cardAt, at) } };
}

/** Says once for each card that a key came too early. */
export function hurried(model: Model, at: number): Model {
  const { card } = model;
  if (card === null || card.isHurrySaid) return model;
  return noted({ ...model, card: { ...card, isHurrySaid: true } }, hurryText, at);
}

const hurryText = "Not yet: a key decides after half a second in which no key came and nothing changed.";
