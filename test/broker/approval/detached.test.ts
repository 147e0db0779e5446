import { describe, expect, it } from "vitest";
import { type Ask, Detach } from "../../../src/broker/approval/approver.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import { likenessOf } from "../../../src/broker/request/likeness.js";
import { type Asking, asking, calm, detach, pushOf } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";

const whys: readonly Detach["why"][] = ["held", "dialog", "timed out"];

/** What ended, in the order in which it did. */
function order(bench: Asking, dialog: FakeDialog) {
  const seen: string[] = [];
  dialog.onWithdrawn = () => seen.push("withdrawn");
  const asked = bench.start({ dialog });
  asked.outcome.then(({ name }) => seen.push(name));
  return { asked, seen };
}

describe("a call that ends before anybody answers", () => {
  it.each(whys)("because it was %s is pending: it is told what waits, and until when", async (why) => {
    const bench = asking();
    const asked = await bench.ask();
    bench.clock.advance(45_000);
    detach(asked, why);
    const { id, subject, expiresAt } = asked.request;
    expect(await asked.outcome).toEqual({
      name: "pending",
      via: "server",
      scope: null,
      ...{ assurance: null, verified: null, note: null, unseenMs: null },
      request: id,
      waits: { ...likenessOf(subject), expiresAt },
      redeemed: false,
      run: null,
      rule: null,
      seconds: 45,
    });
    expect(bench.audit.only("approval.decided")).toMatchObject([
      { call: id, details: { outcome: "pending", why, seconds: 45 } },
    ]);
    expect([bench.face.pending().requests, asked.receipt]).toEqual([[asked.request], null]);
  });

  it("waits for ever where the request does", async () => {
    const bench = asking({ timeoutSeconds: 0 });
    const asked = await bench.ask();
    detach(asked);
    expect((await asked.outcome).waits?.expiresAt).toBeNull();
  });

  it.each([undefined, "timed out", new Error("held")])(
    "for any other reason, as %s, takes the request with it",
    async (reason) => {
      const bench = asking();
      const asked = await bench.ask();
      asked.controller.abort(reason);
      expect(await asked.outcome).toMatchObject({ name: "abandoned", waits: null });
      expect(asked.receipt).toMatchObject({ outcome: "abandoned", ran: false });
      const again = await bench.ask();
      bench.face.answer(answerTo(again.request));
      expect(await again.outcome).toMatchObject({ name: "approved", redeemed: false });
    },
  );

  it("while the request is being filed is told as soon as there is something that waits", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const asked = bench.start({ dialog: new FakeDialog() });
    detach(asked);
    await calm();
    expect(asked.ended).toBeNull();
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "pending", request: asked.request.id });
    expect([asked.dialog.shown, [...bench.place.detached]]).toEqual([[], [asked.request.id]]);
  });

  it("before anything happened asks all the same", async () => {
    const bench = asking();
    const controller = new AbortController();
    controller.abort(new Detach("held"));
    const asked = bench.start({ controller });
    expect(await asked.outcome).toMatchObject({ name: "pending", request: asked.request.id });
    const again = bench.start({ controller });
    expect(await again.outcome).toMatchObject({ name: "pending", request: asked.request.id });
    expect(bench.face.pending().requests).toEqual([asked.request]);
  });

  it("of several is pending alone; the others are told what is answered", async () => {
    const bench = asking();
    const asked = [bench.start(), bench.start(), bench.start()] as const;
    await calm();
    detach(asked[0]);
    expect(await asked[0].outcome).toMatchObject({ name: "pending" });
    expect(bench.place.detached.size).toBe(0);
    bench.face.answer(answerTo(asked[1].request));
    expect((await asked[1].outcome).name).toBe("approved");
    expect((await asked[2].outcome).name).toBe("already_decided");
    expect(asked[1].receipt).toMatchObject({ outcome: "answered", ran: null });
  });

  it("is refused like any other where nothing can be written down or asked", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    bench.audit.failing = "all";
    const asked = bench.start();
    detach(asked);
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "failed", request: null });
  });
});

