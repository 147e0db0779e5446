/** All that the full-screen face knows. A new one is made for each event; nothing in it is ever changed. */
import type { ApprovalRequest, LateRequest, QuestionRequest, Request } from "../../broker/index.js";
import type { GivenYes } from "../../face/answer.js";
import type { HistoryEntry } from "../../face/history.js";
import type { InboxState } from "../../face/inbox.js";
import type { View } from "../../face/view.js";
import type { Size } from "../screen/screen.js";
import type { Effect } from "./event.js";
import { emptyLine, type Line } from "./line.js";

/** What the face knows and shows. Times are monotonic milliseconds but for `now`. */
export interface Model {
  /** The whole terminal. */
  readonly size: Size;
  /** Wall time, epoch milliseconds. */
  readonly now: number;
  readonly place: Place;
  readonly inbox: InboxState;
  /** The ids whose agent stopped waiting. */
  readonly detached: ReadonlySet<string>;
  /** What has ended and may still be answered; null while it is not shown. */
  readonly late: readonly LateRequest[] | null;
  readonly queue: Queue;
  /** Null where nothing waits, or what waits must not open yet. */
  readonly card: OpenCard | null;
  /** A text about the card, or for the filter, that is being typed. */
  readonly prompt: Prompt | null;
  /** The input box while it has the focus, else null: leaving it empties it. */
  readonly box: Line | null;
  readonly page: Page | null;
  /** Null until it was read. */
  readonly history: readonly HistoryEntry[] | null;
  /** The newest last. */
  readonly notices: readonly Noted[];
  readonly quiet: Quiet;
  /** Requests to which this face gave an answer of which not all has been told. */
  readonly sent: ReadonlyMap<string, Sent>;
  /** What was chosen and typed for questions and not sent yet, by the id of the request. */
  readonly replies: ReadonlyMap<string, Reply>;
  /** What was asked within the last minute and waits no longer, by id. */
  readonly past: ReadonlyMap<string, Asked>;
  /** How many arrived while the input box had text. */
  readonly unopened: number;
  /**
   * Is it read line by line, as by a screen reader? Then everything is said in words: the input box keeps the focus, and
   * takes them.
   */
  readonly isLinear: boolean;
}

/** Who asked something, as the key of a row for many, and when: epoch milliseconds. */
export interface Asked {
  readonly thread: string;
  readonly createdAt: number;
}

/** What a person chose and typed for one question. Nothing of it is sent but by a key of its own. */
export interface Reply {
  /** The request as it stood then. */
  readonly request: QuestionRequest;
  /** Of options, from 1, ascending. */
  readonly numbers: readonly number[];
  /** "" where nothing was typed. */
  readonly text: string;
  /** Which of both would be sent; null where neither would. */
  readonly sends: "numbers" | "text" | null;
}

