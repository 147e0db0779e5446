/** What a person is told of an agent that asks the same again and again while nobody answers. */
import { expect, it } from "vitest";
import { createNotices } from "../../../src/broker/approval/create-notices.js";
import { asking, calm, keepingIn, world } from "../../support/asking.js";
import { FakeNotifier } from "../../support/fake-notifier.js";

const minuteMs = 60_000;

/** An approver whose banners are those of a real server. */
function bench(timeoutSeconds: number) {
  const shared = world();
  const { clock } = shared;
  const notifier = new FakeNotifier(clock);
  const postedAt: number[] = [];
  const start = () => {
    const notices = createNotices({
      clock,
      notifiers: [notifier],
      delaySeconds: 10,
      timeoutSeconds,
      answering: ({ id }) => `wisp approvals approve ${id}`,
      listing: "wisp approvals pending",
      onReceipt: async ({ outcome }) => void (outcome === "posted" && postedAt.push(clock.monotonic())),
    });
    return asking({ world: shared, ...keepingIn(shared), timeoutSeconds, notices });
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.advance(1_000);
      await calm();
    }
  };
  return { clock, notifier, postedAt, start, pass };
}

it.each([1, 9])(
  "an agent that repeats its call %i min after each time-out is heard of in every life of its request",
  async (pauseMinutes) => {
    const { clock, postedAt, start, pass } = bench(600);
    const agent = start();
    const lives: [number, number][] = [];
    const nightMs = 8 * 60 * minuteMs;
    for (const from = clock.monotonic(); clock.monotonic() - from < nightMs; ) {
      const begunAt = clock.monotonic();
      const { outcome } = await agent.ask();
      await pass(10 * minuteMs);
      expect((await outcome).name).toBe("timed_out");
      lives.push([begunAt, clock.monotonic()]);
      await pass(pauseMinutes * minuteMs);
    }
    const told = lives.map(([from, until]) => postedAt.filter((at) => at >= from && at <= until).length);
    // At once and half-way; then the half-way one alone where that is less than ten minutes before the next call.
    expect(told).toEqual(pauseMinutes === 1 ? [2, ...Array(told.length - 1).fill(1)] : told.map(() => 2));
  },
);

it("an agent whose calls never live until they are reminded of is heard of again when ten minutes are over", async () => {
  const { clock, postedAt, start, pass } = bench(3_600);
  const from = clock.monotonic();
  for (let round = 0; round < 12; round += 1) {
    // A server of its own each time, as one client does.
    const { controller, outcome } = await start().ask();
    await pass(4 * minuteMs);
    controller.abort();
    await outcome;
  }
  expect(postedAt.map((at) => (at - from) / minuteMs)).toEqual([0, 12, 24, 36]);
});

it("a banner that could not be posted told nobody: the same is announced when it is asked again", async () => {
  const { notifier, start, pass } = bench(600);
  const agent = start();
  notifier.fault = "no bus";
  for (const posted of [0, 1, 1]) {
    const { controller, outcome } = await agent.ask();
    await pass(1_000);
    controller.abort();
    await outcome;
    expect(notifier.shown).toHaveLength(posted);
    notifier.fault = null;
  }
});
