/** No test may put a banner on the desktop of whoever runs it, whatever that desktop is. */
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { createDesktopNotifier } from "../../src/broker/notify/desktop.js";
import { createLaunch, type Launch } from "../../src/broker/notify/launch.js";
import type { Desktop } from "../../src/broker/notify/route.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { standIns } from "../support/no-banners.js";
import { never, testBanner } from "../support/notifier-contract.js";

const desktops: readonly Desktop[] = ["mac", "windows", "freedesktop"];

it.each(desktops)("on %s a banner of a program that a test starts ends in a stand-in", async (desktop) => {
  const started: string[] = [];
  const start = createLaunch(systemClock);
  const launch: Launch = (program, signal) => {
    started.push(dirname(program.path));
    // Whatever else is reached must not be started here either.
    if (dirname(program.path) !== standIns) return Promise.resolve({ ending: "cancelled" });
    return start(program, signal);
  };
  const notifier = createDesktopNotifier({
    clock: systemClock,
    launch,
    desktop,
    environment: process.env,
    nodeNotifier: () => "/there/is/none",
  });
  expect(await notifier.post(testBanner(), never)).toMatchObject({ outcome: "posted", skipped: [] });
  expect(started).toEqual([standIns]);
});
