import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Channel } from "../../../src/broker/channel/channel.js";
import type { Asked } from "../../support/asking.js";
import { asking, calm, pushOf } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";

const many = 1_000;

/** How often each function of the channel was called. */
function counting(calls: Map<string, number>) {
  return (own: Channel): Channel =>
    new Proxy(own, {
      get(target, name: keyof Channel) {
        calls.set(name, (calls.get(name) ?? 0) + 1);
        return target[name];
      },
    });
}

async function waiting(calls = new Map<string, number>()) {
  const bench = asking({ channel: counting(calls) });
  const asked: Asked[] = Array.from({ length: many }, (_, index) =>
    bench.start({ ask: pushOf(`b${index}`) }),
  );
  await calm();
  let timers = 0;
  const after = bench.clock.after.bind(bench.clock);
  bench.clock.after = (delayMs, run) => {
    timers += 1;
    return after(delayMs, run);
  };
  return { ...bench, asked, timersSet: () => timers };
}

describe(`${many} requests waiting`, () => {
  it("cost one timer and one subscription, and none when all are settled", async () => {
    const calls = new Map<string, number>();
    const { clock, face, asked } = await waiting(calls);
    expect(clock.timers).toBe(1);
    expect(calls.get("changes")).toBe(1);
    for (const { request } of asked) face.answer(denialOf(request));
    await Promise.all(asked.map((one) => one.outcome));
    expect(clock.timers).toBe(0);
    expect(calls.get("changes")).toBe(1);
  });

  it("cost no more for one answer than one request does", async () => {
    const calls = new Map<string, number>();
    const { face, asked, timersSet } = await waiting(calls);
    calls.clear();
    const one = asked[many / 2];
    if (one === undefined) throw new Error("nothing waits");
    face.answer(answerTo(one.request));
    expect(await one.outcome).toMatchObject({ name: "approved" });
    expect(Object.fromEntries(calls)).toEqual({ take: 1, settle: 1 });
    expect(timersSet()).toBe(0);
    expect(asked.filter((other) => other.ended !== null)).toEqual([one]);
  });

  it("set no timer when they are answered one by one in any order", async () => {
    const { clock, face, asked, timersSet } = await waiting();
    const inAnyOrder = asked
      .filter((_, index) => index % 2 === 0)
      .concat(asked.filter((_, i) => i % 2 === 1));
    for (const { request, outcome } of inAnyOrder) {
      face.answer(denialOf(request));
      expect(clock.timers).toBeLessThanOrEqual(1);
      await outcome;
    }
    expect(timersSet()).toBe(0);
  });

  it("are settled at the end of the process for the newest 256, and left to a sweep for the others", async () => {
    const calls = new Map<string, number>();
    const { approver, place, face, asked } = await waiting(calls);
    const [first] = asked;
    if (first === undefined) throw new Error("nothing waits");
    // Answered in the very moment of the end: nothing runs, and the answer stays for the sweep to find.
    const calmly = approver.close("the client left");
    face.answer(answerTo(first.request));
    await calmly;
    expect(new Set(asked.map(({ ended }) => ended?.name))).toEqual(new Set(["withdrawn"]));
    expect([calls.get("withdraw"), calls.get("settle"), place.receipts.size]).toEqual([256, 256, 256]);
    expect(asked.filter(({ receipt }) => receipt !== null)).toEqual(asked.slice(-256));
    expect(face.slot(first.request.id)).toMatchObject({ kind: "answer", answer: { decision: "approve" } });
  });

  it("all time out together, each with its own receipt", async () => {
    const { clock, place, asked, timersSet } = await waiting();
    clock.advance(600_000);
    const names = new Set((await Promise.all(asked.map((one) => one.outcome))).map(({ name }) => name));
    expect([...names]).toEqual(["timed_out"]);
    expect(place.receipts.size).toBe(many);
    expect(timersSet()).toBe(0);
  });
});

it("of 256 requests every one is settled by one closing, and nothing of them is left", async () => {
  const bench = asking();
  const asked = Array.from({ length: 256 }, (_, index) => bench.start({ ask: pushOf(`b${index}`) }));
  await calm();
  await bench.approver.close("stopping");
  expect(asked.every(({ receipt }) => receipt?.outcome === "withdrawn")).toBe(true);
  expect(bench.place.files.size).toBe(0);
});

it("requests leave no listener on a signal that outlives them", async () => {
  const bench = asking();
  const controller = new AbortController();
  const asked = await Promise.all([
    bench.ask({ controller }),
    bench.ask({ controller, ask: pushOf("other") }),
    bench.ask({ controller, ask: pushOf("other") }),
  ]);
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(3);
  for (const { request, outcome } of asked) {
    bench.face.answer(denialOf(request));
    await outcome;
  }
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});
