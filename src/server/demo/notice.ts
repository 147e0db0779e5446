/** Waiting for something to appear in the channel. */
import type { Channel, Clock } from "../../broker/index.js";

/** What is waited for, and what may have brought it. */
export interface NoticeOptions<T> {
  readonly channel: Pick<Channel, "changes">;
  readonly clock: Clock;
  /** What is waited for, or null while it is not there. */
  readonly look: () => T | null;
  readonly signal: AbortSignal;
}

/** A wait that others can hurry, and end. */
export interface Notice<T> {
  /** Null when `signal` was aborted or it was not there in time. Rejects with what `look` throws, and by `fail`. */
  readonly found: Promise<T | null>;
  /** Looks now: somebody has told that it may be there. */
  readonly look: () => void;
  /** Looks now, and gives up in `ms` milliseconds: nothing more is to be expected but what is on its way. */
  readonly endIn: (ms: number) => void;
  readonly fail: (error: unknown) => void;
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
    endIn(ms) {
      check();
      const timer = clock.after(ms, giveUp, true);
      found.then(timer.cancel, timer.cancel);
    },
    fail: (error) => fail(error),
  };
}
