import { describe, expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { type Asked, type Asking, asking, calm, pushOf, switchedOff } from "../../support/asking.js";
import { answerTo } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";

const yes: DialogAnswer = { kind: "approve", scope: "once" };
const byItself = "the client's dialog answered by itself earlier in this connection";

/** An ask whose dialog gets this answer after `ms`. */
async function answered(
  bench: Asking,
  said: DialogAnswer,
  ms: number,
  dialog = new FakeDialog(),
): Promise<Asked> {
  const asked = await bench.ask({ dialog, ask: pushOf(`first-${said.kind}`) });
  bench.clock.advance(ms);
  asked.dialog.answer(said);
  await calm();
  return asked;
}

/** A client that is known to answer by itself. */
function knownDialog(): FakeDialog {
  const dialog = new FakeDialog();
  dialog.unseenDecline = "cancel";
  return dialog;
}

/** Is the dialog of the next ask raised? */
async function raises(bench: Asking, client: Asked["request"]["client"] = null): Promise<boolean> {
  const asked = await bench.ask({ dialog: new FakeDialog(), ask: { ...pushOf("next"), client } });
  asked.controller.abort();
  await asked.outcome;
  return asked.dialog.shown.length === 1;
}

function endedIn({ audit }: Asking): readonly unknown[] {
  return audit.only("dialog.ended").map(({ details }) => details);
}

describe("an answer that comes sooner than anybody reads", () => {
  it("and cancels, leaves the channel asking", async () => {
    const bench = asking();
    const asked = await answered(bench, { kind: "dismissed" }, 20);
    expect(asked.ended).toBeNull();
    expect(endedIn(bench)).toEqual([
      { how: "dismissed", seconds: 0.02, unseen: true, why: "the dialog was dismissed" },
    ]);
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "cli", unseenMs: null });
  });

  it("and declines for a client known to answer by itself, is no no: the channel goes on asking", async () => {
    const bench = asking();
    const asked = await answered(bench, { kind: "decline" }, 5, knownDialog());
    expect(asked.ended).toBeNull();
    expect(endedIn(bench)).toMatchObject([{ how: "declined", seconds: 0.005, unseen: true }]);
    expect(bench.audit.only("approval.answered")).toEqual([]);
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "cli" });
    expect(bench.audit.only("approval.settled")).toMatchObject([{ details: { dialog: "declined" } }]);
  });

  it("and declines for such a client where the dialog was the only way: not obtained, and not remembered", async () => {
    const bench = asking({ channel: null });
    const asked = await answered(bench, { kind: "decline" }, 5, knownDialog());
    expect(await asked.outcome).toMatchObject({
      name: "not_obtained",
      unseenMs: null,
      note: `${switchedOff}; the dialog was declined after 5 ms, unread`,
    });
    const again = await bench.start({ dialog: new FakeDialog(), ask: pushOf("first-decline") }).outcome;
    expect(again).toMatchObject({ name: "failed" });
  });

  it("and declines for any other client, is a decline that says how soon it came", async () => {
    const bench = asking();
    const asked = await answered(bench, { kind: "decline" }, 33.4);
    expect(await asked.outcome).toMatchObject({ name: "declined", unseenMs: 33 });
    expect(bench.audit.only("approval.answered")).toMatchObject([
      { details: { via: "elicitation", assurance: "dialog", seconds: 0.033, unseen: true } },
    ]);
    expect(endedIn(bench)).toEqual([]);
  });

  it("and chooses the option that denies, is a no from any client: the form was there", async () => {
    for (const dialog of [knownDialog(), new FakeDialog()]) {
      const bench = asking();
      const asked = await answered(bench, { kind: "deny" }, 5, dialog);
      expect(await asked.outcome).toMatchObject({ name: "declined", unseenMs: 5 });
      const client = { name: "test-client", version: "1.0.0" };
      expect(await raises(bench, client)).toBe(false);
    }
  });

  it("and approves, counts: it names what it approves", async () => {
    const bench = asking();
    const asked = await answered(bench, yes, 1);
    expect(await asked.outcome).toMatchObject({ name: "approved", assurance: "dialog", unseenMs: null });
    expect(bench.audit.only("approval.answered")).toMatchObject([{ details: { unseen: true } }]);
  });

  it("and is no answer, approves nothing", async () => {
    const bench = asking({ channel: null });
    const asked = await answered(bench, { kind: "invalid", why: "no decision" }, 1);
    expect(await asked.outcome).toMatchObject({ name: "not_obtained" });
    expect(endedIn(bench)).toEqual([{ how: "invalid", seconds: 0.001, unseen: true, why: "no decision" }]);
  });
});

describe("the limit", () => {
  it("is exact: an answer just before it is unseen, one at it is a person's", async () => {
    for (const [ms, unseenMs] of [
      [399.9, 400],
      [400, null],
    ] as const) {
      const bench = asking({ unseenAnswerMs: 400 });
      const asked = await answered(bench, { kind: "decline" }, ms);
      expect(await asked.outcome).toMatchObject({ name: "declined", unseenMs });
      expect(await raises(bench, { name: "test-client", version: "1.0.0" })).toBe(unseenMs === null);
    }
  });

  it("of 0 believes every answer", async () => {
    const bench = asking({ unseenAnswerMs: 0 });
    const asked = await answered(bench, { kind: "decline" }, 0, knownDialog());
    expect(await asked.outcome).toMatchObject({ name: "declined", unseenMs: null });
  });

  it("counts from raising the dialog, by monotonic time", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const asked = bench.start({ dialog: knownDialog() });
    bench.clock.advance(10_000);
    bench.audit.release();
    await calm();
    bench.clock.jumpWallClock(10_000);
    asked.dialog.answer({ kind: "decline" });
    await calm();
    expect(endedIn(bench)).toMatchObject([{ how: "declined", seconds: 0, unseen: true }]);
  });
});

