/** The budget of the `notify` tool: an agent that talks too much is refused, and told when it may talk again. */
import type { Clock } from "../system/clock.js";
import type { Notifier } from "./notifier.js";
import { receiptOf, shownBanner, skippedRoute } from "./shown-banner.js";

const minuteMs = 60_000;

/**
 * Lets at most `most` banners through to `notifier` in any 60 s; one for each connection. What is over it ends as
 * `refused`, says why under the route `notify`, and uses nothing up.
 */
export function createPerMinuteNotifier(notifier: Notifier, clock: Clock, most: number): Notifier {
  /** When the latest were let through, oldest first; monotonic. */
  const passed: number[] = [];
  return {
    async post(banner, signal) {
      const now = clock.monotonic();
      while (passed[0] !== undefined && passed[0] <= now - minuteMs) passed.shift();
      if (passed.length < most) {
        passed.push(now);
        return notifier.post(banner, signal);
      }
      const why = `at most ${most} a minute${againIn(passed[0], now)}`;
      const how = { outcome: "refused", route: null, skipped: [skippedRoute("notify", why)] } as const;
      return receiptOf(shownBanner(banner), how, clock.now());
    },
  };
}

function againIn(oldest: number | undefined, now: number): string {
  return oldest === undefined ? "" : `; again in ${Math.ceil((oldest + minuteMs - now) / 1_000)} s`;
}
