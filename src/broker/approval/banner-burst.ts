/**
 * The budget of the banners about requests. Invariant: none is dropped. What is over the budget is held for seconds
 * and told together, in one banner, unless it was settled before.
 */
import type { Clock, Timer } from "../system/clock.js";
import type { WaitingSource } from "./banner-text.js";

/** What a banner is to tell: that a wait began, or that it goes on. */
export interface DueNotice<Wait> {
  readonly wait: Wait;
  readonly source: WaitingSource;
}

/** What is due, on its way to a notifier. */
export interface BannerBurst<Wait> {
  /** Told now, or with others as soon as the budget allows. One that is held already is told once. */
  offer(due: DueNotice<Wait>): void;
  /** Nothing that is held for it is told any more. */
  settle(wait: Wait): void;
}

/** More than so many banners at once hide each other. */
const mostAtOnce = 5;
/** At most this long is one held, and so often comes a banner while a flood lasts. */
const refillMs = 10_000;

/** `onTell` gets one notice for a banner of its own, or several for one that counts them. */
export function createBannerBurst<Wait>(
  clock: Clock,
  onTell: (due: readonly DueNotice<Wait>[]) => void,
): BannerBurst<Wait> {
  const held = new Map<Wait, DueNotice<Wait>>();
  let left = mostAtOnce;
  let refilledAt = clock.monotonic();
  let timer: Timer | null = null;

  function refill(): void {
    const more = Math.floor((clock.monotonic() - refilledAt) / refillMs);
    left = Math.min(mostAtOnce, left + more);
    refilledAt = left === mostAtOnce ? clock.monotonic() : refilledAt + more * refillMs;
  }

  function tell(due: readonly DueNotice<Wait>[]): void {
    left -= 1;
    onTell(due);
  }

  function run(): void {
    timer = null;
    refill();
    if (left === 0) {
      arm();
      return;
    }
    const due = [...held.values()];
    held.clear();
    tell(due);
  }

  function arm(): void {
    if (timer !== null || held.size === 0) return;
    timer = clock.after(Math.max(0, refilledAt + refillMs - clock.monotonic()), run);
  }

  return {
    offer(due) {
      refill();
      if (left > 0 && held.size === 0) {
        tell([due]);
        return;
      }
      if (!held.has(due.wait)) held.set(due.wait, due);
      arm();
    },
    settle(wait) {
      held.delete(wait);
      if (held.size > 0) return;
      timer?.cancel();
      timer = null;
    },
  };
}
