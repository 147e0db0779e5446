/** The body of a screen as lines. */

import { fitted } from "../screen/fold.js";
import { paneGap } from "../screen/measures.js";
import type { Body } from "../screen/screen.js";
import { cardLines } from "./card.js";
import type { Look } from "./look.js";
import { emptyLines, pageLines } from "./pages.js";
import { queueLines } from "./queue.js";

/** The lines of `body`, each at most `columns` wide. */
export function bodyLines(body: Body, columns: number, look: Look): readonly string[] {
  switch (body.kind) {
    case "empty":
      return emptyLines(body.lines, columns, look);
    case "work":
      return workLines(body, look);
    case "pages":
      return pageLines(body, columns, look);
    case "tiny":
      return body.lines.map((text) => fitted(text, columns));
    default:
      return body satisfies never;
  }
}

function workLines({ layout, queue, card }: Extract<Body, { kind: "work" }>, look: Look): readonly string[] {
  const left = queueLines(queue, look);
  const right = cardLines(card, look);
  if (layout === "stacked") return [...left, ...right];
  const blank = " ".repeat(queue.columns);
  const gap = " ".repeat(paneGap);
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, row) => `${left[row] ?? blank}${gap}${right[row] ?? ""}`,
  );
}
