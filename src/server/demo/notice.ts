/** Waiting for something to appear in the channel. */
import type { Channel, Clock } from "../../broker/index.js";

export interface NoticeOptions<T> {
  readonly channel: Pick<Channel, "changes">;
  readonly clock: Clock;
  /** What is waited for, or null while it is not there. */
  readonly look: () => T | null;
  readonly signal: AbortSignal;
}

export interface Notice<T> {
  /** Null when `signal` was aborted, or when it was not there soon after the end. Rejects with what `look` throws. */
  readonly found: Promise<T | null>;
  /** Looks now: somebody has told that it may be there. */
  readonly look: () => void;
  /** Nothing more is to be expected but what is on its way. */
  readonly endSoon: () => void;
}

/** Looks at once, and whenever the channel changes. */
export function notice<T>({ channel, clock, look, signal }: NoticeOptions<T>): Notice<T> {
  let keep: (value: T | null) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const found = new Promise<T | null>((resolve, reject) => {
    keep = resolve;
    fail = reject;
  });
  const check = (): void => {
    try {
      const seen = look();
      if (seen !== null) keep(seen);
    } catch (error) {
      fail(error);
    }
  };
  const giveUp = (): void => keep(null);
  const stop = channel.changes(check);
  const finish = (): void => {
    stop();
    signal.removeEventListener("abort", giveUp);
  };
  found.then(finish, finish);
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  else check();
  return {
    found,
    look: check,
    endSoon() {
      check();
      const timer = clock.after(onItsWayMs, giveUp, true);
      found.then(timer.cancel, timer.cancel);
    },
  };
}

/** A server settles a call that was given up within two seconds. */
const onItsWayMs = 5_000;
