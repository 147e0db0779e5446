/** The frame for what the full-screen face knows. Pure, and of the same cost however much waits. */
import { hasText, type Model } from "../state/model.js";
import { emptyLines } from "./empty-lines.js";
import { headerOf } from "./header.js";
import { inputOf } from "./input-line.js";
import { isTiny, layoutOf } from "./layout.js";
import { drawable } from "./measures.js";
import { pagesOf } from "./pages.js";
import type { Body, Screen } from "./screen.js";
import { tinyScreen } from "./tiny.js";
import { workOf } from "./work.js";

/** What `model` looks like. Its size is what may be drawn, a little less than the terminal. */
export function screenOf(model: Model): Screen {
  if (isTiny(model.size)) return tinyScreen(model);
  const size = drawable(model.size);
  const { notices, keys, bodyRows } = layoutOf(model);
  return {
    size,
    header: headerOf(model, size.columns),
    body: bodyOf(model, bodyRows),
    notices,
    input: inputOf(model, size.columns),
    keys,
  };
}

function bodyOf(model: Model, bodyRows: number): Body {
  const { page, card } = model;
  if (page !== null) return pagesOf(model, page, bodyRows);
  if (card !== null) return workOf(model, card, bodyRows);
  return { kind: "empty", lines: emptyLines(model, bodyRows, hasText(model)) };
}
