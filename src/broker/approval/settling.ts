/** A request that is decided, on its way to what each call is told. */
import type { Bound } from "../grants/grant-store.js";
import type { Likeness } from "../request/likeness.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Call, Gone } from "./call.js";
import type { DecisionSlot } from "./decision-slot.js";
import type { Write } from "./journal.js";
import type { Leavings } from "./leavings.js";
import type { NoticeEnd } from "./notices.js";
import type { Decided } from "./race.js";
import type { Unspent } from "./unspent.js";
import type { Lasting } from "./wider-yes.js";

/** One that is to be told. */
export type WaitingCall = Omit<Call, "earlier">;

/** A request that is decided, and the calls that wait for it. */
export interface Settling {
  readonly request: ApprovalRequest;
  readonly slot: DecisionSlot;
  readonly decided: Decided;
  /** What a yes is to leave beyond its calls. */
  readonly lasting: Lasting;
  readonly likeness: Likeness;
  /** What became of its banner. */
  readonly banner: NoticeEnd;
  /** In monotonic milliseconds; the calls' own times are too. */
  readonly decidedAt: number;
  /** When the first call asked. */
  readonly startedAt: number;
  /** In order of arrival. */
  readonly calls: readonly WaitingCall[];
  readonly write: Write;
  /** Why nothing may run for a caller any more, or null. */
  readonly whyGone: (signal: AbortSignal) => Gone | null;
  /** What a yes is bound to that no call waits for. */
  readonly bound: Bound;
  readonly unspent: Pick<Unspent, "keep" | "takeBack">;
  readonly leavings: Pick<Leavings, "leave">;
  /** Another call took the place of those that could come back to this one. */
  readonly isReplaced: boolean;
  /** The id of the run of a call. */
  readonly runOf: (call: object) => string;
  /** Does another request wait for the same? */
  readonly isAskedElsewhere: () => boolean;
}