describe("a dialog is not raised again on the connection", () => {
  it.each<[string, DialogAnswer, number]>([
    ["an unseen cancel", { kind: "dismissed" }, 20],
    ["an unseen decline", { kind: "decline" }, 20],
    ["an unseen approval", yes, 20],
    ["an unseen answer that is none", { kind: "invalid", why: "no decision" }, 20],
    ["the word that there is none, however late", { kind: "unsupported", why: "-32601" }, 9_000],
  ])("after %s: the channel asks alone", async (_what, said, ms) => {
    const bench = asking();
    await answered(bench, said, ms);
    const next = await bench.ask({ dialog: new FakeDialog() });
    expect(next.dialog.shown).toEqual([]);
    const noDialog = said.kind === "unsupported" ? "the client cannot show dialogs" : byItself;
    expect(bench.audit.only("approval.requested").at(-1)).toMatchObject({ details: { dialog: false } });
    expect(bench.audit.only("approval.pending").at(-1)).toMatchObject({
      details: { filed: true, dialog: false, noDialog },
    });
    bench.face.answer(answerTo(next.request));
    expect(await next.outcome).toMatchObject({ name: "approved", via: "cli" });
  });

  it.each<[string, DialogAnswer, number]>([
    ["a cancel", { kind: "dismissed" }, 400],
    ["a decline", { kind: "decline" }, 400],
    ["an approval", yes, 400],
    ["an answer that is none", { kind: "invalid", why: "no decision" }, 400],
    ["a form that could not be shown, however soon that was known", { kind: "failed", why: "too long" }, 0],
  ])("but is after %s that somebody may have seen", async (_what, said, ms) => {
    const bench = asking();
    await answered(bench, said, ms);
    expect(await raises(bench, { name: "test-client", version: "1.0.0" })).toBe(true);
  });

  it.each<[DialogAnswer["kind"], string]>([
    ["dismissed", byItself],
    ["unsupported", "the client cannot show dialogs"],
  ])("after %s: where there is no channel the call is refused, naming why", async (kind, why) => {
    const bench = asking({ channel: null });
    await answered(bench, { kind, why: "-32601" } as DialogAnswer, 1);
    const next = await bench.start({ dialog: new FakeDialog() }).outcome;
    expect(next).toMatchObject({ name: "failed", request: null, note: `${switchedOff}; ${why}` });
  });

  it("of that client; another client's is, and one without a name is a client too", async () => {
    const bench = asking();
    const nameless = await bench.ask({ dialog: new FakeDialog(), ask: { client: null } });
    nameless.dialog.answer({ kind: "dismissed" });
    await calm();
    nameless.controller.abort();
    await nameless.outcome;
    expect(await raises(bench, null)).toBe(false);
    expect(await raises(bench, { name: "", version: "1" })).toBe(true);
    expect(await raises(bench, { name: "test-client", version: "1" })).toBe(true);
  });

  it("but is when it was withdrawn and said so at once", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(10);
    bench.face.answer(answerTo(asked.request));
    await asked.outcome;
    await calm();
    expect(asked.dialog.isWithdrawn).toBe(true);
    expect(await raises(bench, { name: "test-client", version: "1.0.0" })).toBe(true);
    expect(endedIn(bench)).toEqual([]);
  });
});

describe("a dialog that does not exist", () => {
  it("leaves the channel asking, and says in the log why it is over", async () => {
    const bench = asking();
    const asked = await answered(bench, { kind: "unsupported", why: "method not found\u0007" }, 3);
    expect(asked.ended).toBeNull();
    expect(endedIn(bench)).toEqual([
      { how: "unsupported", seconds: 0.003, unseen: false, why: "method not found\\u{7}" },
    ]);
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved" });
  });

  it("where it was the only way has failed, with both reasons", async () => {
    const bench = asking({ channel: null });
    const asked = await answered(bench, { kind: "unsupported", why: "-32601" }, 3);
    expect(await asked.outcome).toMatchObject({ name: "failed", note: `${switchedOff}; -32601` });
  });
});

describe("where a dialog's answer is not enough", () => {
  const dialogCounts = (level: string) => level !== "dangerous";

  it("no dialog is raised, and the channel asks alone; elsewhere it is", async () => {
    const bench = asking({ dialogCounts });
    const asked = await bench.ask({ dialog: new FakeDialog(), ask: { level: "dangerous" } });
    expect(asked.dialog.shown).toEqual([]);
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "cli" });
    const other = await bench.ask({ dialog: new FakeDialog(), ask: { level: "high" } });
    expect(other.dialog.shown).toHaveLength(1);
  });

  it("and there is no channel, the call is refused saying so; elsewhere the dialog decides", async () => {
    const bench = asking({ channel: null, dialogCounts });
    const dialog = new FakeDialog();
    expect(await bench.start({ dialog, ask: { level: "dangerous" } }).outcome).toMatchObject({
      name: "failed",
      note: `${switchedOff}; the client's dialog does not count for what is dangerous (approval.require)`,
    });
    expect(dialog.shown).toEqual([]);
    const other = await bench.ask({ dialog: new FakeDialog(), ask: { level: "high" } });
    bench.clock.advance(1_000);
    other.dialog.answer(yes);
    expect(await other.outcome).toMatchObject({ name: "approved", assurance: "dialog" });
  });
});
