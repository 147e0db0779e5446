import { beforeEach, describe, expect, it } from "vitest";
import type { FactAsk, FactKeeper } from "../../../src/broker/approval/fact-keeper.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import type { FactRequest } from "../../../src/broker/request/request.js";
import { FactScene, factAsk, idsIn } from "../../support/fact-scene.js";
import { factWords } from "../../support/facts.js";
import { bytesOf, plant, removeRequest } from "../../support/memory-channel.js";
import { finds } from "../../support/witnesses.js";

let scene: FactScene;
let keeper: FactKeeper;
beforeEach(() => {
  scene = new FactScene();
  keeper = scene.keeper();
});

/** Asks for what nobody asked yet. */
async function asked(ask: FactAsk = factAsk(), by: FactKeeper = keeper): Promise<FactRequest> {
  const result = await by.ask(ask);
  if (result.kind !== "waits") throw new Error(`It is ${result.kind}.`);
  return result.request;
}

function standing(by: FactKeeper = keeper) {
  return by.standings().map(({ standing, outcome }) => [standing, outcome]);
}

const day = 86_400_000;

describe("an ask", () => {
  it("returns when it is filed, with who asks and until when it waits, and tells a person at once", async () => {
    const request = await asked();
    expect(scene.waiting).toEqual([request]);
    expect(request).toMatchObject({
      fact: { ...factWords(), similar: [] },
      client: { name: "test-client" },
      thread: "setup",
      expiresAt: scene.clock.now() + 7 * day,
    });
    expect(scene.notices.heard).toEqual([`${request.id} waits`]);
    expect(scene.audit.events).toMatchObject([
      { kind: "fact.requested", call: request.id, details: { subject: "api", joins: false } },
    ]);
    expect(JSON.stringify(scene.audit.events)).not.toContain("npm test");
  });

  it("shows what is kept already and like it", async () => {
    const similar = [{ id: "abcdefgh", value: "npm run test" }];
    const request = await asked(factAsk(), scene.keeper({ similar: () => similar }));
    expect(request.fact.similar).toEqual(similar);
  });

  it.each<[string, Partial<FactAsk["words"]>, Partial<FactAsk>]>([
    ["the same words", {}, {}],
    ["another source", { source: "README" }, {}],
    ["another version of the client", {}, { client: { name: "test-client", version: "2.0.0" } }],
  ])("joins one that waits: %s", async (_, words, by) => {
    const first = await asked();
    const again = await keeper.ask(factAsk(words, by));
    expect(again).toEqual({ kind: "waits", request: first, isJoined: true });
    expect(scene.waiting).toHaveLength(1);
    expect(scene.notices.heard).toHaveLength(1);
  });

  it.each<[string, Partial<FactAsk["words"]>, Partial<FactAsk>]>([
    ["another value", { value: "npm run test" }, {}],
    ["another directory", { directory: "/home/p/web" }, {}],
    ["another thread", {}, { thread: "other" }],
    ["another client", {}, { client: { name: "other-client", version: "1.0.0" } }],
  ])("does not join one that asks for something else: %s", async (_, words, by) => {
    await asked();
    expect(await keeper.ask(factAsk(words, by))).toMatchObject({ kind: "waits", isJoined: false });
    expect(scene.waiting).toHaveLength(2);
  });

  it("of identical ones at one instant files one", async () => {
    const results = await Promise.all([keeper.ask(factAsk()), keeper.ask(factAsk()), keeper.ask(factAsk())]);
    expect(results.map((one) => one.kind === "waits" && one.isJoined)).toEqual([false, true, true]);
    expect(scene.waiting).toHaveLength(1);
    expect(standing()).toEqual([["waits", null]]);
  });

  it("joins one that another server filed, and hears how it ends", async () => {
    const other = scene.other();
    const first = await asked(factAsk(), other);
    expect(await keeper.ask(factAsk())).toEqual({ kind: "waits", request: first, isJoined: true });
    expect(standing()).toEqual([["waits", null]]);
    scene.answer(first);
    await expect.poll(() => standing()).toEqual([["kept", "answered"]]);
    expect(standing(other)).toEqual([["kept", "answered"]]);
  });

  it("joins none of another server that was altered, or whose time is over", async () => {
    const gone = scene.other();
    const first = await asked(factAsk(), gone);
    await gone.close();
    const altered = { ...first, fact: { ...first.fact, source: "elsewhere" } };
    plant(scene.place, `${first.id}.fact.json`, bytesOf(altered));
    const second = await asked();
    expect(second.id).not.toBe(first.id);
    await keeper.close();
    scene.clock.advance(7 * day);
    const third = await asked(factAsk(), scene.other());
    expect([first.id, second.id]).not.toContain(third.id);
  });

  it("asks nobody where the same is kept, here or everywhere", async () => {
    const request = await asked();
    scene.answer(request);
    await expect.poll(() => idsIn(scene.shelf.kept)).toEqual([request.id]);
    const again = await keeper.ask(factAsk({}, { thread: "later" }));
    expect(again).toMatchObject({ kind: "kept", fact: { id: request.id, scope: "project" } });

    const elsewhere = await asked(factAsk({ directory: "/home/p/web" }));
    scene.answer(elsewhere, { scope: "always" });
    await expect.poll(() => scene.shelf.kept.size).toBe(2);
    const third = await keeper.ask(factAsk({ directory: "/home/p/third" }));
    expect(third).toMatchObject({ kind: "kept", fact: { id: elsewhere.id, scope: "global" } });
  });

  it("asks nobody in the line of work in which it was dropped, and in no other unless for good", async () => {
    const request = await asked();
    scene.answer(request, { decision: "drop", scope: null });
    const at = scene.clock.now();
    await expect.poll(() => idsIn(scene.shelf.dropped)).toEqual([request.id]);
    expect(await keeper.ask(factAsk())).toEqual({ kind: "dropped", at, isForGood: false });
    const other = await asked(factAsk({}, { thread: "later" }));
    scene.answer(other, { decision: "drop", scope: "always" });
    await expect.poll(() => scene.shelf.dropped.size).toBe(2);
    const third = await keeper.ask(factAsk({}, { thread: "third" }));
    expect(third).toMatchObject({ kind: "dropped", isForGood: true });
  });

  it("of a thousand of one caller files twenty, and says how many wait", async () => {
    const kinds = new Map<string, number>();
    for (let n = 0; n < 1_000; n += 1) {
      const by = n % 2 === 0 ? keeper : scene.other();
      const { kind } = await by.ask(factAsk({ value: `value ${n}` }));
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(Object.fromEntries(kinds)).toEqual({ waits: 20, "too many": 980 });
    expect(await keeper.ask(factAsk({ value: "one more" }))).toEqual({
      kind: "too many",
      waiting: 20,
      isOwn: true,
    });
    // Another caller still asks, and the first one does when one of its asks is decided.
    await asked(factAsk({}, { client: { name: "other-client", version: "1" } }), scene.other());
    const first = scene.waiting.find(({ client }) => client?.name === "test-client");
    if (first !== undefined) scene.answer(first);
    await expect.poll(() => scene.waiting.length).toBe(20);
    await asked(factAsk({ value: "one more" }));
  });

  it("counts all that one process asked, under whatever name its client gives", async () => {
    for (let n = 0; n < 20; n += 1) {
      await asked(factAsk({}, { client: { name: `client ${n}`, version: "1" } }));
    }
    const more = factAsk({}, { client: { name: "client 20", version: "1" } });
    expect(await keeper.ask(more)).toEqual({ kind: "too many", waiting: 20, isOwn: true });
    await asked(more, scene.other());
  });

  it("lets a hundred of all callers wait, whatever each calls itself", async () => {
    for (let n = 0; n < 100; n += 1) {
      const by = n % 20 === 0 ? scene.other() : undefined;
      if (by !== undefined) keeper = by;
      await asked(factAsk({}, { client: { name: `client ${n}`, version: "1" } }), keeper);
    }
    const more = factAsk({ value: "more" }, { client: { name: "yet another", version: "1" } });
    expect(await scene.other().ask(more)).toEqual({ kind: "too many", waiting: 100, isOwn: false });
    const [first] = scene.waiting;
    if (first !== undefined) scene.answer(first);
    await expect.poll(() => scene.waiting.length).toBe(99);
    await asked(more, scene.other());
  });

  it("fails where nobody can be asked, and where it cannot be written down", async () => {
    expect(await scene.keeper({ channel: null }).ask(factAsk())).toMatchObject({ kind: "failed" });
    scene.shelf.isBroken = true;
    expect(await keeper.ask(factAsk())).toEqual({
      kind: "failed",
      why: "channel_unsafe: It is open to others",
    });
    scene.shelf.isBroken = false;
    scene.audit.failing = "all";
    const both = await Promise.all([keeper.ask(factAsk()), keeper.ask(factAsk())]);
    expect(both.map(({ kind }) => kind)).toEqual(["failed", "failed"]);
    await expect.poll(() => scene.waiting).toEqual([]);
    expect([...scene.place.receipts.values()]).toMatchObject([{ outcome: "failed", decision: "failed" }]);
    scene.audit.failing = "none";
    scene.answer(await asked());
    await expect.poll(() => scene.shelf.kept.size).toBe(1);
  });
});

describe("a decision", () => {
  it("is on disk in the log before the fact is kept, and kept before the receipt says so", async () => {
    const request = await asked();
    scene.audit.holding = "durable";
    const answer = scene.answer(request);
    await Promise.resolve();
    expect([scene.shelf.kept.size, scene.place.receipts.size]).toEqual([0, 0]);
    scene.audit.release();
    await expect
      .poll(() => scene.channel.receipt(request.id))
      .toMatchObject({
        outcome: "answered",
        decision: "keep",
        answer: answerHash(answer),
        ran: false,
      });
    expect([...scene.shelf.kept.values()]).toEqual([
      {
        id: request.id,
        scope: "project",
        ...factWords(),
        proposedBy: {
          client: request.client,
          caller: "stdio",
          thread: "setup",
          session: request.server.instance,
          at: request.createdAt,
        },
        // When is the server's own word, and how sure it is what it saw.
        keptBy: {
          ...{ via: "cli", answer: answerHash(answer), assurance: "terminal" },
          ...{ by: { pid: answer.by.pid, tty: answer.by.tty }, session: request.server.instance },
          at: scene.clock.now(),
        },
      },
    ]);
    expect(scene.audit.appended.map(({ durability, events }) => [durability, events[0]?.kind])).toEqual([
      ["plain", "fact.requested"],
      ["durable", "fact.answered"],
      ["plain", "fact.settled"],
    ]);
    expect(scene.audit.only("fact.settled")).toMatchObject([
      { call: request.id, details: { outcome: "answered", decision: "keep", scope: "project", why: null } },
    ]);
    expect(scene.waiting).toEqual([]);
    expect(standing()).toEqual([["kept", "answered"]]);
  });

  it.each([
    [{ decision: "keep", scope: "project" }, "/home/p/api", "project"],
    [{ decision: "keep", scope: null }, "/home/p/api", "project"],
    [{ decision: "keep", scope: "always" }, "/home/p/api", "global"],
    [{ decision: "keep", scope: null }, null, "global"],
  ] as const)("%j in %s keeps it as %s", async (given, directory, scope) => {
    scene.answer(await asked(factAsk({ directory })), given);
    await expect.poll(() => [...scene.shelf.kept.values()]).toMatchObject([{ scope }]);
  });

  it("of two at once is the one that came first", async () => {
    const request = await asked();
    scene.audit.holding = "durable";
    scene.answer(request, { decision: "drop", scope: null });
    scene.answer(request);
    scene.audit.release();
    await expect.poll(() => standing()).toEqual([["dropped", "answered"]]);
    expect([idsIn(scene.shelf.kept), idsIn(scene.shelf.dropped)]).toEqual([[], [request.id]]);
  });

  it.each(["keep", "drop"] as const)("to %s fails where log or store cannot be written", async (decision) => {
    const first = await asked();
    scene.audit.failing = "durable";
    scene.answer(first, { decision, scope: null });
    await expect.poll(() => scene.channel.receipt(first.id)).toMatchObject({ outcome: "failed", decision });
    expect(scene.audit.only("fact.settled")).toMatchObject([
      { details: { why: expect.stringMatching("ENOSPC") } },
    ]);
    scene.audit.failing = "none";

    const second = await asked();
    scene.shelf.isBroken = true;
    scene.answer(second, { decision, scope: null });
    await expect.poll(() => scene.channel.receipt(second.id)).toMatchObject({ outcome: "failed", decision });
    scene.shelf.isBroken = false;
    expect([scene.shelf.kept.size, scene.shelf.dropped.size]).toEqual([0, 0]);
    expect(standing()).toEqual([
      ["ended", "failed"],
      ["ended", "failed"],
    ]);
    scene.answer(await asked());
    await expect.poll(() => scene.shelf.kept.size).toBe(1);
  });

  it("is not taken from within a client, but for a no that lasts no longer than this line of work", async () => {
    const channel = scene.open({ witness: finds("within_client") });
    const one = scene.keeper({ channel });
    const request = await asked(factAsk(), one);
    const answer = scene.answer(request);
    expect([scene.channel.refusal(answer), scene.channel.slot(request.id).kind]).toEqual([
      "within_client",
      "free",
    ]);
    expect(standing(one)).toEqual([["waits", null]]);
    const forGood = scene.answer(request, { decision: "drop", scope: "always" });
    expect(scene.channel.refusal(forGood)).toBe("within_client");
    scene.answer(request, { decision: "drop", scope: null });
    await expect.poll(() => standing(one)).toEqual([["dropped", "answered"]]);
    expect([...scene.shelf.dropped.values()]).toMatchObject([{ isForGood: false }]);
    expect(scene.shelf.kept.size).toBe(0);
    scene.answer(await asked(factAsk({ name: "other" })));
    await expect.poll(() => scene.shelf.kept.size).toBe(1);
  });

  it.each<[string, (request: FactRequest) => void, string]>([
    ["altered", (request) => alter(request), "its request file was altered"],
    ["removed", (request) => removeRequest(scene.place, request.id), "its request file was removed"],
  ])("counts for nothing where the request was %s", async (_, change, note) => {
    const request = await asked();
    scene.answer(await asked(factAsk({ name: "other" })));
    await expect.poll(() => scene.shelf.kept.size).toBe(1);
    change(request);
    scene.answer(request);
    await expect.poll(() => scene.channel.receipt(request.id)).toMatchObject({ outcome: "failed", note });
    expect(scene.shelf.kept.has(request.id)).toBe(false);
    scene.answer(await asked());
    await expect.poll(() => scene.shelf.kept.size).toBe(2);
  });
});

describe("the time of a fact", () => {
  it("is over after so many days, and one timer tells that whatever waits", async () => {
    const month = scene.keeper({ keepDays: 30 });
    const request = await asked(factAsk(), month);
    for (let n = 0; n < 5; n += 1) await asked(factAsk({ value: `value ${n}` }), month);
    expect(scene.clock.timers).toBe(1);
    scene.clock.advance(30 * day - 1);
    expect(scene.channel.receipt(request.id)).toBeNull();
    scene.clock.advance(1);
    await expect.poll(() => scene.channel.receipt(request.id)).toMatchObject({ outcome: "timed_out" });
    await expect.poll(() => standing(month)).toEqual(Array.from({ length: 6 }, () => ["ended", "timed_out"]));
    expect(scene.clock.timers).toBe(0);
    await asked(factAsk(), month);
  });

  it("does not depend on the clock on the wall", async () => {
    const request = await asked();
    scene.clock.jumpWallClock(30 * day);
    scene.clock.advance(day);
    expect(scene.channel.receipt(request.id)).toBeNull();
    scene.answer(request);
    await expect.poll(() => standing()).toEqual([["kept", "answered"]]);
  });
});

describe("the end of the connection", () => {
  it("leaves what waits, with no timer, and nothing is decided any more", async () => {
    const request = await asked();
    await keeper.close();
    expect(scene.clock.timers).toBe(0);
    scene.answer(request);
    await Promise.resolve();
    expect(scene.waiting).toEqual([request]);
    expect([scene.shelf.kept.size, scene.place.receipts.size]).toEqual([0, 0]);
    expect(await keeper.ask(factAsk())).toMatchObject({ kind: "failed" });
    await asked(factAsk({ name: "another" }), scene.other());
  });

  it("waits for what was begun", async () => {
    const request = await asked();
    scene.audit.holding = "durable";
    scene.answer(request);
    let isClosed = false;
    const closing = keeper.close().then(() => {
      isClosed = true;
    });
    await Promise.resolve();
    expect(isClosed).toBe(false);
    scene.audit.release();
    await closing;
    expect(scene.channel.receipt(request.id)).toMatchObject({ outcome: "answered" });
    expect(idsIn(scene.shelf.kept)).toEqual([request.id]);
  });
});

it("tells the newest hundred standings, in the order in which they were asked", async () => {
  for (let n = 0; n < 101; n += 1) {
    scene.answer(await asked(factAsk({ value: `value ${n}` })));
    await expect.poll(() => scene.shelf.kept.size, { interval: 1 }).toBe(n + 1);
  }
  const values = keeper.standings().map(({ words }) => words.value);
  expect([values.length, values[0], values.at(-1)]).toEqual([100, "value 1", "value 100"]);
});

/** Shows something else than what was filed. */
function alter(request: FactRequest): void {
  const altered = { ...request, fact: { ...request.fact, value: "rm -rf" } };
  plant(scene.place, `${request.id}.fact.json`, bytesOf(altered));
}
