/** A disk, a log or a programmer that fails while a yes is kept or used. */
import { describe, expect, it } from "vitest";
import type { EventOf } from "../../../src/broker/audit/audit-log.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { asking, calm, detach } from "../../support/asking.js";
import { answerTo } from "../../support/builders.js";
import { approvedAlone, home } from "../../support/keeping-home.js";

const full = new WispError("channel_unavailable", "No space is left.");

const fields = ({ details: { outcome, ran, why } }: EventOf<"approval.settled">) => ({ outcome, ran, why });

describe("a disk or a log that fails", () => {
  it("when a yes is kept makes it nobody's, and its receipt says so", async () => {
    const { start, shelf } = home();
    shelf.isBroken = true;
    const bench = start();
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    expect(bench.audit.only("grant.kept")).toEqual([]);
    // What was written before it was tried is corrected, with the reason, before the receipt says it.
    expect(bench.audit.only("approval.settled").map(fields)).toEqual([
      { outcome: "answered", ran: null, why: null },
      {
        outcome: "failed",
        ran: false,
        why: "no call waits for it any more, and it could not be kept: channel_unavailable: Nothing can be written",
      },
    ]);
    shelf.isBroken = false;
    const again = await bench.ask();
    expect(again.request.id).not.toBe(asked.request.id);
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("when a yes is kept that a call waited for a moment ago tells that call", async () => {
    const { start, shelf } = home();
    shelf.isBroken = true;
    const bench = start();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    detach(asked, "timed out");
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({
      name: "failed",
      note: "no call waits for it any more, and it could not be kept: channel_unavailable: Nothing can be written",
    });
    expect(asked.receipt).toMatchObject({ outcome: "failed", ran: false });
  });

  it("so that a yes was kept already makes it nobody's", async () => {
    const { start } = home();
    const bench = start((own) => ({ ...own, keep: async () => null }));
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    expect(bench.audit.only("grant.kept")).toEqual([]);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("when a yes is to be written down keeps nothing", async () => {
    const { start, shelf, audit } = home();
    const bench = start();
    const asked = await bench.ask();
    detach(asked);
    await calm();
    audit.failing = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    audit.failing = "none";
    expect([shelf.unspent.size, asked.receipt?.outcome]).toEqual([0, "failed"]);
    expect(audit.only("approval.settled").map(fields)).toEqual([
      { outcome: "failed", ran: false, why: expect.stringContaining("audit_unavailable") },
    ]);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("when the receipt is published leaves nothing to be used", async () => {
    const { start, shelf, place } = home();
    const bench = start((own) => ({
      ...own,
      async keep(yes) {
        place.fault = full;
        return own.keep(yes);
      },
    }));
    const asked = await approvedAlone(bench);
    expect(shelf.spent.has(asked.request.id)).toBe(true);
    expect(bench.audit.only("approval.settled").map(fields)).toEqual([
      { outcome: "answered", ran: null, why: null },
      { outcome: "failed", ran: false, why: expect.stringContaining("No space is left") },
    ]);
    place.fault = null;
    expect((await bench.ask()).ended).toBeNull();
  });

  it("when a yes is spent lets nothing run, and it may be used when there is room again", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await approvedAlone(bench);
    shelf.isBroken = true;
    expect(await bench.start().outcome).toMatchObject({
      name: "failed",
      note: "channel_unavailable: Nothing can be written",
      request: asked.request.id,
      redeemed: false,
    });
    shelf.isBroken = false;
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("when its use is written down lets nothing run, and leaves it spent", async () => {
    const { start, audit, shelf } = home();
    const bench = start();
    await approvedAlone(bench);
    audit.failing = "durable";
    expect(await bench.start().outcome).toMatchObject({
      name: "failed",
      note: expect.stringContaining("audit_unavailable"),
    });
    audit.failing = "none";
    expect(shelf.unspent.size).toBe(0);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("in no way corrects nothing: the log says once how it ended, as the receipt does", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "answered", ran: null });
    expect(bench.audit.only("approval.settled").map(fields)).toEqual([
      { outcome: "answered", ran: null, why: null },
    ]);
  });

  it("in no way, where the caller left while the yes was written down, has the log say that nothing ran", async () => {
    const bench = home().start();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    asked.controller.abort();
    bench.audit.release();
    expect((await asked.outcome).name).toBe("abandoned");
    expect(asked.receipt).toMatchObject({ outcome: "answered", ran: false });
    expect(bench.audit.only("approval.settled").map(fields)).toEqual([
      { outcome: "answered", ran: null, why: null },
      { outcome: "answered", ran: false, why: null },
    ]);
  });

  it("where there is nowhere to keep a yes makes it nobody's", async () => {
    const bench = asking();
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "failed", ran: false });
    const again = await bench.ask();
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("of a programmer, when it is kept, is heard by nobody and lets nothing run", async () => {
    const { start, shelf } = home();
    const bench = start((own) => ({ ...own, keep: () => Promise.reject(new TypeError("a mistake")) }));
    const asked = await approvedAlone(bench);
    expect([asked.receipt, shelf.unspent.size]).toEqual([null, 0]);
    await bench.approver.close("the end");
  });

  it("of a programmer, when it is used, is heard by the call that uses it alone", async () => {
    const bench = home().start((own) => ({
      ...own,
      claim: () => Promise.reject(new TypeError("a mistake")),
    }));
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    await expect(first.outcome).rejects.toThrow("a mistake");
    await expect(second.outcome).rejects.toThrow("a mistake");
  });
});
