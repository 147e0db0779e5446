/** Which calls use up a yes that was kept, and which do not. */
import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/broker/approval/approver.js";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import { type Asked, type Asking, calm, detach, keepingIn, pushOf } from "../../support/asking.js";
import { answerTo, commandSubject } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { approvedAlone, begun, home, inState } from "../../support/keeping-home.js";

describe("calls that come for one yes", () => {
  async function named(bench: Asking, calls: readonly Asked[]): Promise<readonly Outcome["name"][]> {
    return (await Promise.all(calls.map((call) => begun(bench, call)))).map(({ name }) => name);
  }

  it("at one instant: one uses it, and the others are told so and ask nobody", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const calls = Array.from({ length: 4 }, () => bench.start());
    expect((await named(bench, calls)).toSorted()).toEqual([
      "already_decided",
      "already_decided",
      "already_decided",
      "approved",
    ]);
    for (const { ended } of calls) expect(ended).toMatchObject({ request: asked.request.id, via: "cli" });
    expect(bench.face.pending().requests).toEqual([]);
    expect(
      bench.audit
        .only("approval.decided")
        .slice(1)
        .map(({ details }) => details?.outcome)
        .toSorted(),
    ).toEqual(["already_decided", "already_decided", "already_decided", "approved"]);
  });

  it("through two servers at one instant: one uses it, the other asks", async () => {
    const { start } = home();
    const benches = [start(), start()] as const;
    await approvedAlone(benches[0]);
    // To the one that did not keep it, it is as after a restart.
    const calls = benches.map((bench) => bench.start());
    await calm();
    const ended = calls.map((call) => call.ended?.name ?? "waits");
    expect(ended.toSorted()).toEqual(["approved", "waits"]);
  });

  it("when another process uses it between the look and the claim: the call asks", async () => {
    const { start, ...shared } = home();
    const bench = start((own) => ({
      ...own,
      async claim(id) {
        await keepingIn(shared).grants?.claim(id);
        return own.claim(id);
      },
    }));
    const asked = await approvedAlone(bench);
    const again = await bench.ask();
    expect([again.ended, again.request.id === asked.request.id]).toEqual([null, false]);
    expect(bench.audit.only("grant.claimed")).toEqual([]);
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: false });
  });

  it("while it is being kept: one uses it, and nobody is asked twice", async () => {
    const { start } = home();
    let keep: () => void = () => undefined;
    const bench = start((own) => ({
      ...own,
      async keep(yes) {
        await new Promise<void>((resolve) => {
          keep = resolve;
        });
        return own.keep(yes);
      },
    }));
    const asked = await approvedAlone(bench);
    const calls = [bench.start(), bench.start()];
    await calm();
    expect([bench.face.pending().requests.map(({ id }) => id), calls.map(({ ended }) => ended)]).toEqual([
      [asked.request.id],
      [null, null],
    ]);
    keep();
    expect((await named(bench, calls)).toSorted()).toEqual(["already_decided", "approved"]);
  });

  it("in another state while one uses it ask for themselves", async () => {
    const bench = home().start();
    await approvedAlone(bench, inState("a"));
    const [first, second] = [bench.start({ ask: inState("a") }), bench.start({ ask: inState("b") })];
    expect((await begun(bench, first)).name).toBe("approved");
    await calm();
    expect(second.ended).toBeNull();
    bench.face.answer(answerTo(second.request));
    expect(await second.outcome).toMatchObject({ name: "approved", redeemed: false });
  });

  it("and are cancelled while one uses it are abandoned", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    second.controller.abort();
    expect((await first.outcome).name).toBe("approved");
    expect(await second.outcome).toMatchObject({ name: "abandoned", request: null });
  });

  it("and whose clients give up while one uses it are told the same when that has begun", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    expect((await first.outcome).name).toBe("approved");
    detach(second, "timed out");
    await calm();
    expect(second.ended).toBeNull();
    await begun(bench, first);
    expect(await second.outcome).toMatchObject({ name: "already_decided" });
  });

  it("at one instant learn that there is a result only when the effect has begun", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    await first.outcome;
    await calm();
    expect(second.ended).toBeNull();
    await begun(bench, first);
    expect(await second.outcome).toMatchObject({ name: "already_decided" });
  });

  it("at one instant go on one after the other where nothing runs and it is given back", async () => {
    const { start, shelf } = home();
    const bench = start();
    await approvedAlone(bench);
    const calls = [bench.start(), bench.start(), bench.start()];
    for (const { outcome } of calls) {
      expect(await outcome).toMatchObject({ name: "approved", redeemed: true });
      await bench.approver.release(await outcome);
    }
    expect(shelf.unspent.size).toBe(1);
    expect(await begun(bench, bench.start())).toMatchObject({ name: "approved", redeemed: true });
    expect((await bench.ask()).request.id).not.toBe((await calls[0]?.outcome)?.request);
  });

  it("at one instant ask where it is spent and nothing ran", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    bench.approver.conclude(await first.outcome, "spent");
    await calm();
    expect([second.ended, second.request.id === asked.request.id]).toEqual([null, false]);
  });

  it("end with the connection, also where nobody says what became of it", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    await first.outcome;
    await bench.approver.close("the client left");
    expect(await second.outcome).toMatchObject({ name: "withdrawn" });
  });

  it("under another label while one uses it ask for themselves", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start({ ask: { thread: "two" } })];
    expect((await begun(bench, first)).name).toBe("approved");
    await calm();
    expect(second.request.thread).toBe("two");
  });

  it.each<[string, Partial<Ask>]>([
    ["another client", { client: { name: "other", version: "1" } }],
    ["no client", { client: null }],
    ["another transport", { caller: "http" }],
    ["another face of ours", { bound: { role: "gate", server: "wisp" } }],
    ["another server", { bound: { role: "mcp", server: "files" } }],
    ["other words", pushOf("release")],
    ["another place", { subject: commandSubject({ directory: "/srv" }) }],
  ])("but differ, as from %s, neither use it nor hear of it", async (_what, ask) => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const other = await bench.ask({ ask });
    expect(other.request.id).not.toBe(asked.request.id);
    expect(other.ended).toBeNull();
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("under another label, with other reasons or after other words of the caller are still identical", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const again = bench.start({ ask: { thread: "two", says: "please", reasons: [], level: "low" } });
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("have five minutes, and the last moment of them counts", async () => {
    for (const [ms, isUsed] of [
      [300_000, true],
      [300_001, false],
    ] as const) {
      const bench = home().start();
      await approvedAlone(bench);
      bench.clock.advance(ms);
      const again = await bench.ask();
      expect(again.ended?.name ?? "waits").toBe(isUsed ? "approved" : "waits");
    }
  });
});

