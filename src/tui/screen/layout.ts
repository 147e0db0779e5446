/**
 * Where everything stands, in rows and columns. The state asks here, too, whether the end of what runs is on the screen;
 * so what it takes for seen and what is drawn are the same.
 */
import { approvalOf, type Model, type OpenCard } from "../state/model.js";
import { type FoldedCard, foldedCard } from "./card-rows.js";
import { clipped } from "./fold.js";
import { footOf } from "./foot.js";
import { hintsOf } from "./hints.js";
import { manyRows } from "./many-rows.js";
import {
  cardTextColumns,
  drawable,
  framedTextColumns,
  frameRows,
  headerRows,
  keyRows,
  paneGap,
  queueHeadingRows,
} from "./measures.js";
import { noticeRows } from "./notice-rows.js";
import { ruleRows } from "./rule-rows.js";
import type { KeyHint, Notice, Size } from "./screen.js";

/** Is there no room for a card? */
export function isTiny({ columns, rows }: Size): boolean {
  return columns < leastColumns || rows < leastRows;
}

const leastColumns = 40;
const leastRows = 10;

/** What stands around the body, and the rows that are left for it. */
export interface Layout {
  readonly notices: readonly Notice[];
  readonly keys: readonly KeyHint[];
  readonly bodyRows: number;
}

/** The room for everything but the body comes first; notices and keys make do with less where rows are few. */
export function layoutOf(model: Model): Layout {
  const { columns, rows } = drawable(model.size);
  const isLow = rows < lowRows;
  // Whoever says them folds them.
  const noticeWidth = model.isLinear ? Number.POSITIVE_INFINITY : columns;
  const notices = noticeRows(model.notices, noticeWidth, isLow ? 1 : mostNotices);
  const keys = hintsOf(model, columns, isLow ? 1 : mostKeyRows);
  const others = headerRows + notices.length + inputRows + keyRows(keys, columns).length;
  return { notices, keys, bodyRows: rows - others };
}

const lowRows = 18;
const mostNotices = 3;
const mostKeyRows = 3;
const inputRows = 1;

/** Where queue and card stand. Rows of the card are those of its text. */
export interface WorkLayout {
  readonly layout: "stacked" | "panes";
  /** 0 where the card takes all of the room. */
  readonly queueRows: number;
  readonly queueColumns: number;
  readonly cardColumns: number;
  readonly cardRows: number;
  readonly foot: readonly string[];
  readonly isFootWhole: boolean;
  readonly text: FoldedCard;
}

/** For the open card, in a body of `bodyRows`. */
export function workLayoutOf(model: Model, card: OpenCard, bodyRows: number): WorkLayout {
  const { columns } = drawable(model.size);
  const isBeside = model.size.columns >= panesFrom && !card.isWhole;
  const queueColumns = isBeside ? Math.min(mostQueueColumns, Math.floor(columns / 2)) : columns;
  const cardColumns = isBeside ? Math.min(mostCardColumns, columns - queueColumns - paneGap) : columns;
  const queueRows = card.isWhole
    ? 0
    : isBeside
      ? bodyRows - queueHeadingRows
      : stackedRows(model.queue.entries.length, bodyRows);
  const queueTakes = isBeside || queueRows === 0 ? 0 : queueRows + queueHeadingRows;
  const room = bodyRows - queueTakes - frameRows;
  // However much the foot has to say, some of the card stays visible.
  const said = footOf(model, card, cardColumns);
  const foot = clipped(said, Math.max(1, room - 2), framedTextColumns(cardColumns));
  return {
    layout: isBeside ? "panes" : "stacked",
    queueRows,
    queueColumns,
    cardColumns,
    cardRows: Math.max(0, room - foot.length),
    foot,
    isFootWhole: foot === said,
    text: textOf(card, cardTextColumns(cardColumns)),
  };
}

/** Is all of the foot of the open card on the screen? */
export function isWholeFoot(model: Model): boolean {
  const { card } = model;
  if (card === null || isTiny(model.size)) return false;
  return workLayoutOf(model, card, layoutOf(model).bodyRows).isFootWhole;
}

/** Columns of the terminal. */
const panesFrom = 150;
const mostQueueColumns = 80;
/** Longer lines are hard to read. */
const mostCardColumns = 120;
const mostStackedRows = 6;

/** With fewer rows than this the card has them all. */
const leastRowsForBoth = 10;

/** The card is what must be read, so the queue has a third of the room at most. */
function stackedRows(entries: number, bodyRows: number): number {
  if (bodyRows < leastRowsForBoth) return 0;
  return Math.max(1, Math.min(entries, mostStackedRows, Math.floor(bodyRows / 3) - queueHeadingRows));
}

function textOf({ entry, view, confirming, form }: OpenCard, columns: number): FoldedCard {
  if (entry.kind === "many") return manyRows(entry.requests, columns);
  const approval = approvalOf(entry);
  if (form !== null && approval !== null) {
    return ruleRows(approval, confirming === "p" ? "project" : "always", form.index, columns);
  }
  return view === null ? unread : foldedCard(view.card, columns);
}

const unread: FoldedCard = { rows: [], lastContent: -1, session: null };
