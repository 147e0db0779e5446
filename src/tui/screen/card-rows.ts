/** The text of a card in rows, and where what runs ends. Folding happens once for each card and width. */
import type { Card, Field } from "../../face/card.js";
import { changeRows } from "./change-rows.js";
import { folded, foldedWords } from "./fold.js";
import type { CardRow, CardTone } from "./screen.js";

/** A whole card at one width. */
export interface FoldedCard {
  readonly rows: readonly CardRow[];
  /** The index of the last row of what runs; -1 where nothing of it can be shown. */
  readonly lastContent: number;
  /** The rows that tell what a yes for the session covers; null where none do. */
  readonly session: Span | null;
}

/** Indices of the first and the last of some rows. */
export interface Span {
  readonly first: number;
  readonly last: number;
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
  const session: number[] = [];
  let isSession = false;
  const shown = inOrder(fields.filter(({ label }) => !inFrame.has(label)));
  for (let index = 0; index < shown.length; index += 1) {
    const field = shown[index];
    const next = shown[index + 1];
    if (field === undefined) break;
    const change = next === undefined ? null : changeRows(field, next, columns);
    if (change !== null) index += 1;
    if (field.label === "was") rows.push(...fieldRows(redefined, columns));
    const first = rows.length;
    for (const row of change ?? fieldRows(field, columns)) rows.push(row);
    if (field.isContent) lastContent = rows.length - 1;
    isSession = field.label === "session" || (isSession && field.label === "");
    if (isSession) session.push(first, rows.length - 1);
  }
  return { rows, lastContent, session: spanOf(session) };
}

/** Stands before what a server or a tool's definition was and became, which else could pass for what the call changes. */
const redefined: Field = {
  label: "attention",
  lines: ["the server or its tool's definition is another now:"],
  isContent: false,
};

function spanOf(indices: readonly number[]): Span | null {
  const [first] = indices;
  const last = indices.at(-1);
  return first === undefined || last === undefined ? null : { first, last };
}

/** What warns of what runs stands right behind it, where no other text of a request can push it out of sight. */
function inOrder(fields: readonly Field[]): readonly Field[] {
  const end = fields.findLastIndex(({ isContent }) => isContent) + 1;
  const behind = fields.slice(end);
  const isWarning = (field: Field): boolean => toneOf(field) === "warning";
  return [
    ...fields.slice(0, end),
    ...behind.filter(isWarning),
    ...behind.filter((field) => !isWarning(field)),
  ];
}

function fieldRows(field: Field, columns: number): readonly CardRow[] {
  const tone = toneOf(field);
  // A warning is a sentence of ours. Where a text of a request stands in it, no more than blanks at its folds are lost.
  const fold = tone === "warning" ? foldedWords : folded;
  return field.lines.flatMap((line, lineIndex) =>
    fold(line, columns).map((text, pieceIndex) => ({
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
