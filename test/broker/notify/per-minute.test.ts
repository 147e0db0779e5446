import { expect, it } from "vitest";
import type { BannerReceipt } from "../../../src/broker/notify/notifier.js";
import { createPerMinute } from "../../../src/broker/notify/per-minute.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { never, testBanner } from "../../support/notifier-contract.js";

function limited(most = 5) {
  const clock = new FakeClock();
  const inner = new FakeNotifier(clock);
  const banners = createPerMinute({ notifiers: [inner], most }, clock);
  const notifier = {
    async post(...given: Parameters<typeof banners.post>): Promise<BannerReceipt> {
      const [receipt, ...others] = (await banners.post(...given)).receipts;
      if (receipt === undefined || others.length > 0) throw new Error("One place has one receipt.");
      return receipt;
    },
  };
  const post = async () =>
    (await notifier.post(testBanner({ title: "a\u0007", source: "notify" }), never)).outcome;
  const many = async (count: number) => {
    const outcomes: string[] = [];
    for (let index = 0; index < count; index += 1) outcomes.push(await post());
    return outcomes;
  };
  return { clock, inner, notifier, post, many };
}

it("the sixth in a minute is refused, says why, and is not posted", async () => {
  const { clock, inner, notifier, many } = limited();
  expect(await many(5)).toEqual(Array(5).fill("posted"));
  clock.advance(12_500);
  expect(await notifier.post(testBanner({ title: "a\u0007", source: "notify" }), never)).toEqual({
    title: "a\\u{7}",
    body: testBanner().body,
    source: "notify",
    outcome: "refused",
    route: null,
    skipped: [{ route: "notify", why: "at most 5 a minute; again in 48 s" }],
    at: clock.now(),
  });
  expect(inner.shown).toHaveLength(5);
});

it("a minute counts from each that was let through, and what was refused uses nothing up", async () => {
  const { clock, many, post } = limited();
  expect(await post()).toBe("posted");
  clock.advance(30_000);
  expect(await many(5)).toEqual([...Array(4).fill("posted"), "refused"]);
  clock.advance(29_999);
  expect(await many(3)).toEqual(Array(3).fill("refused"));
  clock.advance(1);
  expect(await many(2)).toEqual(["posted", "refused"]);
  clock.advance(30_000);
  expect(await many(5)).toEqual([...Array(4).fill("posted"), "refused"]);
});

it("one that failed counts, so that an agent cannot make programs start without end", async () => {
  const { inner, many } = limited();
  inner.fault = "no bus";
  expect(await many(6)).toEqual([...Array(5).fill("failed"), "refused"]);
});

it("of many at once no more are let through", async () => {
  const { notifier } = limited();
  const receipts = await Promise.all(Array.from({ length: 20 }, () => notifier.post(testBanner(), never)));
  expect(receipts.filter(({ outcome }) => outcome === "posted")).toHaveLength(5);
});

it("somebody who sets the wall clock makes no room", async () => {
  const { clock, many, post } = limited();
  await many(5);
  clock.jumpWallClock(3_600_000);
  expect(await post()).toBe("refused");
  clock.advance(60_000);
  expect(await post()).toBe("posted");
});

it("a budget of nothing refuses everything, and names no time", async () => {
  const { notifier, inner } = limited(0);
  const { outcome, skipped } = await notifier.post(testBanner(), never);
  expect({ outcome, skipped }).toEqual({
    outcome: "refused",
    skipped: [{ route: "notify", why: "at most 0 a minute" }],
  });
  expect(inner.shown).toEqual([]);
});

it("every place gets each that was let through, and none has a budget of its own", async () => {
  const clock = new FakeClock();
  const [near, far] = [new FakeNotifier(clock), new FakeNotifier(clock)];
  near.fault = "no bus";
  const banners = createPerMinute({ notifiers: [near, far], most: 2 }, clock);
  const outcomes = async () => {
    const { isOver, receipts } = await banners.post(testBanner(), never);
    return [isOver, ...receipts.map(({ outcome }) => outcome)];
  };
  expect([await outcomes(), await outcomes(), await outcomes()]).toEqual([
    [false, "failed", "posted"],
    [false, "failed", "posted"],
    [true, "refused"],
  ]);
  expect(far.shown).toHaveLength(2);
});
