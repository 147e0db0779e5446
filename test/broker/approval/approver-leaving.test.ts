import { describe, expect, it } from "vitest";
import { answerHash } from "../../../src/broker/request/binding.js";
import { asking, calm, pushOf } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";

describe("a caller that is gone", () => {
  it("before anything happened leaves no trace", async () => {
    const bench = asking();
    const controller = new AbortController();
    controller.abort();
    expect(await bench.start({ controller }).outcome).toMatchObject({ name: "abandoned", request: null });
    expect(bench.audit.events).toEqual([]);
    expect(bench.place.files.size + bench.place.receipts.size).toBe(0);
  });

  it("while the ask was written down leaves nothing filed", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const dialog = new FakeDialog();
    const asked = bench.start({ dialog });
    asked.controller.abort();
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "abandoned", request: null });
    expect(bench.place.files.size + bench.place.receipts.size + dialog.shown.length).toBe(0);
    expect(bench.audit.only("approval.decided")).toMatchObject([{ details: { outcome: "abandoned" } }]);
  });

  it("while the request was being filed settles it as abandoned, without any dialog", async () => {
    const controller = new AbortController();
    const bench = asking({
      channel: (own) => ({
        ...own,
        file(draft, longTexts) {
          const request = own.file(draft, longTexts);
          controller.abort();
          return request;
        },
      }),
    });
    const dialog = new FakeDialog();
    const asked = bench.start({ controller, dialog });
    expect(await asked.outcome).toMatchObject({ name: "abandoned" });
    expect([...bench.place.receipts.values()]).toMatchObject([{ outcome: "abandoned", ran: false }]);
    expect(dialog.shown).toEqual([]);
    expect(() => asked.request).toThrow("Nothing was asked yet.");
  });

  it("after an approval stood in the slot runs nothing: the receipt says approved and not run", async () => {
    const bench = asking();
    const asked = await bench.ask();
    const answer = answerTo(asked.request);
    bench.face.answer(answer);
    asked.controller.abort();
    expect(await asked.outcome).toMatchObject({ name: "abandoned", via: "server", scope: null });
    expect(asked.receipt).toMatchObject({
      outcome: "answered",
      decision: "approve",
      answer: answerHash(answer),
      ran: false,
    });
    expect(bench.audit.only("approval.decided")).toMatchObject([{ details: { outcome: "abandoned" } }]);
  });

  it("while an approval was written to the audit log runs nothing", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    expect(asked.ended).toBeNull();
    asked.controller.abort();
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "abandoned", scope: null });
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "approve", ran: false });
    const decided = bench.audit.only("approval.decided").map((event) => event.details?.outcome);
    expect(decided).toEqual(["approved", "abandoned"]);
  });

  it("after a no is still told the no", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request, "no"));
    asked.controller.abort();
    expect(await asked.outcome).toMatchObject({ name: "denied", note: "no" });
  });
});

describe("closing", () => {
  it("withdraws everything that waits, waits for the receipts, and refuses later asks", async () => {
    const bench = asking();
    const asked = [
      await bench.ask({ dialog: new FakeDialog() }),
      await bench.ask({ ask: pushOf("one") }),
      await bench.ask({ ask: pushOf("two") }),
    ];
    await bench.approver.close("the server stops");
    expect(asked.map((one) => one.ended?.name)).toEqual(["withdrawn", "withdrawn", "withdrawn"]);
    expect([...bench.place.receipts.values()].map((receipt) => receipt.outcome)).toEqual(
      Array(3).fill("withdrawn"),
    );
    expect(asked[0]?.dialog.isWithdrawn).toBe(true);
    expect(bench.place.listeners.size).toBe(0);
    const later = await bench.start({ dialog: new FakeDialog() }).outcome;
    expect(later).toMatchObject({ name: "withdrawn", note: "the server stops", request: null });
    expect(bench.place.files.size).toBe(0);
  });

  it("twice is closing once, with the first reason", async () => {
    const bench = asking();
    const asked = await bench.ask();
    await Promise.all([bench.approver.close("first"), bench.approver.close("second")]);
    expect(asked.ended).toMatchObject({ note: "first" });
    expect(bench.place.receipts.size).toBe(1);
    expect(await bench.start().outcome).toMatchObject({ note: "first" });
  });

  it("while an ask is written down lets it file nothing", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const asked = bench.start();
    const closed = bench.approver.close("stopping");
    bench.audit.release();
    await closed;
    expect(asked.ended).toMatchObject({ name: "withdrawn", request: null });
    expect(bench.place.files.size).toBe(0);
  });

  it("while a request was being filed withdraws it, without any dialog", async () => {
    let close = (): void => {};
    const bench = asking({
      channel: (own) => ({
        ...own,
        file(draft, longTexts) {
          const request = own.file(draft, longTexts);
          close();
          return request;
        },
      }),
    });
    close = () => void bench.approver.close("stopping");
    const dialog = new FakeDialog();
    expect(await bench.start({ dialog }).outcome).toMatchObject({ name: "withdrawn", note: "stopping" });
    expect([...bench.place.receipts.values()]).toMatchObject([{ outcome: "withdrawn" }]);
    expect(dialog.shown).toEqual([]);
  });

  it("while an approval is written to the audit log runs nothing", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    const closed = bench.approver.close("stopping");
    bench.audit.release();
    await closed;
    expect(asked.ended).toMatchObject({ name: "withdrawn", scope: null });
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "approve", ran: false });
  });

  it("of an approver that never asked touches nothing", async () => {
    const bench = asking();
    expect(bench.place.listeners.size).toBe(0);
    await bench.approver.close("stopping");
    expect(bench.audit.events).toEqual([]);
  });
});