describe("a request that no call waits for", () => {
  it("is named to faces until a call comes, and when it has ended no more", async () => {
    const bench = asking();
    const asked = await bench.ask();
    const { id } = asked.request;
    const named = (): readonly string[] => [...bench.place.detached];
    expect(named()).toEqual([]);
    detach(asked);
    expect(named()).toEqual([id]);
    const again = await bench.ask();
    expect(named()).toEqual([]);
    detach(again);
    expect(named()).toEqual([id]);
    bench.face.answer(denialOf(asked.request));
    await calm();
    expect(named()).toEqual([]);
  });

  it("waits on where the channel tells faces nothing of it", async () => {
    const bench = asking({
      channel: (own: Channel) => {
        const { detached: _none, ...rest } = own;
        return rest;
      },
    });
    const asked = await bench.ask();
    detach(asked);
    expect(await asked.outcome).toMatchObject({ name: "pending" });
    const again = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: false });
  });

  it("takes an identical call, and ends at the time at which it was to end from the first", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.clock.advance(400_000);
    detach(asked);
    await calm();
    bench.clock.advance(100_000);
    const again = await bench.ask();
    expect(again.request).toEqual(asked.request);
    expect(bench.audit.only("approval.requested").map(({ details }) => details?.joins)).toEqual([
      undefined,
      asked.request.id,
    ]);
    bench.clock.advance(100_000);
    expect(await again.outcome).toMatchObject({ name: "timed_out", seconds: 100 });
    expect(again.receipt).toMatchObject({ outcome: "timed_out", ran: false });
  });

  it("ends by itself when its time is over, and a call that comes then asks anew", async () => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    bench.clock.advance(600_000);
    await calm();
    expect(asked.receipt).toMatchObject({ outcome: "timed_out", ran: false });
    expect(bench.audit.only("approval.settled")).toMatchObject([{ details: { outcome: "timed_out" } }]);
    const again = await bench.ask();
    expect(again.request.id).not.toBe(asked.request.id);
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it.each<[string, Partial<Ask>]>([
    ["another action", pushOf("release")],
    ["another thread", { thread: "two" }],
    ["another client", { client: { name: "other", version: "1" } }],
    ["another transport", { caller: "http" }],
    ["another face of ours", { bound: { role: "gate", server: "wisp" } }],
    ["another server", { bound: { role: "mcp", server: "files" } }],
  ])("does not take a call for %s", async (_what, ask) => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    const other = await bench.ask({ ask });
    expect(other.request.id).not.toBe(asked.request.id);
    const again = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
    expect(other.ended).toBeNull();
  });

  it("gives way to the same in another state", async () => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    await bench.ask({
      ask: { subject: commandSubject({ state: { bound: [{ target: "HEAD", fingerprint: "b" }] } }) },
    });
    expect(asked.receipt).toMatchObject({ outcome: "withdrawn", note: "superseded by a newer call" });
  });

  it("is abandoned when a call that came to it is cancelled as the last", async () => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    const again = await bench.ask();
    again.controller.abort("not wanted");
    expect(await again.outcome).toMatchObject({ name: "abandoned" });
    expect(asked.receipt).toMatchObject({ outcome: "abandoned" });
  });

  it("is withdrawn with the connection, and the end waits for its receipt", async () => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    await asked.outcome;
    bench.audit.holding = "all";
    let isClosed = false;
    const closed = bench.approver.close("the client left").then(() => {
      isClosed = true;
    });
    await calm();
    expect(isClosed).toBe(false);
    bench.audit.release();
    await closed;
    expect(asked.receipt).toMatchObject({ outcome: "withdrawn", note: "the client left", ran: false });
    expect([bench.clock.timers, bench.place.files.size, bench.place.detached.size]).toEqual([0, 0, 0]);
  });
});