describe("a yes for a target that has changed", () => {
  it("is spent and runs nothing; the call after that asks anew", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench, inState("a"));
    const from = bench.audit.events.length;
    const dialog = new FakeDialog();
    const changed = bench.start({ ask: inState("b"), dialog });
    expect(await changed.outcome).toMatchObject({
      name: "drifted",
      via: "server",
      scope: null,
      note: null,
      request: asked.request.id,
      redeemed: false,
    });
    expect(dialog.shown).toEqual([]);
    expect(bench.audit.events.slice(from)).toMatchObject([
      { kind: "grant.claimed", call: asked.request.id, details: { how: "drifted" } },
      { kind: "approval.decided", call: asked.request.id, details: { outcome: "drifted" } },
    ]);
    const fresh = await bench.ask({ ask: inState("b") });
    expect(fresh.request.id).not.toBe(asked.request.id);
    const back = await bench.ask({ ask: inState("a") });
    expect(back.ended).toBeNull();
    bench.face.answer(answerTo(back.request));
    expect(await back.outcome).toMatchObject({ name: "approved" });
  });

  it("is told to one of several calls, and the others ask together", async () => {
    const bench = home().start();
    await approvedAlone(bench, inState("a"));
    const calls = [1, 2, 3].map(() => bench.start({ ask: inState("b") }));
    await calm();
    expect(calls.map(({ ended }) => ended?.name ?? "waits").toSorted()).toEqual([
      "drifted",
      "waits",
      "waits",
    ]);
    expect(bench.face.pending().requests).toHaveLength(1);
  });

  it("that cannot be spent lets nothing run", async () => {
    const { start, shelf } = home();
    const bench = start();
    await approvedAlone(bench, inState("a"));
    shelf.isBroken = true;
    expect(await bench.start({ ask: inState("b") }).outcome).toMatchObject({
      name: "failed",
      note: "channel_unavailable: Nothing can be written",
    });
    shelf.isBroken = false;
    expect(await bench.start({ ask: inState("a") }).outcome).toMatchObject({ name: "approved" });
  });

  it("is not asked about while the same call waits in the new state", async () => {
    const bench = home().start();
    await approvedAlone(bench, inState("a"));
    expect((await bench.start({ ask: inState("b") }).outcome).name).toBe("drifted");
    const waiting = await bench.ask({ ask: inState("b") });
    detach(waiting);
    const again = await bench.ask({ ask: inState("b") });
    expect(again.request).toEqual(waiting.request);
  });
});
