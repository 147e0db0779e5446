/** The card of what is selected: the frame, the labels and the marks are ours, and no text of a request reaches them. */
import { cardTextColumns, labelColumns } from "../screen/measures.js";
import type { CardPart, CardRow, CardTone } from "../screen/screen.js";
import { cell } from "./cells.js";
import { bottomEdge, framed, type Piece, topEdge } from "./frame.js";
import { type Look, levelStyle, markedLevel, painted, type Style } from "./look.js";

/** The card with its frame, each line exactly `card.columns` wide. */
export function cardLines(card: CardPart, look: Look): readonly string[] {
  return [
    topEdge(card.title, marksOf(card), card.columns, look),
    ...card.rows.map((row) => rowLine(row, card, look)),
    ...card.foot.map((text) => framed(text, "strong", card.columns, look)),
    bottomEdge(card.above, card.below, card.columns),
  ];
}

function marksOf({ level, tone, id, left }: CardPart): readonly Piece[] {
  return [
    ...(level === null ? [] : [{ text: markedLevel(level, tone), style: levelStyle(tone) }]),
    ...(id === "" ? [] : [{ text: id, style: "plain" } as const]),
    ...(left === null ? [] : [{ text: left, style: "plain" } as const]),
  ];
}

/** What stands before a text and behind it, so that it is told without colours what a text is. */
const sides: Record<CardTone, readonly [before: string, behind: string]> = {
  plain: ["  ", "  "],
  level: ["  ", "  "],
  warning: ["! ", "  "],
  // A block of its own: what is quoted in it can pass neither for the frame nor for another field.
  content: ["┃ ", "  "],
  added: ["┃ ", "  "],
  removed: ["┃ ", "  "],
  words: ["┆ ", " ┆"],
};

function rowLine({ label, text, tone }: CardRow, card: CardPart, look: Look): string {
  const [before, behind] = sides[tone];
  const style = styleOf(tone, card);
  const filled = cell(text, cardTextColumns(card.columns));
  const marked =
    tone === "warning" ? painted(before + filled, style, look) : before + painted(filled, style, look);
  return `│ ${cell(label, labelColumns)} ${marked}${behind}│`;
}

function styleOf(tone: CardTone, card: CardPart): Style {
  switch (tone) {
    case "plain":
    case "content":
    case "words":
      return "plain";
    case "warning":
      return "high";
    case "added":
    case "removed":
      return tone;
    case "level":
      return levelStyle(card.tone);
    default:
      return tone satisfies never;
  }
}
