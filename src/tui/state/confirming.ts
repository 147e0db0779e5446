/** Keys that have to be pressed twice: the first time shows whole what the second does. */
import { isWholeFoot } from "../screen/layout.js";
import type { Confirming, Model } from "./model.js";
import { hinted } from "./notices.js";

/** `confirming` was pressed once. */
export function asked(model: Model, confirming: Confirming): Model {
  const { card } = model;
  return card === null ? model : { ...model, card: { ...card, confirming, form: null } };
}

/** The same, with the rule at `index` of those that are offered in the place of the text. */
export function askedRule(model: Model, confirming: "p" | "a", index: number): Model {
  const { card } = model;
  const form = { index, scroll: 0, seen: 0, isSeen: false };
  return card === null ? model : { ...model, card: { ...card, confirming, form } };
}

/** The same, or why not: what it says about `what` has no room on the screen. */
export function askedWhole(model: Model, confirming: Confirming, what: string, at: number): Model {
  const shown = asked(model, confirming);
  return isWholeFoot(shown)
    ? shown
    : hinted(model, `${what} does not fit here: enlarge the window, or press v.`, at);
}

/** Whatever else was done: the key that was pressed once has to be pressed twice again. */
export function withoutConfirming(model: Model): Model {
  const { card } = model;
  return card === null || card.confirming === null
    ? model
    : { ...model, card: { ...card, confirming: null, form: null } };
}
