/** Banners on the person's own desktop: the first route that works. */
import type { Clock } from "../system/clock.js";
import type { Launch } from "./launch.js";
import { launchFault } from "./launch-fault.js";
import type { Notifier, Skipped } from "./notifier.js";
import type { BannerTexts, Desktop, Route } from "./route.js";
import { routesOf } from "./routes.js";
import { receiptOf, shownBanner, skippedRoute } from "./shown-banner.js";
import type { Environment } from "./surroundings.js";

/** What is known of the machine, and how programs are started on it. */
export interface DesktopOptions {
  readonly clock: Clock;
  readonly launch: Launch;
  readonly desktop: Desktop;
  /** The server's own; programs see little of it. */
  readonly environment: Environment;
  /** Finds the entry file of the package node-notifier; throws where it is not installed. */
  readonly nodeNotifier: () => string;
}

/** Tries the routes one after another; each that did not post stands in the receipt with why. */
export function createDesktopNotifier(options: DesktopOptions): Notifier {
  const { clock, launch, desktop, environment, nodeNotifier } = options;
  const routes = routesOf(desktop, environment, nodeNotifier);
  return {
    async post(banner, signal) {
      const shown = shownBanner(banner);
      const skipped: Skipped[] = [];
      for (const route of routes) {
        const why = signal.aborted ? "cancelled" : await whyNotPosted(route, shown, launch, signal);
        if (why === null)
          return receiptOf(shown, { outcome: "posted", route: route.name, skipped }, clock.now());
        skipped.push(skippedRoute(route.name, why));
      }
      return receiptOf(shown, { outcome: "failed", route: null, skipped }, clock.now());
    },
  };
}

/** Null when `route` posted. */
async function whyNotPosted(
  route: Route,
  texts: BannerTexts,
  launch: Launch,
  signal: AbortSignal,
): Promise<string | null> {
  const program = route.prepare(texts);
  if (typeof program === "string") return program;
  return launchFault(await launch(program, signal), (printed) => route.hasPosted(printed));
}
