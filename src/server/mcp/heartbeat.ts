/**
 * Progress while a call is held, so that clients that count silence keep it. Only where the caller asked for
 * progress.
 */
import type { Clock } from "../../broker/index.js";
import type { CallWire } from "./call-wire.js";
import type { Elsewhere } from "./elsewhere.js";
import type { Peer } from "./peer.js";

/** Progress of one call. Where the caller asked for none, it says nothing. */
export interface Heartbeat {
  /** Sends `text()` at once and with every beat from now on. */
  says(text: () => string): void;
  stop(): void;
}

/** Idle limits of clients begin at 60 s, and some look at theirs only now and then. */
const periodMs = 10_000;

/**
 * Beats every 10 s from the first text until stopped. `notify` is the call's own way to send; a beat that cannot
 * be sent is lost: the end of the connection ends the call by itself.
 */
export function startHeartbeat(
  peer: Pick<Peer, "progressToken">,
  notify: CallWire["notify"],
  clock: Clock,
): Heartbeat {
  const { progressToken } = peer;
  if (progressToken === null) return { says: () => undefined, stop: () => undefined };
  let progress = 0;
  let text = (): string => "";
  const beat = (): void => {
    progress += 1;
    const params = { progressToken, progress, message: text() };
    notify({ method: "notifications/progress", params }).catch(() => {
      // The connection is gone.
    });
  };
  const timer = clock.every(periodMs, beat);
  return {
    says(next) {
      text = next;
      beat();
    },
    stop: () => timer.cancel(),
  };
}

/** Where to answer, and how long is left until `endsAt`, in monotonic milliseconds; null for a wait without end. */
export function waitingText(
  endsAt: number | null,
  { answering, why }: Elsewhere,
  clock: Clock,
): () => string {
  const place = answering === null ? "in the client's dialog" : `in a terminal: ${answering}`;
  const where = `Waiting for a person. Answer ${place}`;
  const besides = why === null ? "" : `. ${why}`;
  if (endsAt === null) return () => `${where}${besides}`;
  return () => `${where} (${timeLeft(endsAt - clock.monotonic())} left)${besides}`;
}

function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
