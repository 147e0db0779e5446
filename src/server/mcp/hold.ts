/**
 * For how long a call is held while its request waits for a person. Clients give up, mostly by the wall clock and
 * whatever they hear meanwhile: a result that says that the request still waits is worth more than none.
 */
import { type ApprovalSettings, type ClientFacts, type Clock, createDeadlines } from "../../broker/index.js";
import type { Peer } from "./peer.js";

/** Calls that are held. */
export interface Holds {
  /** Calls `onEnd` once when `ms` have passed; the function it returns ends the hold before that. */
  start(ms: number, onEnd: () => void): () => void;
}

/** What a hold depends on. */
export interface HoldFacts {
  /** Seconds from the command line, where set-up wrote them beside the client's own limit; null where it wrote none. */
  readonly flag: number | null;
  readonly settings: Pick<ApprovalSettings, "timeoutSeconds">;
  readonly client: Pick<ClientFacts, "hold" | "holdSeconds">;
  readonly peer: Pick<Peer, "progressToken">;
}

/**
 * In seconds; null until the request's own time is over. What the person configured counts first, for this client before
 * all; then what set-up wrote; then what is known of the client.
 */
export function holdSecondsOf({ flag, settings, client, peer }: HoldFacts): number | null {
  const { timeoutSeconds } = settings;
  const { holdSeconds } = client;
  const known = peer.progressToken === null ? client.hold.silent : client.hold.beating;
  const seconds = holdSeconds === "auto" ? (flag ?? known) : holdSeconds;
  // Whichever comes first ends the call, and at the same instant it is the end of the request that counts.
  const isLonger = seconds !== null && timeoutSeconds !== 0 && seconds >= timeoutSeconds;
  return isLonger ? null : seconds;
}

/** The shorter of the two, both in seconds; null for neither, and where the request's own time is over first. */
export function atMost(
  seconds: number | null,
  most: number | null,
  { timeoutSeconds }: Pick<ApprovalSettings, "timeoutSeconds">,
): number | null {
  if (most === null) return seconds;
  const shorter = Math.min(seconds ?? Number.POSITIVE_INFINITY, most);
  return timeoutSeconds !== 0 && shorter >= timeoutSeconds ? null : shorter;
}

/** Polling a call that returns at once any faster only fills the caller's memory. */
const leastRepeatSeconds = 30;

/** After how many seconds a call that returned is worth repeating: one that is held takes its time by itself. */
export function repeatSecondsOf(held: number | null): number {
  return Math.max(held ?? 0, leastRepeatSeconds);
}

/** The holds of one connection. Invariant: one timer, however many calls are held. */
export function createHolds(clock: Clock): Holds {
  const holds = createDeadlines<Hold>(clock, ({ onEnd }) => onEnd());
  return {
    start(ms, onEnd) {
      const hold = { onEnd };
      holds.add(hold, ms);
      return () => holds.remove(hold);
    },
  };
}

interface Hold {
  readonly onEnd: () => void;
}
