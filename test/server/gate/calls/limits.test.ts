/** How many asks and calls a gate lets through: what a bucket gives, and who waits. */
import { describe, expect, it } from "vitest";
import {
  type AskTicket,
  createLimits,
  type LimitSettings,
  type Limits,
} from "../../../../src/server/gate/calls/limits.js";
import { FakeClock } from "../../../support/fake-clock.js";

const usual: LimitSettings = { asksPerMinute: 60, maxConcurrentWrites: 2 };

function limits(settings: () => LimitSettings = () => usual) {
  const clock = new FakeClock();
  return { clock, ...createLimits(settings, clock) };
}

/** What `ask` gives for a key: a ticket is there, or so many milliseconds. */
function asking(limits: Pick<Limits, "ask">, ...keys: readonly string[]): readonly (number | "taken")[] {
  return keys.map((key) => {
    const ticket = limits.ask(key);
    return typeof ticket === "number" ? ticket : "taken";
  });
}

function ticketFor(limits: Pick<Limits, "ask">, key: string): AskTicket {
  const ticket = limits.ask(key);
  if (typeof ticket === "number") throw new Error(`There is no ask for ${key}.`);
  return ticket;
}

/** Takes so many asks, for calls that nobody else makes. */
function taken(limits: Pick<Limits, "ask">, count: number): readonly AskTicket[] {
  return Array.from({ length: count }, (_, at) => ticketFor(limits, `a${at}`));
}

describe("asks", () => {
  it("come 30 at once, and then as fast as the settings say", () => {
    const { clock, ...gate } = limits();
    taken(gate, 30);
    expect(asking(gate, "more")).toEqual([1_000]);
    clock.advance(999);
    expect(asking(gate, "more")).toEqual([1]);
    clock.advance(1);
    expect(asking(gate, "more", "another")).toEqual(["taken", 1_000]);
  });

  it("are never more than 30 at once, however long nobody asked", () => {
    const { clock, ...gate } = limits();
    clock.advance(86_400_000);
    taken(gate, 30);
    expect(asking(gate, "more")).toEqual([1_000]);
  });

  it("cost nothing for what somebody is being asked about already", () => {
    const gate = limits();
    const first = ticketFor(gate, "same");
    first.asked(null);
    for (let at = 0; at < 100; at += 1) {
      const joining = ticketFor(gate, "same");
      joining.asked(null);
      joining.done();
    }
    taken(gate, 29);
    expect(asking(gate, "same", "other")).toEqual(["taken", 1_000]);
    first.over();
    expect(asking(gate, "same")).toEqual([1_000]);
  });

  it("cost one for two calls that come at once and are one ask", () => {
    const gate = limits();
    const [first, second] = [ticketFor(gate, "same"), ticketFor(gate, "same")];
    first.asked(null);
    second.asked(null);
    taken(gate, 29);
    expect(asking(gate, "other")).toEqual([1_000]);
  });

  it("cost as any other once the time of the ask is over, also where nobody came for the answer", () => {
    const { clock, ...gate } = limits();
    for (const ticket of taken(gate, 30)) ticket.asked(clock.monotonic() + 500);
    clock.advance(499);
    expect(asking(gate, "a0", "new")).toEqual(["taken", 501]);
    clock.advance(1);
    expect(asking(gate, "a0")).toEqual([500]);
    clock.advance(500);
    expect(asking(gate, "a0", "a1")).toEqual(["taken", 1_000]);
  });

  it("give back what was taken and asked nobody, once", () => {
    const gate = limits();
    const [first] = taken(gate, 30);
    first?.done();
    first?.done();
    expect(asking(gate, "again", "more")).toEqual(["taken", 1_000]);
  });

  it("give nothing back for a call that took nothing: the answer to what was asked before is its", () => {
    const gate = limits();
    for (const ticket of taken(gate, 30)) ticket.asked(null);
    const redeeming = ticketFor(gate, "a0");
    redeeming.over();
    redeeming.done();
    expect(asking(gate, "more")).toEqual([1_000]);
  });

  it("are owed where the ask that a call was to join is over, and a person is asked anew", () => {
    const { clock, ...gate } = limits();
    for (const ticket of taken(gate, 30)) ticket.asked(null);
    const [free, other] = [ticketFor(gate, "a0"), ticketFor(gate, "a0")];
    other.over();
    free.asked(null);
    expect(asking(gate, "more")).toEqual([2_000]);
    clock.advance(2_000);
    expect(asking(gate, "more")).toEqual(["taken"]);
  });

  it("follow the settings as they are at each call", () => {
    let asksPerMinute = 60;
    const { clock, ...gate } = limits(() => ({ ...usual, asksPerMinute }));
    taken(gate, 30);
    asksPerMinute = 6;
    expect(asking(gate, "x")).toEqual([10_000]);
    clock.advance(10_000);
    expect(asking(gate, "x")).toEqual(["taken"]);
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
