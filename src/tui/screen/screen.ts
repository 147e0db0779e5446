/**
 * What stands on the screen, as data: the border between what the full-screen face knows and how it is drawn. Every
 * text is safe to print and already cut or folded to its place; whoever draws it decides nothing but colours and frames.
 * How much room frames, labels and marks take stands in measures.ts.
 */
import type { Level } from "../../broker/index.js";

/** Columns and rows that may be drawn on: see `drawable`. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** One frame. Its parts take exactly `size.rows` rows at most, frames included. */
export interface Screen {
  readonly size: Size;
  readonly header: Header;
  readonly body: Body;
  /** What happened, the newest last; at most three lines. */
  readonly notices: readonly Notice[];
  /** Null where there is no room, or nothing can be typed. */
  readonly input: InputLine | null;
  readonly keys: readonly KeyHint[];
}

/** The first row. */
export interface Header {
  /** `1 of 3 waiting`, `nothing waiting`, `⚠ 1 waiting` */
  readonly waits: string;
  /** `~/.wisp ok`, `polling`, or what is wrong; "" where there is no room. */
  readonly health: string;
  readonly isHealthy: boolean;
}

/** What the screen is for now. */
export type Body =
  /** Nothing waits. */
  | { readonly kind: "empty"; readonly lines: readonly string[] }
  /** The queue above or left of the card of what is selected. */
  | {
      readonly kind: "work";
      readonly layout: "stacked" | "panes";
      readonly queue: QueuePart;
      readonly card: CardPart;
    }
  /** History, help, or the rule that asked: lines to scroll through. */
  | {
      readonly kind: "pages";
      readonly title: string;
      readonly lines: readonly PageLine[];
      readonly above: number;
      readonly below: number;
    }
  /** Too small for a card: a plain list, and what to do about it. */
  | { readonly kind: "tiny"; readonly lines: readonly string[] };

/** What of the queue is visible. */
export interface QueuePart {
  /** Columns that it may take. */
  readonly columns: number;
  readonly rows: readonly QueueRow[];
  /** How many rows are above and below what is shown. */
  readonly above: number;
  readonly below: number;
}

/** A line of the queue; every cell is cut to its column. */
export interface QueueRow {
  readonly key: string;
  readonly isSelected: boolean;
  /** `k7q2mx9d`; "" for a line that stands for many. */
  readonly id: string;
  /** `HIGH`, `low`, `fact`; its mark stands in it, so colour says nothing alone. */
  readonly level: string;
  readonly tone: Level | "none";
  readonly what: string;
  readonly who: string;
  /** `9:41`, `detached`, `ended` */
  readonly left: string;
}

/** The card in its frame: what of it is visible now. */
export interface CardPart {
  readonly columns: number;
  /** `Run a command?` */
  readonly title: string;
  /** `HIGH`, `!! DANGEROUS`; null for other kinds than approvals. */
  readonly level: string | null;
  readonly tone: Level | "none";
  readonly id: string;
  /** `9:41`, or null where it does not end. */
  readonly left: string | null;
  readonly rows: readonly CardRow[];
  readonly above: number;
  readonly below: number;
  /** What stands below the text: what can be answered, or why nothing can; the question for a word. */
  readonly foot: readonly string[];
  /** Was the end of what runs on the screen? Until then the approving keys are dim. */
  readonly isSeen: boolean;
}

/** One row of a card. `label` stands in a column of its own that no text of a request reaches. */
export interface CardRow {
  /** "" on every row but the first of its field; ⏎ where a text has a further line. */
  readonly label: string;
  readonly text: string;
  readonly tone: CardTone;
  /** Does it go on with the row before it, which had no room for all of its line? */
  readonly isFold: boolean;
}

/** `content` is what runs, `words` the agent's own words, in a box that says so. */
export type CardTone = "plain" | "content" | "words" | "warning" | "added" | "removed" | "level";

/** A row of a page. */
export interface PageLine {
  readonly text: string;
  readonly isDim: boolean;
  readonly isSelected: boolean;
}

/** Something that a person is told, in a row. */
export interface Notice {
  readonly text: string;
  readonly isWarning: boolean;
  /** When it was told, in monotonic milliseconds: the same text told again is another notice. */
  readonly at: number;
}

/** The line at the bottom. While it has the focus every printable key is text. */
export interface InputLine {
  /** `›`, `reason:`, `type main to approve:` */
  readonly prompt: string;
  /** The part of the text that fits. */
  readonly text: string;
  /** Columns from the beginning of `text` to the caret; null without the focus. */
  readonly caret: number | null;
  /** Shown dim while there is no text. */
  readonly hint: string;
}

/** A key and what it does, always in the same order. */
export interface KeyHint {
  readonly key: string;
  readonly does: string;
  /** Shown, and not to be used now. */
  readonly isDim: boolean;
}
