/** What the waits of one connection share: where they ask, where that is written down, and who tells a person. */
import type { Clock } from "../system/clock.js";
import type { Gone } from "./call.js";
import type { DialogUse } from "./dialog-use.js";
import type { Write } from "./journal.js";
import type { Notices } from "./notices.js";
import type { PlaceOptions } from "./place.js";

/** How a request waits; read anew when it begins, and fixed for it from there on. */
export interface WaitTimes {
  /** How long a person has; 0 waits for ever. */
  readonly timeoutSeconds: number;
  /** In `RaceStart` it says what this is. */
  readonly unseenAnswerMs: number;
}

/** Whatever is asked. */
export interface WaitParts {
  readonly write: Write;
  readonly clock: Clock;
  readonly placing: Omit<PlaceOptions, "timeoutMs">;
  readonly dialogUse: DialogUse;
  readonly times: WaitTimes;
  readonly whyGone: (signal: AbortSignal) => Gone | null;
  /** Whoever closes the connection ends every wait in turn; the last call that its caller gives up meanwhile ends none. */
  readonly isClosing: () => boolean;
  readonly notices: Notices;
}
