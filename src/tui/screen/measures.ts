/**
 * How much room the frames take: who fills a screen folds and cuts its texts to these measures, and who draws it adds
 * frames, labels and marks of exactly that size. Columns and rows are cells of the terminal.
 */
import type { KeyHint, Size } from "./screen.js";

/**
 * What may be drawn on a terminal of `terminal`. A frame ends in a newline, which would scroll in the last row. And behind
 * each row the rest of the line is erased: where the row is as wide as the terminal, some terminals then erase its last
 * character.
 */
export function drawable(terminal: Size): Size {
  return { columns: Math.max(1, terminal.columns - 1), rows: Math.max(1, terminal.rows - 1) };
}

/** The header is one row, but on a window that is tiny; each notice and the input line is one row, too. */
export const headerRows = 1;

/** The names of the columns above the rows of a queue. */
export const queueHeadingRows = 1;

/** The upper and the lower edge of a frame: of a card, of pages, and around the lines of an empty screen. */
export const frameRows = 2;

/** Columns between the queue and the card that stand beside each other. */
export const paneGap = 1;

/** Columns of the labels of a card: the longest are `calls itself` and `kept already`. */
export const labelColumns = 12;

/** Columns of a text on a card of `columns`: beside it stand its frame, the label, and marks on both sides. */
export function cardTextColumns(columns: number): number {
  return Math.max(1, columns - labelColumns - 8);
}

/** Columns of a text that stands in a frame without labels: the foot of a card, a line of a page or of an empty screen. */
export function framedTextColumns(columns: number): number {
  return Math.max(1, columns - 4);
}

/** Columns of a notice: a mark stands before it. */
export function noticeColumns(columns: number): number {
  return Math.max(1, columns - 2);
}

/** Columns of each cell of a row of the queue. */
export interface QueueCells {
  readonly id: number;
  readonly level: number;
  readonly what: number;
  /** 0 where there is no room for it: the card says who asks. */
  readonly who: number;
  readonly left: number;
}

/** The cells of a queue of `columns`; a mark stands before them and two blanks between them. */
export function queueCells(columns: number): QueueCells {
  const who = columns < 72 ? 0 : Math.min(28, Math.floor(columns / 5));
  const others = { id: 8, level: 12, who, left: 8 };
  const taken = selectionColumns + Object.values(others).reduce((sum, wide) => sum + wide + between(wide), 0);
  return { ...others, what: Math.max(1, columns - taken) };
}

function between(wide: number): number {
  return wide === 0 ? 0 : cellGap.length;
}

/** Between two cells of the queue. */
export const cellGap = "  ";

/** Columns of the mark before a row of the queue. */
export const selectionColumns = 1;

/** The keys in as many rows as they need on `columns`; a key is never parted from what it does. */
export function keyRows(keys: readonly KeyHint[], columns: number): readonly (readonly KeyHint[])[] {
  const rows: KeyHint[][] = [];
  let used = columns;
  for (const hint of keys) {
    const wide = hintColumns(hint);
    if (used + wide > columns || rows.length === 0) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(hint);
    used += wide;
  }
  return rows;
}

/** A hint takes as much room when it may not be used: parentheses then stand where the blanks were. */
function hintColumns({ key, does }: KeyHint): number {
  return key.length + does.length + 3;
}
