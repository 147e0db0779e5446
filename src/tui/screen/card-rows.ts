/** The text of a card in rows, and where what runs ends. Folding happens once for each card and width. */
import type { Card, Field } from "../../face/card.js";
import { changeRows } from "./change-rows.js";
import { folded } from "./fold.js";
import type { CardRow, CardTone } from "./screen.js";

/** A whole card at one width. */
export interface FoldedCard {
  readonly rows: readonly CardRow[];
  /** The index of the last row of what runs; -1 where nothing of it can be shown. */
  readonly lastContent: number;
}

/** `card` in rows of `columns`. The same object for the same card and columns. */
export function foldedCard(card: Card, columns: number): FoldedCard {
  const known = foldings.get(card);
  if (known?.columns === columns) return known.card;
  const now = { columns, card: foldCard(card, columns) };
  foldings.set(card, now);
  return now.card;
}

/** The newest width of each card: a terminal has one. */
const foldings = new WeakMap<Card, { readonly columns: number; readonly card: FoldedCard }>();

/** The frame of the card says these. */
const inFrame: ReadonlySet<string> = new Set(["request", "left"]);

function foldCard({ fields }: Card, columns: number): FoldedCard {
  const rows: CardRow[] = [];
  let lastContent = -1;
  const shown = fields.filter(({ label }) => !inFrame.has(label));
  for (let index = 0; index < shown.length; index += 1) {
    const field = shown[index];
    const next = shown[index + 1];
    if (field === undefined) break;
    const change = next === undefined ? null : changeRows(field, next, columns);
    if (change !== null) index += 1;
    for (const row of change ?? fieldRows(field, columns)) rows.push(row);
    if (field.isContent) lastContent = rows.length - 1;
  }
  return { rows, lastContent };
}

function fieldRows(field: Field, columns: number): readonly CardRow[] {
  const tone = toneOf(field);
  return field.lines.flatMap((line, lineIndex) =>
    folded(line, columns).map((text, pieceIndex) => ({
      label: pieceIndex > 0 ? "" : lineIndex > 0 ? newLineMark : field.label,
      text,
      tone,
      isFold: pieceIndex > 0,
    })),
  );
}

/** Stands in the column of labels where a text of a request has a further line. */
const newLineMark = "⏎";

/** Labels are ours, so they tell fields apart. */
function toneOf({ label, isContent }: Field): CardTone {
  if (isContent) return "content";
  switch (label) {
    case "agent says":
    case "tool says":
      return "words";
    case "warning":
    case "attention":
    case "answers":
      return "warning";
    case "level":
      return "level";
    default:
      return "plain";
  }
}