describe("the dialog of a call that ends alone", () => {
  it.each(["held", "timed out"] as const)(
    "because it was %s is withdrawn on the wire before the call is told",
    async (why) => {
      const bench = asking();
      const { asked, seen } = order(bench, new FakeDialog());
      await calm();
      detach(asked, why);
      expect(seen).toEqual(["withdrawn"]);
      await calm();
      expect(seen).toEqual(["withdrawn", "pending"]);
    },
  );

  it("says nothing any more: its late answer is not heard", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog({ ignoresWithdrawal: true }) });
    detach(asked);
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "approve", scope: "once" });
    await calm();
    expect([bench.face.pending().requests, bench.audit.only("dialog.ended")]).toEqual([[asked.request], []]);
    const again = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await again.outcome).toMatchObject({ name: "approved", via: "cli" });
    expect(bench.audit.only("approval.settled")).toMatchObject([{ details: { dialog: "withdrawn" } }]);
  });

  it("stays up while another call is there whose client could show one", async () => {
    const bench = asking();
    const first = bench.start({ dialog: new FakeDialog() });
    const second = await bench.ask({ dialog: new FakeDialog() });
    detach(first);
    await calm();
    expect([first.dialog.isWithdrawn, second.dialog.shown]).toEqual([false, []]);
    detach(second);
    expect(first.dialog.isWithdrawn).toBe(true);
  });

  it("goes with the last such call, although others wait", async () => {
    const bench = asking();
    const first = bench.start({ dialog: new FakeDialog() });
    const second = await bench.ask();
    detach(first);
    expect(first.dialog.isWithdrawn).toBe(true);
    bench.clock.advance(1_000);
    const third = await bench.ask({ dialog: new FakeDialog() });
    expect(third.dialog.shown).toEqual([first.request]);
    bench.clock.advance(1_000);
    third.dialog.answer({ kind: "approve", scope: "once" });
    expect(await second.outcome).toMatchObject({ name: "approved", via: "elicitation" });
  });

  it("is raised again by the call that is repeated, and decides", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked);
    const again = await bench.ask({ dialog: new FakeDialog() });
    expect(again.dialog.shown).toEqual([asked.request]);
    bench.clock.advance(1_000);
    again.dialog.answer({ kind: "deny" });
    expect(await again.outcome).toMatchObject({ name: "declined" });
  });

  it("is raised again by one call, and not by another that comes while that one waits", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked);
    const [second, third] = [
      bench.start({ dialog: new FakeDialog() }),
      bench.start({ dialog: new FakeDialog() }),
    ];
    expect([second.dialog.shown.length, second.dialog.isWithdrawn]).toEqual([1, false]);
    expect(third.dialog.shown).toEqual([]);
    bench.clock.advance(1_000);
    second.dialog.answer({ kind: "approve", scope: "once" });
    expect((await second.outcome).name).toBe("approved");
    expect((await third.outcome).name).toBe("already_decided");
  });

  it("is not raised again where it proved to be nobody's", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(5);
    asked.dialog.answer({ kind: "dismissed" });
    await calm();
    detach(asked);
    const again = await bench.ask({ dialog: new FakeDialog() });
    expect(again.dialog.shown).toEqual([]);
    bench.face.answer(answerTo(asked.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("that travels with the client stays up, and decides when the client is back", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked, "dialog");
    expect(await asked.outcome).toMatchObject({ name: "pending" });
    expect(asked.dialog.isWithdrawn).toBe(false);
    bench.clock.advance(1_000);
    const again = bench.start({ dialog: asked.dialog });
    asked.dialog.answer({ kind: "approve", scope: "once" });
    expect(await again.outcome).toMatchObject({ name: "approved", via: "elicitation", redeemed: false });
    expect(asked.dialog.shown).toHaveLength(1);
  });

  it("that travels with the client stays up when a call without one has come and gone", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked, "dialog");
    const other = await bench.ask();
    detach(other);
    expect(asked.dialog.isWithdrawn).toBe(false);
    const again = bench.start({ dialog: asked.dialog });
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "approve", scope: "once" });
    expect((await again.outcome).name).toBe("approved");
  });

  it("that travels with a client which does not come back gives way to the one of the next call", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog({ ignoresWithdrawal: true }) });
    detach(asked, "dialog");
    const again = await bench.ask({ dialog: new FakeDialog() });
    expect([asked.dialog.isWithdrawn, again.dialog.shown]).toEqual([true, [asked.request]]);
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "deny" });
    await calm();
    expect(again.ended).toBeNull();
    again.dialog.answer({ kind: "approve", scope: "once" });
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });
});

describe("a request that only the client's dialog can answer", () => {
  it.each(["held", "timed out"] as const)(
    "is withdrawn when its last call was %s: nobody could answer it any more",
    async (why) => {
      const bench = asking({ channel: null });
      const asked = await bench.ask({ dialog: new FakeDialog() });
      detach(asked, why);
      expect(await asked.outcome).toMatchObject({
        name: "withdrawn",
        note: "no call is left to show the client's dialog, and nothing else asks",
      });
      expect(asked.dialog.isWithdrawn).toBe(true);
      const again = await bench.ask({ dialog: new FakeDialog() });
      expect(again.request.id).not.toBe(asked.request.id);
      bench.clock.advance(1_000);
      again.dialog.answer({ kind: "approve", scope: "once" });
      expect(await again.outcome).toMatchObject({ name: "approved" });
    },
  );

  it("waits for the answer that another leg of the call brings", async () => {
    const bench = asking({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked, "dialog");
    expect(await asked.outcome).toMatchObject({ name: "pending" });
    const again = bench.start({ dialog: asked.dialog });
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "approve", scope: "once" });
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });
});
