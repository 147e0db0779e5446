/** The desktop of a person who wants no banners on it. */
import type { Clock } from "../system/clock.js";
import type { Notifier } from "./notifier.js";
import { receiptOf, shownBanner, skippedRoute } from "./shown-banner.js";

/** Posts nothing and starts nothing: each banner ends as `refused`, with the key that says so. */
export function createSwitchedOffNotifier(clock: Clock): Notifier {
  const skipped = [skippedRoute("desktop", "switched off (notify.enabled)")];
  return {
    async post(banner) {
      return receiptOf(shownBanner(banner), { outcome: "refused", route: null, skipped }, clock.now());
    },
  };
}
