import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { createUpkeep } from "../../../src/broker/channel/upkeep.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { approvalDraft, approvalRequest } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { madeHome, openAsker, ownServer, tempHome } from "../../support/temp-home.js";

/** A request whose server left no record, filed long before the fake clock's now. */
function plantStale(home: Home): string {
  const request = approvalRequest({}, { createdAt: 1, server: { ...ownServer, instance: "z".repeat(16) } });
  writeFileSync(join(home.pending, requestFileName(request)), JSON.stringify(request), { mode: 0o600 });
  return request.id;
}

function upkeepOf(home: Home) {
  const clock = new FakeClock();
  const { channel } = openAsker(home, { clock });
  const swept: string[] = [];
  const upkeep = createUpkeep({
    home,
    clock,
    channel,
    instance: ownServer.instance,
    liveness: () => "gone",
    onDecidedFact: () => {},
    onSwept: (all) => swept.push(...all.map((one) => one.id)),
  });
  return { clock, channel, upkeep, swept };
}

test("the first ask sweeps, after the ask itself, and further ones at most once a minute", () => {
  const home = madeHome();
  const { clock, channel, upkeep, swept } = upkeepOf(home);
  channel.file(approvalDraft(), []);
  const first = plantStale(home);
  upkeep();
  expect(swept).toEqual([]);
  clock.advance(1);
  expect(swept).toEqual([first]);
  const second = plantStale(home);
  upkeep();
  clock.advance(59_000);
  upkeep();
  expect(swept).toEqual([first]);
  clock.advance(1_000);
  upkeep();
  clock.advance(1);
  expect(swept).toEqual([first, second]);
});

test("a server's own requests are never swept by it", () => {
  const home = madeHome();
  const { clock, channel, upkeep, swept } = upkeepOf(home);
  const request = channel.file(approvalDraft(), []);
  upkeep();
  clock.advance(1);
  expect(swept).toEqual([]);
  expect(readdirSync(home.pending)).toContain(requestFileName(request));
});

test("a home that does not exist is not made by sweeping", () => {
  const home = tempHome();
  const { clock, upkeep } = upkeepOf(home);
  upkeep();
  clock.advance(1);
  expect(existsSync(home.path)).toBe(false);
});
