/** What the waits of one approver share. */
import type { Clock } from "../system/clock.js";
import type { Gone } from "./call.js";
import type { DialogUse } from "./dialog-use.js";
import type { Write } from "./journal.js";
import type { Leavings } from "./leavings.js";
import type { Notices } from "./notices.js";
import type { Placed, PlaceOptions } from "./place.js";
import type { Decided } from "./race.js";
import type { PreparedRule } from "./rules.js";
import type { Unspent } from "./unspent.js";

/** Where they ask and what they leave behind, and who hears how far each has come. */
export interface WaitParts<Wait> {
  readonly write: Write;
  readonly clock: Clock;
  readonly placing: PlaceOptions;
  readonly dialogs: DialogUse;
  /** In `RaceStart` it says what this is. */
  readonly unseenAnswerMs: number;
  readonly whyGone: (signal: AbortSignal) => Gone | null;
  /** Whoever closes the approver ends every wait in turn; the last call that its caller gives up meanwhile ends none. */
  readonly isClosing: () => boolean;
  readonly notices: Notices;
  readonly unspent: Pick<Unspent, "keep" | "takeBack">;
  readonly leavings: Leavings;
  /** Does another wait for the same, as from another thread? */
  readonly isAskedElsewhere: (wait: Wait) => boolean;
  /** It can be answered from here on, until `onDecided`. */
  readonly onRacing: (wait: Wait, placed: Placed) => void;
  /** What is returned is the rule of a yes that decided. */
  readonly onDecided: (wait: Wait, placed: Placed, decided: Decided) => PreparedRule | null;
  /** No call may join it any more. May be called several times. */
  readonly onClosed: (wait: Wait) => void;
}
