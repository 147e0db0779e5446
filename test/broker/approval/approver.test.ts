import { describe, expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { outcomes } from "../../../src/broker/request/outcome.js";
import { type Asked, type Asking, anAsk, asking, calm, plantAnswer } from "../../support/asking.js";
import { answerTo, approvalDraft, denialOf, testServer } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { memoryChannel, removeRequest } from "../../support/memory-channel.js";

const yes: DialogAnswer = { kind: "approve", scope: "once" };

describe("each ending has its own outcome, receipt and code", () => {
  it.each([
    {
      ending: "a face approves",
      act: ({ face }: Asking, { request }: Asked) => face.answer(answerTo(request, { note: "go" })),
      expected: { name: "approved", via: "cli", scope: "once", note: "go" },
      receipt: { outcome: "answered", decision: "approve", ran: null },
      dialog: "withdrawn",
    },
    {
      ending: "a face denies",
      act: ({ face }: Asking, { request }: Asked) => face.answer(denialOf(request, "not on Fridays")),
      expected: { name: "denied", via: "cli", scope: null, note: "not on Fridays" },
      receipt: { outcome: "answered", decision: "deny", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "the dialog approves",
      act: (_: Asking, { dialog }: Asked) => dialog.answer(yes),
      expected: { name: "approved", via: "elicitation", scope: "once", note: null },
      receipt: { outcome: "answered", decision: "approve", via: "elicitation", ran: null },
      dialog: "answered",
    },
    {
      ending: "the dialog denies",
      act: (_: Asking, { dialog }: Asked) => dialog.answer({ kind: "deny" }),
      expected: { name: "declined", via: "elicitation", scope: null, note: null },
      receipt: { outcome: "answered", decision: "deny", via: "elicitation", ran: false },
      dialog: "answered",
    },
    {
      ending: "time runs out",
      act: ({ clock }: Asking) => clock.advance(600_000),
      expected: { name: "timed_out", via: "server", scope: null, note: "nobody answered within 600 s" },
      receipt: { outcome: "timed_out", decision: "timed_out", via: "server", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "the caller cancels",
      act: (_: Asking, { controller }: Asked) => controller.abort(),
      expected: { name: "abandoned", via: "server", scope: null, note: "the caller cancelled" },
      receipt: { outcome: "abandoned", decision: "abandoned", via: "server", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "the server stops",
      act: ({ approver }: Asking) => void approver.close("the client left"),
      expected: { name: "withdrawn", via: "server", scope: null, note: "the client left" },
      receipt: { outcome: "withdrawn", decision: "withdrawn", via: "server", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "another process removes the request",
      act: ({ place }: Asking, { request }: Asked) => removeRequest(place, request.id),
      expected: { name: "failed", via: "server", scope: null, note: "its request file was removed" },
      receipt: { outcome: "failed", decision: "failed", via: "server", ran: false },
      dialog: "withdrawn",
    },
  ] as const)("when $ending: $expected.name", async ({ act, expected, receipt, dialog }) => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(1_234.5678);
    await act(bench, asked);
    const outcome = await asked.outcome;
    expect(outcome).toMatchObject({ ...expected, request: asked.request.id });
    expect(asked.receipt).toMatchObject({ ...receipt, note: expected.note });
    expect(asked.receipt?.outcome).toBe(outcomes[outcome.name].receipt);
    expect(asked.receipt && isReceiptVerified(asked.receipt, asked.request)).toBe(true);
    expect(asked.dialog.isWithdrawn).toBe(dialog === "withdrawn");
    expect(bench.place.files.size).toBe(0);
    expect(bench.audit.only("approval.settled")).toMatchObject([
      { details: { outcome: receipt.outcome, ran: receipt.ran, dialog } },
    ]);
    expect(bench.clock.timers).toBe(0);
  });

  it.each([
    { ending: "is dismissed", said: { kind: "dismissed" }, name: "not_obtained", note: /dismissed/ },
    {
      ending: "says nonsense",
      said: { kind: "invalid", why: "no decision in it" },
      name: "not_obtained",
      note: /no decision/,
    },
    {
      ending: "cannot be shown",
      said: { kind: "failed", why: "-32601" },
      name: "failed",
      note: /the channel is switched off; -32601/,
    },
    { ending: "approves", said: yes, name: "approved", note: null },
    { ending: "denies", said: { kind: "deny" }, name: "declined", note: null },
  ] as const)("when the only dialog $ending: $name, and nothing is filed", async ({ said, name, note }) => {
    const bench = asking({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    expect(bench.place.files.size).toBe(0);
    asked.dialog.answer(said);
    const outcome = await asked.outcome;
    expect(outcome).toMatchObject({ name, request: asked.request.id });
    if (note === null) expect(outcome.note).toBeNull();
    else expect(outcome.note).toMatch(note);
    expect(asked.dialog.isWithdrawn).toBe(false);
    expect(bench.place.receipts.size).toBe(0);
    expect(bench.audit.only("approval.pending")).toMatchObject([{ details: { filed: false, dialog: true } }]);
    expect(bench.audit.only("approval.decided")).toMatchObject([{ details: { outcome: name } }]);
  });

  it.each(["abandoned", "timed_out", "withdrawn"] as const)(
    "with the dialog alone an ask ends as %s too, and the dialog is withdrawn",
    async (name) => {
      const bench = asking({ channel: null });
      const asked = await bench.ask({ dialog: new FakeDialog() });
      if (name === "abandoned") asked.controller.abort();
      else if (name === "timed_out") bench.clock.advance(600_000);
      else void bench.approver.close("stopping");
      expect(await asked.outcome).toMatchObject({ name, scope: null });
      expect(asked.dialog.isWithdrawn).toBe(true);
    },
  );

  it("when there is no way at all: failed, naming why", async () => {
    const bench = asking({ channel: null });
    expect(await bench.start().outcome).toMatchObject({
      name: "failed",
      request: null,
      note: "the channel is switched off; the client has no dialog",
    });
    expect(bench.audit.kinds).toEqual([
      "policy.judged",
      "approval.requested",
      "approval.pending",
      "approval.decided",
    ]);
  });
});

describe("what is filed", () => {
  it("is what was asked, until when, and no more assurance than is checked", async () => {
    const bench = asking();
    const ask = anAsk({
      says: "why",
      thread: "git",
      rule: "ask",
      level: "high",
      scopes: ["once", "session"],
    });
    const asked = await bench.ask({ ask });
    const { longTexts: _texts, ...fields } = ask;
    expect(bench.face.pending().requests).toEqual([asked.request]);
    expect(asked.request).toMatchObject({
      ...fields,
      expiresAt: bench.clock.now() + 600_000,
      assurance: "file",
      server: testServer,
    });
  });

  it("waits for ever with a time-out of 0", async () => {
    const bench = asking({ timeoutSeconds: 0 });
    const asked = await bench.ask();
    expect(asked.request.expiresAt).toBeNull();
    expect(bench.clock.timers).toBe(0);
    bench.clock.advance(1e10);
    await calm();
    expect(asked.ended).toBeNull();
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved" });
  });

  it("does not end sooner or later because somebody sets the wall clock", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.clock.jumpWallClock(1e9);
    bench.clock.advance(599_999);
    await calm();
    expect(asked.ended).toBeNull();
    bench.clock.jumpWallClock(-2e9);
    bench.clock.advance(1);
    expect(await asked.outcome).toMatchObject({ name: "timed_out", seconds: 600 });
  });

  it("hands the whole texts to the channel and tells the caller of the request before any dialog", async () => {
    const texts: (readonly string[])[] = [];
    const bench = asking({
      channel: (own) => ({
        ...own,
        file: (draft, longTexts) => {
          texts.push(longTexts);
          return own.file(draft, longTexts);
        },
      }),
    });
    const dialog = new FakeDialog();
    const shownBefore: number[] = [];
    const outcome = bench.approver.ask(
      anAsk({ longTexts: ["whole"] }),
      dialog,
      new AbortController().signal,
      () => shownBefore.push(dialog.shown.length),
    );
    await calm();
    expect(texts).toEqual([["whole"]]);
    expect(shownBefore).toEqual([0]);
    expect(dialog.shown).toEqual(bench.face.pending().requests);
    dialog.answer(yes);
    expect(await outcome).toMatchObject({ name: "approved" });
  });

  it("is settled as failed when the caller's own listener throws", async () => {
    const bench = asking();
    const dialog = new FakeDialog();
    const outcome = await bench.approver.ask(anAsk(), dialog, new AbortController().signal, () => {
      throw new Error("listener broke");
    });
    expect(outcome).toMatchObject({ name: "failed", note: "listener broke" });
    expect(dialog.shown).toEqual([]);
    expect(bench.place.receipts.size).toBe(1);
    expect(bench.place.files.size).toBe(0);
  });
});

describe("a channel that cannot be used", () => {
  const unsafe = new WispError("channel_unsafe", "/home/p/.wisp/pending is open to others.", {
    fix: "chmod 700 /home/p/.wisp/pending",
  });

  it.each([unsafe, new WispError("channel_unavailable", "No space is left.")])(
    "leaves the dialog to decide alone: $code",
    async (fault) => {
      const bench = asking();
      bench.place.fault = fault;
      const asked = await bench.ask({ dialog: new FakeDialog() });
      asked.dialog.answer(yes);
      expect(await asked.outcome).toMatchObject({ name: "approved", via: "elicitation", scope: "once" });
      expect(bench.place.receipts.size).toBe(0);
      expect(bench.audit.only("approval.pending")).toMatchObject([
        { details: { filed: false, why: expect.stringContaining(fault.code) } },
      ]);
    },
  );

  it("without a dialog refuses, saying why and how to repair it; once repaired, asks", async () => {
    const bench = asking();
    bench.place.fault = unsafe;
    const { note, name } = await bench.start().outcome;
    expect(name).toBe("failed");
    expect(note).toBe(
      "channel_unsafe: /home/p/.wisp/pending is open to others. chmod 700 /home/p/.wisp/pending; the client has no dialog",
    );
    bench.place.fault = null;
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved" });
  });

  it("and a dialog that cannot be shown: failed, with both reasons", async () => {
    const bench = asking();
    bench.place.fault = unsafe;
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.answer({ kind: "failed", why: "method not found" });
    const { note } = await asked.outcome;
    expect(note).toMatch(/^channel_unsafe.*; method not found$/);
  });

  it.each([
    new WispError("request_too_large", "A request may take 262144 bytes."),
    new TypeError("a programmer's error"),
  ])("is not blamed for what is wrong with the request: $message", async (error) => {
    let isBroken = true;
    const bench = asking({
      channel: (own) => ({
        ...own,
        file(draft, longTexts) {
          if (isBroken) throw error;
          return own.file(draft, longTexts);
        },
      }),
    });
    const dialog = new FakeDialog();
    await expect(bench.start({ dialog }).outcome).rejects.toBe(error);
    expect(dialog.shown).toEqual([]);
    isBroken = false;
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved" });
  });
});

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
    expect(await bench.start({ controller, dialog }).outcome).toMatchObject({ name: "abandoned" });
    expect([...bench.place.receipts.values()]).toMatchObject([{ outcome: "abandoned", ran: false }]);
    expect(dialog.shown).toEqual([]);
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
    const asked = [await bench.ask({ dialog: new FakeDialog() }), await bench.ask(), await bench.ask()];
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

describe("a place with other processes", () => {
  it("is served by one subscription, told by id or told to look at everything", async () => {
    const bench = asking();
    const before = bench.place.listeners.size;
    const asked = [await bench.ask(), await bench.ask(), await bench.ask()];
    expect(bench.place.listeners.size).toBe(before + 1);
    const told = [...bench.place.listeners];
    bench.place.listeners.clear();
    for (const one of asked) bench.face.answer(denialOf(one.request));
    await calm();
    expect(asked.map((one) => one.ended)).toEqual([null, null, null]);
    for (const listener of told) listener("zzzzzzzz");
    for (const listener of told) listener(null);
    for (const one of asked) expect(await one.outcome).toMatchObject({ name: "denied" });
  });

  it("takes an answer that came before anybody listened", async () => {
    const bench = asking({
      channel: (own) => ({
        ...own,
        file(draft, longTexts) {
          const request = own.file(draft, longTexts);
          own.answer(answerTo(request));
          return request;
        },
      }),
    });
    const dialog = new FakeDialog();
    expect(await bench.start({ dialog }).outcome).toMatchObject({ name: "approved", via: "cli" });
    expect(dialog.shown).toEqual([]);
  });

  it("keeps waiting whatever junk is written, and takes the good answer", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    plantAnswer(bench.place, asked.request, "{");
    plantAnswer(bench.place, asked.request, JSON.stringify(answerTo(asked.request, { via: "elicitation" })));
    plantAnswer(bench.place, asked.request, JSON.stringify(answerTo(asked.request, { scope: "always" })));
    await calm();
    expect(asked.ended).toBeNull();
    expect(bench.place.rejected).toHaveLength(3);
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "cli" });
  });

  it("takes no yes that does not fit what was filed, even when the channel says so", async () => {
    const bench = asking({
      channel: (own) => ({
        ...own,
        take(id) {
          const news = own.take(id);
          if (news?.kind !== "answer") return news;
          const answer = { ...news.taken.answer, binding: "0".repeat(64) };
          return { kind: "answer", taken: { answer, hash: answerHash(answer) } };
        },
      }),
    });
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "failed", scope: null });
    expect(asked.receipt).toMatchObject({ outcome: "failed", ran: false });
  });

  it("can share its channel with a second asker without hearing of the other's requests", async () => {
    const bench = asking();
    const asked = await bench.ask();
    const other = memoryChannel(bench.place, { clock: bench.clock });
    const foreign = other.file(approvalDraft(), []);
    bench.face.answer(answerTo(foreign));
    await calm();
    expect(asked.ended).toBeNull();
    expect(other.take(foreign.id)).toMatchObject({ kind: "answer" });
  });
});