/** Where this face runs. */
export interface Place {
  /** The home as a person reads it, safe to print: `~/.wisp`. */
  readonly home: string;
  /** What command lines to paste must name: `WISP_HOME`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A row of the queue. `key` stays the same as long as the row stands for the same thing. */
export type Entry =
  | { readonly kind: "one"; readonly key: string; readonly request: Request }
  | { readonly kind: "late"; readonly key: string; readonly late: LateRequest }
  /** All of one kind that one thread of one client asks, because it asks too much. */
  | { readonly kind: "many"; readonly key: string; readonly requests: readonly Request[] };

/** A row that stands for one request. */
export type Single = Exclude<Entry, { kind: "many" }>;

/** What waits, in the order in which it is shown. */
export interface Queue {
  readonly entries: readonly Entry[];
  /** An index into `entries`; 0 where there are none. */
  readonly selected: number;
  /** "" where nothing is filtered. */
  readonly filter: string;
  /** Keys of the rows for many whose requests are listed below them. */
  readonly listed: ReadonlySet<string>;
}

/** What of the queue is open. An answer is for `entry` as it stands here. */
export interface OpenCard {
  readonly entry: Entry;
  /** Null until it was looked at. */
  readonly view: View | null;
  /** Rows of the text above what is visible. */
  readonly scroll: number;
  /** Was the last row of what is decided on the screen since the card last changed? */
  readonly isSeen: boolean;
  /** The same of what a yes for the session covers. */
  readonly isSessionSeen: boolean;
  /** Does it take the room of the queue as well? */
  readonly isWhole: boolean;
  /** Was the person told that a key came too early? */
  readonly isHurrySaid: boolean;
  /** What the same key, pressed once more, will do. */
  readonly confirming: Confirming | null;
  /** The rule that it will remember, which then stands there instead of the text; null where it remembers none. */
  readonly form: ShownForm | null;
}

/** One of the rules that a yes may remember, while it is shown. */
export interface ShownForm {
  /** Among those that are offered, from 0. */
  readonly index: number;
  /** Rows above what is visible. */
  readonly scroll: number;
  /** How many of its rows were on the screen, counted from the first without a gap. */
  readonly seen: number;
  /** Are these all of them? */
  readonly isSeen: boolean;
}

/** A key that has to be pressed twice. */
export type Confirming = "p" | "a" | "D";

/** A text that Enter ends. */
export type Prompt =
  | { readonly kind: "note"; readonly line: Line }
  | { readonly kind: "reason"; readonly line: Line }
  /** The text that answers a question. Ending it sends nothing. */
  | { readonly kind: "answer"; readonly line: Line }
  | {
      readonly kind: "word";
      readonly line: Line;
      /** When the first and the last of its letters came; null while there are none. */
      readonly letters: { readonly firstAt: number; readonly lastAt: number } | null;
      readonly expected: string;
      /** What the word gives. */
      readonly yes: GivenYes;
    }
  | { readonly kind: "filter"; readonly line: Line };

/** What is read instead of the queue. */
export interface Page {
  readonly kind: "history" | "help" | "why";
  readonly scroll: number;
}

/** Something that a person was told. */
export interface Noted {
  /** Safe to print, of any length. */
  readonly text: string;
  readonly isWarning: boolean;
  readonly topic: Topic;
  readonly at: number;
  /** Of how many requests it tells, where it tells of several in one. */
  readonly count?: number;
}

/**
 * What a notice is about: something that happened; what the person just did, which nobody needs to know any more when
 * what it was about is gone; what arrives while something is typed; or rows that went because their server died.
 */
export type Topic = "news" | "hint" | "arrivals" | "vanished";

/** Since when nothing happened that keeps keys from deciding. */
export interface Quiet {
  /** The last key, or paste. */
  readonly keyAt: number;
  /** The key that is handled was pressed after this. */
  readonly since: number;
  /** The card appeared, changed or was selected, or the terminal was resized or regained focus: when that was drawn. */
  readonly cardAt: number;
  /** Does what has been since `cardAt` stand on the terminal? */
  readonly isDrawn: boolean;
  /** The text that is being typed was begun, or the person was told that what is shown changed since. */
  readonly typedAt: number;
}

/** What is known of an answer of this face: nothing yet, how it ended, or that the request has left the queue. */
export type Sent = "under way" | "told" | "left";

/** The next model, and what the shell is to do. */
export interface Stepped {
  readonly model: Model;
  readonly effects: readonly Effect[];
}

/** `model` and nothing to do. */
export function still(model: Model): Stepped {
  return { model, effects: [] };
}

/** What a face knows before it has looked at anything. `at` is monotonic, `now` wall time. */
export function initialModel({
  size,
  place,
  at,
  now,
  isLinear = false,
}: {
  readonly size: Size;
  readonly place: Place;
  readonly at: number;
  readonly now: number;
  readonly isLinear?: boolean;
}): Model {
  return {
    size,
    now,
    place,
    inbox: { requests: [], newer: [], unreadable: [], detached: [], health: { kind: "watching" }, files: [] },
    detached: new Set(),
    late: null,
    queue: { entries: [], selected: 0, filter: "", listed: new Set() },
    card: null,
    prompt: null,
    box: isLinear ? emptyLine : null,
    page: null,
    history: null,
    notices: [],
    quiet: { keyAt: at, since: at, cardAt: at, isDrawn: false, typedAt: at },
    sent: new Map(),
    replies: new Map(),
    past: new Map(),
    unopened: 0,
    isLinear,
  };
}

/** The request that `entry` stands for; null where it stands for many. */
export function requestOf(entry: Entry): Request | null {
  switch (entry.kind) {
    case "one":
      return entry.request;
    case "late":
      return entry.late.request;
    case "many":
      return null;
    default:
      return entry satisfies never;
  }
}

/** The approval that `entry` stands for, else null. */
export function approvalOf(entry: Entry): ApprovalRequest | null {
  const request = requestOf(entry);
  return request?.kind === "approval" ? request : null;
}

/** Has the input box text? Then nothing new may come before the eyes of whoever types it. */
export function hasText({ box }: Pick<Model, "box">): boolean {
  return box !== null && box.text !== "";
}
