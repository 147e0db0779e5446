/** Yeses that no call was there to use, and the calls that use them. */
import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../../src/broker/audit/audit-log.js";
import { likenessOf } from "../../../src/broker/request/likeness.js";
import { type Asking, calm, detach } from "../../support/asking.js";
import { answerTo } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { approvedAlone, begun, home, inState } from "../../support/keeping-home.js";
import { toolSubject } from "../../support/request-kinds.js";
import { atTerminal } from "../../support/witnesses.js";

const kindsSince = ({ audit }: Asking, from: number): readonly AuditEvent["kind"][] =>
  audit.kinds.slice(from);

describe("a yes that no call waits for", () => {
  it("is in the log, then kept, then said: in this order", async () => {
    const { start, audit, place } = home();
    const seen: unknown[] = [];
    const bench = start((own) => ({
      ...own,
      async keep(yes) {
        const answered = audit.appended.find(({ events }) =>
          events.some(({ kind }) => kind === "approval.answered"),
        );
        seen.push([answered?.durability, place.receipts.size]);
        return own.keep(yes);
      },
    }));
    const asked = await approvedAlone(bench);
    expect(seen).toEqual([["durable", 0]]);
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "approve", ran: null });
    expect(audit.only("grant.kept")).toMatchObject([
      { call: asked.request.id, details: { grant: asked.request.id, seconds: 300 } },
    ]);
    expect(audit.only("approval.settled")).toMatchObject([{ details: { outcome: "answered", ran: null } }]);
  });

  it("is bound to who called, through which server, where, and what it would do to what", async () => {
    const { start, shelf } = home();
    const ask = { ...inState("a"), caller: "http", client: { name: "c", version: "1" } };
    const asked = await approvedAlone(start(), { ...ask, bound: { role: "gate", server: "files" } });
    const [kept] = shelf.unspent.values();
    expect(kept).toMatchObject({
      id: asked.request.id,
      request: asked.request,
      answer: answerTo(asked.request, { note: "go" }),
      bound: {
        client: "http:c",
        role: "gate",
        server: "files",
        directory: "/home/p/api",
        definition: null,
        ...likenessOf(asked.request.subject),
      },
    });
  });

  it("is bound to the definition of a tool", async () => {
    const { start, shelf } = home();
    const subject = toolSubject();
    await approvedAlone(start(), { subject });
    expect([...shelf.unspent.values()]).toMatchObject([{ bound: { definition: subject.definitionHash } }]);
  });

  it("is used by the next identical call, once, without asking", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const from = bench.audit.events.length;
    const dialog = new FakeDialog();
    const again = bench.start({ dialog });
    expect(await again.outcome).toEqual({
      name: "approved",
      via: "cli",
      scope: "once",
      assurance: "terminal",
      verified: atTerminal.verified,
      note: "go",
      unseenMs: null,
      request: asked.request.id,
      waits: null,
      redeemed: true,
      run: expect.stringMatching(/^[a-z0-9]{8}$/),
      rule: null,
      seconds: 0,
    });
    expect(() => again.request).toThrow("Nothing was asked yet.");
    expect(dialog.shown).toEqual([]);
    expect(kindsSince(bench, from)).toEqual(["policy.judged", "grant.claimed", "approval.decided"]);
    expect(bench.audit.events.slice(from)).toMatchObject([
      { call: asked.request.id, details: { verdict: "allow", rule: `unspent approval ${asked.request.id}` } },
      { call: asked.request.id, details: { grant: asked.request.id, how: "used" } },
      { call: asked.request.id, details: { outcome: "approved", redeemed: true, via: "cli", scope: "once" } },
    ]);
    expect(bench.audit.appended.at(-1)?.durability).toBe("durable");
    await begun(bench, again);
    const third = await bench.ask();
    expect(third.request.id).not.toBe(asked.request.id);
  });

  it("of the dialog that another leg answered too late for any call is kept like one of a face", async () => {
    const bench = home().start();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked, "dialog");
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "approve", scope: "once" });
    await calm();
    expect(await bench.start().outcome).toMatchObject({
      name: "approved",
      via: "elicitation",
      assurance: "dialog",
      redeemed: true,
    });
  });

  it("is kept at level dangerous, too", async () => {
    const bench = home().start();
    await approvedAlone(bench, { level: "dangerous" });
    const again = await bench.start({ ask: { level: "dangerous" } }).outcome;
    expect(again).toMatchObject({ name: "approved", redeemed: true });
  });

  it("is spent before anything is written down of its use", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await approvedAlone(bench);
    bench.audit.holding = "durable";
    const again = bench.start();
    await calm();
    expect([shelf.spent.has(asked.request.id), again.ended]).toEqual([true, null]);
    bench.audit.release();
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("for the session leaves the rule, and nothing that could be used beside it", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await bench.ask({ ask: { scopes: ["once", "session"] } });
    detach(asked);
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    await calm();
    expect([asked.receipt?.ran, shelf.unspent.size, shelf.rules.size]).toEqual([null, 0, 1]);
    for (let call = 0; call < 2; call += 1) {
      const again = await bench.start({ ask: { scopes: ["once", "session"] } }).outcome;
      expect(again).toMatchObject({ name: "approved", scope: "session", redeemed: false });
    }
  });

  it("is not kept for a call that was cancelled for good", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    asked.controller.abort();
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "abandoned" });
    expect([shelf.unspent.size, asked.receipt?.ran]).toEqual([0, false]);
  });

  it("whose caller gave up until it was written down is kept, and the call is pending", async () => {
    const { start, shelf } = home();
    const bench = start();
    const first = bench.start();
    const second = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(first.request));
    await calm();
    detach(first, "timed out");
    second.controller.abort();
    bench.audit.release();
    expect(await first.outcome).toMatchObject({ name: "pending", request: first.request.id });
    expect(await second.outcome).toMatchObject({ name: "abandoned" });
    expect([shelf.unspent.size, first.receipt?.ran]).toEqual([1, null]);
    const decided = bench.audit.only("approval.decided").map(({ details }) => details?.outcome);
    expect(decided).toEqual(["approved", "already_decided", "pending", "abandoned"]);
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("falls to a call that is still there, and is not kept", async () => {
    const { start, shelf } = home();
    const bench = start();
    const first = bench.start();
    const second = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(first.request));
    await calm();
    detach(first, "timed out");
    bench.audit.release();
    expect((await first.outcome).name).toBe("pending");
    expect(await second.outcome).toMatchObject({ name: "approved", redeemed: false });
    expect(shelf.unspent.size).toBe(0);
  });

  it.each(["held", "dialog"] as const)(
    "is no such yes where the call was there when it fell, however soon after that it was to end (%s)",
    async (why) => {
      const { start, shelf } = home();
      const bench = start();
      const asked = await bench.ask();
      bench.audit.holding = "durable";
      bench.face.answer(answerTo(asked.request));
      await calm();
      detach(asked, why);
      bench.audit.release();
      expect(await asked.outcome).toMatchObject({ name: "approved", redeemed: false });
      expect([shelf.unspent.size, asked.receipt?.ran]).toEqual([0, null]);
    },
  );
});
