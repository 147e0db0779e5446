import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recentReceipts } from "../../../src/broker/channel/recent-receipts.js";
import { approvalDraft } from "../../support/builders.js";
import { openAsker, tempHome } from "../../support/temp-home.js";

it("the newest receipts come first, no more than are asked for, and what is none is passed over", () => {
  const home = tempHome();
  expect(recentReceipts(home, 5)).toEqual([]);
  const { channel } = openAsker(home);
  const ids = [1, 2, 3, 4].map(() => channel.file(approvalDraft(), []).id);
  for (const [index, id] of ids.entries()) {
    channel.settle(id, { outcome: "timed_out", taken: null, ran: false });
    // Two of the same age.
    const at = [1_000, 3_000, 2_000, 2_000][index] ?? 0;
    utimesSync(join(home.settled, `${id}.json`), at, at);
  }
  writeFileSync(join(home.settled, "zzzzzzzz.json"), "{}", { mode: 0o600 });
  mkdirSync(join(home.settled, "yyyyyyyy.json"));
  const told = recentReceipts(home, 10).map(({ id }) => id);
  expect(told[0]).toBe(ids[1]);
  expect(told.at(-1)).toBe(ids[0]);
  expect(told.toSorted()).toEqual(ids.toSorted());
  utimesSync(join(home.settled, "zzzzzzzz.json"), 1, 1);
  utimesSync(join(home.settled, "yyyyyyyy.json"), 1, 1);
  expect(recentReceipts(home, 1).map(({ id }) => id)).toEqual([ids[1]]);
});
