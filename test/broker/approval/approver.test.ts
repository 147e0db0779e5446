import { describe, expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { isReceiptVerified } from "../../../src/broker/request/binding.js";
import { outcomes } from "../../../src/broker/request/outcome.js";
import { scopes } from "../../../src/broker/request/scope.js";
import { type Asked, type Asking, anAsk, asking, calm, switchedOff } from "../../support/asking.js";
import { answerTo, denialOf, testServer, twoOffers } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { removeRequest } from "../../support/memory-channel.js";
import { atTerminal } from "../../support/witnesses.js";

const yes: DialogAnswer = { kind: "approve", scope: "once" };

describe("each ending has its own outcome, receipt and code", () => {
  it.each([
    {
      ending: "a face approves",
      act: ({ face }: Asking, { request }: Asked) => face.answer(answerTo(request, { note: "go" })),
      expected: {
        name: "approved",
        via: "cli",
        scope: "once",
        note: "go",
        assurance: "terminal",
        verified: atTerminal.verified,
      },
      receipt: { outcome: "answered", decision: "approve", ran: null },
      dialog: "withdrawn",
    },
    {
      ending: "a face denies",
      act: ({ face }: Asking, { request }: Asked) => face.answer(denialOf(request, "not on Fridays")),
      expected: {
        name: "denied",
        via: "cli",
        scope: null,
        note: "not on Fridays",
        assurance: "terminal",
        verified: atTerminal.verified,
      },
      receipt: { outcome: "answered", decision: "deny", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "the dialog approves",
      act: (_: Asking, { dialog }: Asked) => dialog.answer(yes),
      expected: {
        name: "approved",
        via: "elicitation",
        scope: "once",
        note: null,
        assurance: "dialog",
        verified: null,
      },
      receipt: { outcome: "answered", decision: "approve", via: "elicitation", ran: null },
      dialog: "answered",
    },
    {
      ending: "the dialog denies",
      act: (_: Asking, { dialog }: Asked) => dialog.answer({ kind: "deny" }),
      expected: {
        name: "declined",
        via: "elicitation",
        scope: null,
        note: null,
        assurance: "dialog",
        verified: null,
      },
      receipt: { outcome: "answered", decision: "deny", via: "elicitation", ran: false },
      dialog: "answered",
    },
    {
      ending: "time runs out",
      act: ({ clock }: Asking) => clock.advance(600_000),
      expected: {
        name: "timed_out",
        via: "server",
        scope: null,
        assurance: null,
        note: "nobody answered within 600 s",
      },
      receipt: { outcome: "timed_out", decision: "timed_out", via: "server", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "the caller cancels",
      act: (_: Asking, { controller }: Asked) => controller.abort(),
      expected: {
        name: "abandoned",
        via: "server",
        scope: null,
        assurance: null,
        note: "the caller cancelled",
      },
      receipt: { outcome: "abandoned", decision: "abandoned", via: "server", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "the server stops",
      act: ({ approver }: Asking) => void approver.close("the client left"),
      expected: { name: "withdrawn", via: "server", scope: null, assurance: null, note: "the client left" },
      receipt: { outcome: "withdrawn", decision: "withdrawn", via: "server", ran: false },
      dialog: "withdrawn",
    },
    {
      ending: "another process removes the request",
      act: ({ place }: Asking, { request }: Asked) => removeRequest(place, request.id),
      expected: {
        name: "failed",
        via: "server",
        scope: null,
        assurance: null,
        note: "its request file was removed",
      },
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
      said: { kind: "failed", why: "no room" },
      name: "failed",
      note: /switched off \(approval\.outOfBand\); no room/,
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
      note: `${switchedOff}; the client has no dialog`,
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
      scopes: [...scopes],
      remember: { ...twoOffers(), program: "/usr/bin/git", programIdentity: "git", askedBy: null },
    });
    const asked = await bench.ask({ ask });
    const { longTexts: _texts, bound: _who, allowedBy: _nobody, ...fields } = ask;
    expect(bench.face.pending().requests).toEqual([asked.request]);
    expect(asked.request).toMatchObject({
      ...fields,
      remember: twoOffers(),
      expiresAt: bench.clock.now() + 600_000,
      assurance: "terminal",
      server: testServer,
    });
  });

  it("promises no more than a dialog's assurance where only a dialog can answer", async () => {
    const bench = asking({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    expect(asked.request.assurance).toBe("dialog");
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "approved", assurance: "dialog" });
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
