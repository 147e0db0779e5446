/** What is scrolled through (history, help, a rule), and what is said while nothing waits. */
import type { Body, PageLine } from "../screen/screen.js";
import { bottomEdge, framed, topEdge } from "./frame.js";
import type { Look } from "./look.js";

/** The lines of a page in a frame of `columns`. A line that is dim stands in plain type, the selected one has a mark. */
export function pageLines(
  page: Extract<Body, { kind: "pages" }>,
  columns: number,
  look: Look,
): readonly string[] {
  return [
    topEdge(page.title, [], columns, look),
    ...page.lines.map((line) => pageLine(line, columns, look)),
    bottomEdge(page.above, page.below, columns),
  ];
}

function pageLine({ text, isDim, isSelected }: PageLine, columns: number, look: Look): string {
  return framed(isSelected ? `› ${text}` : text, isSelected && !isDim ? "strong" : "plain", columns, look);
}

/** What is said while nothing waits, in a frame of `columns`. */
export function emptyLines(lines: readonly string[], columns: number, look: Look): readonly string[] {
  return [
    topEdge("", [], columns, look),
    ...lines.map((text) => framed(text, "plain", columns, look)),
    bottomEdge(0, 0, columns),
  ];
}
