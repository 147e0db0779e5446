/** How many asks and calls a gate lets through: what a bucket gives, and who waits. */
import { describe, expect, it } from "vitest";
import { createLimits, type LimitSettings } from "../../../../src/server/gate/calls/limits.js";
import { FakeClock } from "../../../support/fake-clock.js";

const usual: LimitSettings = { asksPerMinute: 60, maxConcurrentWrites: 2 };

function limits(settings: () => LimitSettings = () => usual) {
  const clock = new FakeClock();
  return { clock, ...createLimits(settings, clock) };
}

describe("asks", () => {
  it("come 30 at once, and then as fast as the settings say", () => {
    const { clock, ask } = limits();
    for (let at = 0; at < 30; at += 1) expect(ask(`a${at}`)).toBeNull();
    expect(ask("more")).toBe(1_000);
    clock.advance(999);
    expect(ask("more")).toBe(1);
    clock.advance(1);
    expect([ask("more"), ask("another")]).toEqual([null, 1_000]);
  });

  it("are never more than 30 at once, however long nobody asked", () => {
    const { clock, ask } = limits();
    clock.advance(86_400_000);
    const taken = Array.from({ length: 40 }, (_, at) => ask(`a${at}`));
    expect(taken.filter((one) => one === null)).toHaveLength(30);
  });

  it("cost nothing for what somebody is being asked about already", () => {
    const { ask, asked, over } = limits();
    expect(ask("same")).toBeNull();
    asked("same");
    for (let at = 0; at < 100; at += 1) expect(ask("same")).toBeNull();
    for (let at = 0; at < 29; at += 1) expect(ask(`a${at}`)).toBeNull();
    over("same");
    expect(ask("same")).toBe(1_000);
  });

  it("give back what was taken and asked nobody", () => {
    const { ask, giveBack } = limits();
    for (let at = 0; at < 30; at += 1) ask(`a${at}`);
    giveBack("a0");
    expect([ask("again"), ask("more")]).toEqual([null, 1_000]);
  });

  it("follow the settings as they are at each call", () => {
    let asksPerMinute = 60;
    const { clock, ask } = limits(() => ({ ...usual, asksPerMinute }));
    for (let at = 0; at < 30; at += 1) ask(`a${at}`);
    asksPerMinute = 6;
    expect(ask("x")).toBe(10_000);
    clock.advance(10_000);
    expect(ask("x")).toBeNull();
  });
});

describe("calls that are let through", () => {
  const never = new AbortController().signal;

  it("run as many at a time as the settings say, and others in the order in which they came", async () => {
    const { enter } = limits();
    const order: string[] = [];
    const leave = [await enter(never), await enter(never)];
    const third = enter(never).then((left) => {
      order.push("third");
      return left;
    });
    const fourth = enter(never).then(() => order.push("fourth"));
    await Promise.resolve();
    expect(order).toEqual([]);
    leave[0]?.();
    // The same call over twice is over once.
    leave[0]?.();
    const left = await third;
    expect(order).toEqual(["third"]);
    left();
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
  });

  it("leave their place in the queue when they are cancelled", async () => {
    const { enter } = limits();
    const leave = await enter(never);
    await enter(never);
    const cancelled = new AbortController();
    const waiting = enter(cancelled.signal);
    const next = enter(never);
    cancelled.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
    await expect(enter(AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    leave();
    (await next)();
    expect(await enter(never)).toBeTypeOf("function");
  });
});
