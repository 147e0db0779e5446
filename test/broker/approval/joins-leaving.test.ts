import { describe, expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { asking, calm } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { decidedIn, identical, namesOf, requestOf } from "../../support/joined.js";

describe("a yes to joined calls", () => {
  it("for once is the oldest call's; the others are told that it is decided, and run nothing", async () => {
    const bench = asking();
    const asked = await identical(bench, 3);
    const request = requestOf(asked);
    bench.face.answer(answerTo(request, { note: "go" }));
    const [first, ...others] = await Promise.all(asked.map(({ outcome }) => outcome));
    expect(first).toMatchObject({ name: "approved", via: "cli", scope: "once", assurance: "terminal" });
    for (const other of others) {
      expect(other).toMatchObject({
        name: "already_decided",
        via: "cli",
        scope: null,
        assurance: null,
        request: request.id,
      });
    }
    expect(bench.face.receipt(request.id)).toMatchObject({
      outcome: "answered",
      decision: "approve",
      ran: null,
    });
  });

  it("for the session is everybody's", async () => {
    const bench = asking();
    const asked = await identical(bench, 3);
    bench.face.answer(answerTo(requestOf(asked), { scope: "session" }));
    for (const { outcome } of asked)
      expect(await outcome).toMatchObject({ name: "approved", scope: "session" });
  });

  it("falls to the next call when the oldest left before", async () => {
    const bench = asking();
    const asked = await identical(bench, 3);
    asked[0]?.controller.abort();
    bench.face.answer(answerTo(requestOf(asked)));
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["abandoned", "approved", "already_decided"]);
  });

  it("falls to the next call when the oldest leaves while it is written down, and is on disk for that one", async () => {
    const bench = asking();
    const asked = await identical(bench, 3);
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(requestOf(asked)));
    await calm();
    asked[0]?.controller.abort();
    await calm();
    expect(namesOf(asked)).toEqual([null, null, null]);
    bench.audit.release();
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["abandoned", "approved", "already_decided"]);
    expect(asked[0]?.receipt).toMatchObject({ outcome: "answered", ran: null });
    expect(
      bench.audit.appended.slice(-2).map(({ durability, events }) => [durability, events.length]),
    ).toEqual([
      ["durable", 5],
      ["durable", 2],
    ]);
    expect(decidedIn(bench)).toEqual([
      "approved",
      "already_decided",
      "already_decided",
      "abandoned",
      "approved",
    ]);
  });

  it("that cannot be written down for the next call is nobody's", async () => {
    const bench = asking();
    const asked = await identical(bench, 2);
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(requestOf(asked)));
    await calm();
    asked[0]?.controller.abort();
    const append = bench.audit.append.bind(bench.audit);
    bench.audit.append = (events, durability) =>
      durability === "durable"
        ? Promise.reject(new WispError("audit_unavailable", "The audit log cannot be written."))
        : append(events, durability);
    bench.audit.release();
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["abandoned", "failed"]);
    expect(asked[0]?.receipt).toMatchObject({ outcome: "failed", ran: false });
  });

  it("whose receipt cannot be published is nobody's", async () => {
    const bench = asking();
    const asked = await identical(bench, 2);
    bench.face.answer(answerTo(requestOf(asked)));
    bench.place.fault = new WispError("channel_unavailable", "No space is left.");
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["failed", "failed"]);
    expect(decidedIn(bench)).toEqual(["approved", "already_decided", "failed", "failed"]);
  });

  it("runs nothing when all leave while it is written down", async () => {
    const bench = asking();
    const asked = await identical(bench, 2);
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(requestOf(asked)));
    await calm();
    for (const { controller } of asked) controller.abort();
    bench.audit.release();
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["abandoned", "abandoned"]);
    expect(asked[0]?.receipt).toMatchObject({ outcome: "answered", decision: "approve", ran: false });
  });
});

describe("one of several joined calls that is cancelled", () => {
  it("is abandoned alone, with a line of its own, and withdraws nothing", async () => {
    const bench = asking();
    const asked = await identical(bench, 3);
    bench.clock.advance(2_000);
    asked[1]?.controller.abort();
    expect(await asked[1]?.outcome).toMatchObject({
      name: "abandoned",
      via: "server",
      note: "the caller cancelled",
      request: requestOf(asked).id,
      seconds: 2,
    });
    expect(bench.audit.only("approval.decided")).toMatchObject([
      { call: requestOf(asked).id, details: { outcome: "abandoned" } },
    ]);
    expect(bench.face.pending().requests).toHaveLength(1);
    expect(asked[0]?.dialog.isWithdrawn).toBe(false);
    bench.face.answer(answerTo(requestOf(asked)));
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["approved", "abandoned", "already_decided"]);
  });

  it("leaves even the dialog of its own call to the others", async () => {
    const bench = asking();
    const asked = await identical(bench, 2);
    asked[0]?.controller.abort();
    bench.clock.advance(1_000);
    asked[0]?.dialog.answer({ kind: "approve", scope: "once" } satisfies DialogAnswer);
    expect(await asked[1]?.outcome).toMatchObject({ name: "approved", via: "elicitation" });
  });

  it("is the last: then the request is abandoned, and a call after it asks afresh", async () => {
    const bench = asking();
    const asked = await identical(bench, 2);
    for (const { controller } of asked) controller.abort();
    const later = bench.start();
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["abandoned", "abandoned"]);
    expect(asked[0]?.receipt).toMatchObject({ outcome: "abandoned", ran: false });
    expect(later.request.id).not.toBe(requestOf(asked).id);
    bench.face.answer(answerTo(later.request));
    expect(await later.outcome).toMatchObject({ name: "approved" });
  });

  it("while the request is being filed is abandoned alone, and its dialog is not the one that is raised", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const asked = [bench.start({ dialog: new FakeDialog() }), bench.start({ dialog: new FakeDialog() })];
    asked[0]?.controller.abort();
    bench.audit.release();
    await calm();
    expect(await asked[0]?.outcome).toMatchObject({ name: "abandoned", request: null });
    expect(asked.map(({ dialog }) => dialog.shown.length)).toEqual([0, 1]);
    bench.face.answer(answerTo(requestOf(asked)));
    expect(await asked[1]?.outcome).toMatchObject({ name: "approved" });
  });

  it("while the request is being filed, and is the last, leaves nothing filed and nobody joins it", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const asked = [bench.start(), bench.start()];
    for (const { controller } of asked) controller.abort();
    const later = bench.start();
    bench.audit.release();
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["abandoned", "abandoned"]);
    await calm();
    expect(bench.face.pending().requests).toEqual([later.request]);
    const joined = bench.audit.only("approval.requested").map(({ details }) => details?.joins);
    expect(joined).toEqual([undefined, undefined, null]);
  });

  it("after all is over changes nothing", async () => {
    const bench = asking();
    const asked = await identical(bench, 2);
    bench.face.answer(denialOf(requestOf(asked)));
    await Promise.all(asked.map(({ outcome }) => outcome));
    const before = bench.audit.events.length;
    for (const { controller } of asked) controller.abort();
    await calm();
    expect(namesOf(asked)).toEqual(["denied", "denied"]);
    expect(bench.audit.events).toHaveLength(before);
  });
});
