/** What a person is told in passing. */
import type { Model } from "./model.js";

/** No more are kept than can be shown. */
const mostNotices = 3;
/** After this long one is old news. */
const lifetimeMs = 30_000;

/** With a line of news. `text` is safe to print. */
export function noted(model: Model, text: string, at: number): Model {
  return withNotice(model, text, false, at);
}

/** With a line that must not be overlooked. `text` is safe to print. */
export function warned(model: Model, text: string, at: number): Model {
  return withNotice(model, text, true, at);
}

/** Without what is old news at `at`. The same model where nothing is. */
export function withoutOld(model: Model, at: number): Model {
  const notices = model.notices.filter((one) => at - one.at < lifetimeMs);
  return notices.length === model.notices.length ? model : { ...model, notices };
}

/** What was said last is not said twice in a row: it only becomes new again. */
function withNotice(model: Model, text: string, isWarning: boolean, at: number): Model {
  const { notices } = model;
  const others = notices.at(-1)?.text === text ? notices.slice(0, -1) : notices;
  return { ...model, notices: [...others, { text, isWarning, at }].slice(-mostNotices) };
}
