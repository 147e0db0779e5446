/** The budget of the `notify` tool: an agent that talks too much is refused, and told when it may talk again. */
import type { Clock } from "../system/clock.js";
import type { Banner, BannerReceipt, Notifier } from "./notifier.js";
import { receiptOf, shownBanner, skippedRoute } from "./shown-banner.js";

/** What an agent may tell a person, over all places where banners go. */
export interface BudgetedBanners {
  /** As `Notifier.post`. */
  post(banner: Banner, signal: AbortSignal): Promise<BudgetedPost>;
}

/** A receipt from each place; where the budget was used up, one that says so. */
export interface BudgetedPost {
  readonly isOver: boolean;
  readonly receipts: readonly BannerReceipt[];
}

const minuteMs = 60_000;

/** Where an agent's banners go, and how many; read anew for each. */
export interface PerMinute {
  readonly notifiers: readonly Notifier[];
  /** In any 60 s. */
  readonly most: number;
}

/**
 * Lets at most `most` banners through to `notifiers` in any 60 s; one for each connection. What is over it ends as
 * `refused`, says why under the route `notify`, and uses nothing up.
 */
export function createPerMinute(budget: PerMinute, clock: Clock): BudgetedBanners {
  /** When the latest were let through, oldest first; monotonic. */
  const passed: number[] = [];
  return {
    async post(banner, signal) {
      const now = clock.monotonic();
      const { notifiers, most } = budget;
      while (passed[0] !== undefined && passed[0] <= now - minuteMs) passed.shift();
      if (passed.length < most) {
        passed.push(now);
        const receipts = await Promise.all(notifiers.map((one) => one.post(banner, signal)));
        return { isOver: false, receipts };
      }
      const why = `at most ${most} a minute${againIn(passed[0], now)}`;
      const how = { outcome: "refused", route: null, skipped: [skippedRoute("notify", why)] } as const;
      return { isOver: true, receipts: [receiptOf(shownBanner(banner), how, clock.now())] };
    },
  };
}

function againIn(oldest: number | undefined, now: number): string {
  return oldest === undefined ? "" : `; again in ${Math.ceil((oldest + minuteMs - now) / 1_000)} s`;
}
