/** The end of a server while many requests wait: its client gives it two seconds. */
import { expect, it } from "vitest";
import type { Channel } from "../../../src/broker/channel/channel.js";
import type { LateRequests } from "../../../src/broker/grants/grant-store.js";
import { asking, calm, keepingIn, pushOf, world } from "../../support/asking.js";

/** `settlingMs` is how long it takes to publish one receipt. */
async function waiting(many: number, settlingMs = 0) {
  const shared = world();
  const { clock, place } = shared;
  const kept = keepingIn(shared);
  /** Of each request that was left: its id, and how many receipts there were. */
  const left: [string, number][] = [];
  const late = kept.late as LateRequests;
  const bench = asking({
    world: shared,
    grants: kept.grants,
    late: {
      ...late,
      file(one, canBeAnswered) {
        left.push([one.request.id, place.receipts.size]);
        return late.file(one, canBeAnswered);
      },
    },
    channel: (own) => ({
      ...own,
      settle(id, ending) {
        clock.advance(settlingMs);
        return own.settle(id, ending);
      },
    }),
  });
  const asked = Array.from({ length: many }, (_, index) => bench.start({ ask: pushOf(`b${index}`) }));
  await calm();
  const newestFirst = asked.map(({ request }) => request.id).reverse();
  return { ...bench, asked, newestFirst, left, late };
}

it("of many that wait the newest end first, each with its receipt and what may be answered late", async () => {
  const { approver, newestFirst, left, late } = await waiting(100);
  await approver.close("the client left");
  expect(left.map(([id]) => id)).toEqual(newestFirst);
  for (const [index, [, receipts]] of left.entries()) expect(receipts).toBeLessThanOrEqual(index + 16);
  expect(late.list().requests).toHaveLength(100);
});

it("what cannot be settled within a second is left to a sweep as it is, and its callers are told", async () => {
  const { approver, asked, newestFirst, left, face } = await waiting(100, 40);
  await approver.close("the client left");
  expect(left.map(([id]) => id)).toEqual(newestFirst.slice(0, 32));
  expect(asked.filter(({ receipt }) => receipt === null)).toEqual(asked.slice(0, 68));
  const slots = asked.map(({ request }) => face.slot(request.id).kind);
  expect(new Set(slots.slice(0, 68))).toEqual(new Set(["free"]));
  expect(new Set(asked.map(({ ended }) => ended?.name))).toEqual(new Set(["withdrawn"]));
});

it("calls that are given up while it ends end in the same order, and as withdrawn", async () => {
  const { approver, asked, newestFirst, left } = await waiting(100);
  const closed = approver.close("the client left");
  for (const { controller } of asked) controller.abort();
  await closed;
  expect(left.map(([id]) => id)).toEqual(newestFirst);
  expect(new Set(asked.map(({ ended }) => ended?.name))).toEqual(new Set(["withdrawn"]));
});

it.each([
  { ways: "the channel", channel: (own: Channel) => own },
  { ways: "no way", channel: null },
])(
  "with $ways, of calls that wait together while it closes only those that cancelled hear that",
  async ({ channel }) => {
    const bench = asking({ channel });
    const asked = [0, 1, 2].map(() => bench.start());
    // Nothing was filed yet.
    const closed = bench.approver.close("the client left");
    asked[0]?.controller.abort();
    asked[1]?.controller.abort();
    await closed;
    expect(asked.map(({ ended }) => ended)).toMatchObject([
      { name: "abandoned", request: null },
      { name: "abandoned", request: null },
      { name: "withdrawn", note: "the client left", request: null },
    ]);
    expect(bench.audit.only("approval.decided").map(({ details }) => details?.outcome)).toEqual([
      "abandoned",
      "abandoned",
      "withdrawn",
    ]);
  },
);
