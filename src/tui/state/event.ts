/** What happens to the full-screen face, and what it asks its shell to do. */
import type { AnswerEnding, LateRequest, Request } from "../../broker/index.js";
import type { Given } from "../../face/answer.js";
import type { HistoryEntry } from "../../face/history.js";
import type { InboxState, Left } from "../../face/inbox.js";
import type { LateEnding } from "../../face/late-box.js";
import type { View } from "../../face/view.js";
import type { Size } from "../screen/screen.js";

/** One key, as the terminal sent it. */
export interface Key {
  /**
   * The text that it types, one character; "" for a key that types none. Never text that was pasted: that is an event of
   * its own.
   */
  readonly text: string;
  /** `return`, `escape`, `tab`, `backspace`, `delete`, `up`, `down`, `left`, `right`, `pageup`, `pagedown`, `home`, `end`, `space`; else "". */
  readonly name: string;
  readonly isControl: boolean;
  readonly isMeta: boolean;
  readonly isShift: boolean;
}

/** Times are monotonic milliseconds unless they say otherwise. */
export type Event =
  /**
   * `at` is when it was read. It was pressed after `since`: nothing had been sent then. -Infinity where nobody can tell,
   * because it came together with something else, as what is pasted does.
   */
  | { readonly kind: "key"; readonly key: Key; readonly at: number; readonly since: number }
  /** Something was sent that is no key. */
  | { readonly kind: "noise"; readonly at: number }
  /** All that had happened until `until` stands on the terminal at `at`. */
  | { readonly kind: "drawn"; readonly until: number; readonly at: number }
  | { readonly kind: "pasted"; readonly text: string; readonly at: number }
  | { readonly kind: "resized"; readonly size: Size; readonly at: number }
  | { readonly kind: "focused"; readonly at: number }
  /** The channel as it is now, and what of it is new. `now` is wall time. */
  | {
      readonly kind: "inbox";
      readonly state: InboxState;
      readonly arrived: readonly Request[];
      readonly at: number;
      readonly now: number;
    }
  /** `own` is true when this face's own answer ended it. */
  | {
      readonly kind: "left";
      readonly request: Request;
      readonly ending: Left | null;
      readonly at: number;
      /** Does the state after it follow before anything is drawn? Then that alone puts the queue in order. */
      readonly isMore?: boolean;
    }
  /** What `look` found: the card, whether it may be approved, and what is wrong with it. */
  | { readonly kind: "looked"; readonly id: string; readonly view: View; readonly at: number }
  | { readonly kind: "late"; readonly requests: readonly LateRequest[]; readonly at: number }
  | { readonly kind: "history"; readonly entries: readonly HistoryEntry[]; readonly at: number }
  /** What became of an answer of this face; `error` where it could not be given, in a text that is safe to print. */
  | {
      readonly kind: "answered";
      readonly request: Request;
      readonly given: Given;
      readonly ending: AnswerEnding | { readonly kind: "error"; readonly text: string };
      readonly at: number;
    }
  | {
      readonly kind: "answered-late";
      readonly request: Request;
      readonly given: Given;
      readonly ending: LateEnding | { readonly kind: "error"; readonly text: string };
      readonly at: number;
    }
  /** Its server has been silent for 3 s. */
  | { readonly kind: "silent"; readonly id: string; readonly at: number }
  /** Once a second while a countdown is visible. `now` is wall time. */
  | { readonly kind: "tick"; readonly at: number; readonly now: number };

/** What the shell is to do. Nothing is answered but through here. */
export type Effect =
  | { readonly kind: "look"; readonly id: string }
  | { readonly kind: "answer"; readonly request: Request; readonly given: Given }
  | { readonly kind: "answer-late"; readonly request: Request; readonly given: Given }
  | { readonly kind: "load-history" }
  | { readonly kind: "load-late" }
  /** Rings the bell of the terminal: something new waits. */
  | { readonly kind: "ring" }
  | { readonly kind: "quit" };
