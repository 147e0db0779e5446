/** A no that no call was there to hear. */
import { describe, expect, it } from "vitest";
import { createDenials } from "../../../src/broker/approval/denials.js";
import { type Asked, type Asking, asking, calm, detach, keepingIn, world } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { boundTo } from "../../support/grants.js";
import { atTerminal } from "../../support/witnesses.js";

/** A request that no call waits for, and a no to it. */
async function deniedAlone(bench: Asking): Promise<Asked> {
  const asked = await bench.ask();
  detach(asked);
  await calm();
  bench.face.answer(denialOf(asked.request, "not on Fridays"));
  await calm();
  return asked;
}

const asks = async (bench: Asking): Promise<boolean> => (await bench.ask()).ended === null;

describe("a no that no call waits for", () => {
  it("is told to the next identical call with its note, and nobody is asked", async () => {
    const bench = asking();
    const asked = await deniedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "deny", ran: false });
    bench.clock.advance(500_000);
    const dialog = new FakeDialog();
    expect(await bench.start({ dialog, ask: { thread: "two" } }).outcome).toMatchObject({
      name: "denied",
      via: "cli",
      note: "not on Fridays",
      request: asked.request.id,
      redeemed: false,
    });
    expect(dialog.shown).toEqual([]);
    expect(bench.audit.only("approval.decided").at(-1)).toMatchObject({
      details: { outcome: "denied", repeated: true },
    });
  });

  it("stands although the log cannot be written", async () => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    await calm();
    bench.audit.failing = "all";
    bench.face.answer(denialOf(asked.request));
    await calm();
    bench.audit.failing = "none";
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "deny", ran: false });
    expect((await bench.start().outcome).name).toBe("denied");
  });

  it("is remembered from being told on, like any other", async () => {
    const bench = asking();
    await deniedAlone(bench);
    bench.clock.advance(500_000);
    expect(await asks(bench)).toBe(false);
    bench.clock.advance(60_000);
    expect(await asks(bench)).toBe(false);
    bench.clock.advance(1);
    expect(await asks(bench)).toBe(true);
  });

  it("waits to be told until its request would have ended, and no longer", async () => {
    for (const [ms, isTold] of [
      [600_000, true],
      [600_001, false],
    ] as const) {
      const bench = asking();
      await deniedAlone(bench);
      bench.clock.advance(ms);
      expect(await asks(bench)).toBe(!isTold);
    }
  });

  it("waits as long as a no is remembered where its request was about to end", async () => {
    for (const [ms, isTold] of [
      [60_000, true],
      [60_001, false],
    ] as const) {
      const bench = asking();
      const asked = await bench.ask();
      detach(asked);
      bench.clock.advance(599_999);
      bench.face.answer(denialOf(asked.request));
      await calm();
      bench.clock.advance(ms);
      expect(await asks(bench)).toBe(!isTold);
    }
  });

  it("waits for ever where its request would", async () => {
    const bench = asking({ timeoutSeconds: 0 });
    await deniedAlone(bench);
    bench.clock.advance(90_000_000);
    expect(await asks(bench)).toBe(false);
  });

  it("is told once where none is remembered", async () => {
    const bench = asking({ declineMemorySeconds: 0 });
    await deniedAlone(bench);
    expect([await asks(bench), await asks(bench)]).toEqual([false, true]);
  });

  it("is not what a call hears that is cancelled already: the next one does", async () => {
    const bench = asking();
    await deniedAlone(bench);
    const controller = new AbortController();
    controller.abort();
    expect((await bench.start({ controller }).outcome).name).toBe("abandoned");
    bench.clock.advance(500_000);
    expect(await asks(bench)).toBe(false);
  });

  it("is forgotten at the end of the connection", async () => {
    const bench = asking();
    await deniedAlone(bench);
    await bench.approver.close("the client left");
    expect((await bench.start().outcome).name).toBe("withdrawn");
  });

  it("in the client's dialog is a decline that is told later, too", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked, "dialog");
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "deny" });
    await calm();
    bench.clock.advance(300_000);
    expect(await bench.start().outcome).toMatchObject({ name: "declined", via: "elicitation" });
  });

  it("comes before a yes for the session that was given before", async () => {
    const shared = world();
    const bench = asking({ world: shared, ...keepingIn(shared) });
    const scopes = ["once", "session"] as const;
    const waiting = await bench.ask({ ask: { scopes, thread: "a" } });
    detach(waiting);
    const other = await bench.ask({ ask: { scopes, thread: "b" } });
    bench.face.answer(answerTo(other.request, { scope: "session" }));
    await other.outcome;
    bench.face.answer(denialOf(waiting.request));
    await calm();
    expect((await bench.start().outcome).name).toBe("denied");
    bench.clock.advance(60_001);
    expect(await asks(bench)).toBe(true);
  });
});

const said = { via: "cli", assurance: "terminal", verified: atTerminal.verified } as const;

describe("noes that wait to be told", () => {
  it("are a thousand at most: the oldest goes first", () => {
    const denials = createDenials(new FakeClock(), { declineMemorySeconds: 60 });
    const bound = (index: number) => boundTo({ subject: `${index}`, state: "s" });
    for (let index = 0; index <= 1_000; index += 1) {
      const denial = { name: "denied", ...said, note: null, unseenMs: null, request: `${index}` } as const;
      denials.hold(bound(index), denial, 1e9);
    }
    expect([0, 1, 1_000].map((index) => denials.find(bound(index))?.denial.request)).toEqual([
      undefined,
      "1",
      "1000",
    ]);
  });

  it("give way to one that was told, and the other way round: the newest is what counts", () => {
    const clock = new FakeClock();
    const denials = createDenials(clock, { declineMemorySeconds: 60 });
    const bound = boundTo({ subject: "a", state: "s" });
    const no = (request: string) =>
      ({ name: "denied", ...said, note: null, unseenMs: null, request }) as const;
    denials.hold(bound, no("1"), 1e9);
    denials.remember(bound, no("2"));
    expect(denials.find(bound)?.denial.request).toBe("2");
    denials.hold(bound, no("3"), 1e9);
    expect(denials.find(bound)?.denial.request).toBe("3");
    clock.advance(60_001);
    expect(denials.find(bound)).toBeNull();
  });
});
