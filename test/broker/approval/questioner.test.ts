import { describe, expect, it } from "vitest";
import { createDialogUse } from "../../../src/broker/approval/dialog-use.js";
import type { Answer } from "../../../src/broker/request/answer.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import type { QuestionRequest } from "../../../src/broker/request/request.js";
import { asking, calm, plantAnswer, world } from "../../support/asking.js";
import { answerTo } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { HeardNotices } from "../../support/heard-notices.js";
import { removeRequest } from "../../support/memory-channel.js";
import {
  aQuestion,
  type QuestionDialog as Dialog,
  declineOf,
  QuestionDialog,
  questioning,
  replyTo,
} from "../../support/questioning.js";
import { atTerminal } from "../../support/witnesses.js";

describe("a question", () => {
  it.each([
    { said: "use the one in compose.yaml", content: { values: null, text: "use the one in compose.yaml" } },
    { said: ["lite"], content: { values: ["lite"], text: null } },
  ])("is answered with $said by a face, and its receipt says no word of it", async ({ said, content }) => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.clock.advance(12_000);
    const answer = replyTo(asked.request, said);
    expect(bench.face.answer(answer)).toBe(true);
    expect(await asked.end).toEqual({
      name: "answered",
      content,
      via: "cli",
      assurance: "terminal",
      verified: atTerminal.verified,
      note: null,
      request: asked.request.id,
      seconds: 12,
    });
    expect(asked.receipt).toMatchObject({
      kind: "question",
      outcome: "answered",
      decision: "answer",
      ran: false,
      answer: answerHash(answer),
    });
    expect(isReceiptVerified(asked.receipt ?? expect.fail("There is none."), asked.request)).toBe(true);
    expect(JSON.stringify(asked.receipt)).not.toContain(Array.isArray(said) ? "lite" : "compose");
    expect([bench.place.files.size, bench.clock.timers]).toEqual([0, 0]);
  });

  it("with several choices is answered with each that was chosen", async () => {
    const bench = questioning();
    const asked = await bench.ask({ ask: aQuestion({}, { multiple: true }) });
    bench.face.answer(replyTo(asked.request, ["lite", "pg"]));
    expect(await asked.end).toMatchObject({ name: "answered", content: { values: ["lite", "pg"] } });
  });

  it("is answered in the client's dialog", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    asked.dialog.answer({ kind: "answer", values: ["pg"], text: null });
    expect(await asked.end).toMatchObject({
      name: "answered",
      content: { values: ["pg"], text: null },
      via: "elicitation",
      assurance: "dialog",
    });
    expect(asked.receipt).toMatchObject({ outcome: "answered", via: "elicitation" });
  });

  it.each([
    ["cli", "no idea"],
    ["elicitation", null],
  ] as const)("that a person declines by %s is declined, with their words", async (way, note) => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    if (way === "cli") bench.face.answer(declineOf(asked.request, note));
    else asked.dialog.answer({ kind: "decline" });
    expect(await asked.end).toMatchObject({ name: "declined", via: way, note, unseenMs: null });
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "decline" });
  });

  it("that nobody answers times out", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(600_000);
    expect(await asked.end).toMatchObject({
      name: "timed_out",
      note: "nobody answered within 600 s",
      assurance: null,
      seconds: 600,
    });
    expect(asked.dialog.isWithdrawn).toBe(true);
    expect(asked.receipt).toMatchObject({ outcome: "timed_out" });
  });

  it("waits for ever where no time is set", async () => {
    const bench = questioning({ timeoutSeconds: 0 });
    const asked = await bench.ask();
    expect(asked.request.expiresAt).toBeNull();
    bench.clock.advance(1e9);
    bench.face.answer(replyTo(asked.request, "now"));
    expect(await asked.end).toMatchObject({ name: "answered" });
  });

  it("is announced, and so is the end of its dialog", async () => {
    const notices = new HeardNotices();
    const bench = questioning({ notices });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    const { id } = asked.request;
    asked.dialog.answer({ kind: "dismissed" });
    await calm();
    bench.face.answer(replyTo(asked.request, "yes"));
    await asked.end;
    expect(notices.heard).toEqual([`${id} waits`, `${id} has no dialog`, `${id} is settled`]);
    expect(notices.waiting.get(id)).toEqual({ filed: true, dialog: true, toldMsAgo: null });
  });
});

describe("an answer that may not answer it", () => {
  const wrong: readonly (readonly [string, (request: QuestionRequest) => Answer])[] = [
    ["an option that was not offered", (request) => replyTo(request, ["mysql"])],
    ["several options where one was asked for", (request) => replyTo(request, ["pg", "lite"])],
    ["no option at all", (request) => replyTo(request, [])],
    ["an empty text", (request) => replyTo(request, " ")],
    ["a text that is too long in bytes", (request) => replyTo(request, "é".repeat(2_049))],
    ["both", (request) => ({ ...replyTo(request, "x"), values: ["pg"] })],
    ["nothing", (request) => answerTo(request, { decision: "answer", scope: null })],
    ["a yes to an approval", (request) => answerTo(request)],
    ["a yes to a fact", (request) => answerTo(request, { decision: "keep", scope: null })],
    ["words beside a decline", (request) => ({ ...declineOf(request), text: "x" })],
    ["another question's binding", (request) => replyTo({ ...request, binding: "0".repeat(64) }, "x")],
  ];
  it.each(wrong)("because it is %s is not taken, and a good one still works", async (_what, answerOf) => {
    const bench = questioning();
    const asked = await bench.ask();
    plantAnswer(bench.place, asked.request, JSON.stringify(answerOf(asked.request)));
    await calm();
    expect(asked.ended).toBeNull();
    expect(bench.place.rejected).toHaveLength(1);
    bench.face.answer(replyTo(asked.request, "é".repeat(2_048)));
    expect(await asked.end).toMatchObject({ name: "answered", content: { text: "é".repeat(2_048) } });
  });

  it.each(wrong.slice(0, 3))(
    "in a dialog, because it is %s, ends the dialog, and a face still answers",
    async (_what, answerOf) => {
      const bench = questioning();
      const asked = await bench.ask({ dialog: new QuestionDialog() });
      bench.clock.advance(3_000);
      const { values } = answerOf(asked.request);
      asked.dialog.answer({ kind: "answer", values: values ?? [], text: null });
      await calm();
      expect(asked.ended).toBeNull();
      expect(bench.audit.only("dialog.ended")).toMatchObject([{ details: { how: "invalid" } }]);
      bench.face.answer(replyTo(asked.request, ["pg"]));
      expect(await asked.end).toMatchObject({ name: "answered", via: "cli" });
    },
  );
});

describe("both ways at once", () => {
  const answer = { kind: "answer", values: null, text: "from the dialog" } as const;

  it("the dialog's answer that finds the slot taken changes nothing", async () => {
    // The face's answer stands in the slot, and its event is late.
    const bench = questioning({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    bench.face.answer(replyTo(asked.request, "from the face"));
    asked.dialog.answer(answer);
    expect(await asked.end).toMatchObject({ content: { text: "from the face" }, via: "cli" });
    expect(bench.audit.only("question.answered")).toHaveLength(1);
  });

  it("a face's answer that finds the slot taken by the dialog changes nothing", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    bench.audit.holding = "durable";
    asked.dialog.answer(answer);
    await calm();
    expect(bench.face.answer(replyTo(asked.request, "from the face"))).toBe(false);
    bench.audit.release();
    expect(await asked.end).toMatchObject({ content: { text: "from the dialog" }, via: "elicitation" });
  });

  it("of 20 concurrent answers exactly one is told", async () => {
    const bench = questioning({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    const won = Array.from({ length: 20 }, (_, index) =>
      bench.face.answer(replyTo(asked.request, `${index}`)),
    );
    bench.clock.advance(600_000);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await asked.end).toMatchObject({ name: "answered", content: { text: "0" } });
  });

  it("the dialog is withdrawn before anything is written down, and before the call is told", async () => {
    const bench = questioning();
    const order: string[] = [];
    const dialog = new QuestionDialog({ ignoresWithdrawal: true });
    dialog.onWithdrawn = () => order.push("withdrawn");
    const asked = await bench.ask({ dialog });
    const append = bench.audit.append.bind(bench.audit);
    bench.audit.append = (events, durability) => {
      order.push(`append ${durability}`);
      return append(events, durability);
    };
    asked.end.then(() => order.push("told"));
    bench.face.answer(replyTo(asked.request, "yes"));
    await asked.end;
    dialog.answer(answer);
    await calm();
    expect(order).toEqual(["withdrawn", "append durable", "told"]);
    expect(bench.place.files.size).toBe(0);
  });
});

describe("a dialog", () => {
  const spoken = { kind: "answer", values: ["pg"], text: null } as const;

  it("that answered before anybody could read it answers nothing, and is not raised again for anything", async () => {
    const dialogUse = createDialogUse();
    const shared = world();
    const bench = questioning({ dialogUse, world: shared });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(399);
    asked.dialog.answer(spoken);
    await calm();
    expect(asked.ended).toBeNull();
    expect(bench.audit.only("dialog.ended")).toMatchObject([{ details: { how: "invalid", unseen: true } }]);
    bench.face.answer(replyTo(asked.request, "read"));
    expect(await asked.end).toMatchObject({ name: "answered", content: { text: "read" } });
    const again = await bench.ask({ dialog: new QuestionDialog() });
    const approval = await asking({ world: shared, dialogUse }).ask({ dialog: new FakeDialog() });
    expect([again.dialog.shown, approval.dialog.shown]).toEqual([[], []]);
    const other = { name: "other", version: "1" };
    const elsewhere = await bench.ask({ ask: aQuestion({ client: other }), dialog: new QuestionDialog() });
    expect(elsewhere.dialog.shown).toHaveLength(1);
  });

  it("that answers after that is believed", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(400);
    asked.dialog.answer(spoken);
    expect(await asked.end).toMatchObject({ name: "answered", via: "elicitation" });
  });

  it("that the client does not have is not raised again, and a face answers", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    asked.dialog.answer({ kind: "unsupported", why: "-32601" });
    await calm();
    const other = await bench.ask({ ask: aQuestion({ thread: "t" }), dialog: new QuestionDialog() });
    expect(other.dialog.shown).toEqual([]);
    for (const { request } of [asked, other]) bench.face.answer(replyTo(request, "yes"));
    expect([(await asked.end).name, (await other.end).name]).toEqual(["answered", "answered"]);
  });

  it("is not raised where dialogs count for nothing, and a face answers", async () => {
    const bench = questioning({ dialogCounts: () => false });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    expect(asked.dialog.shown).toEqual([]);
    expect(bench.audit.only("question.pending")).toMatchObject([
      {
        details: {
          dialog: false,
          noDialog: "the client's dialog does not count for anything (approval.require)",
        },
      },
    ]);
    bench.face.answer(replyTo(asked.request, "yes"));
    expect(await asked.end).toMatchObject({ name: "answered" });
  });

  it.each<[string, (dialog: Dialog) => void, string]>([
    ["was dismissed", (dialog) => dialog.answer({ kind: "dismissed" }), "not_obtained"],
    [
      "said no question's answer",
      (dialog) => dialog.answer({ kind: "approve", scope: "once" }),
      "not_obtained",
    ],
    ["could not be shown", (dialog) => dialog.answer({ kind: "failed", why: "-32600" }), "failed"],
    ["broke", (dialog) => dialog.break(new Error("broken")), "failed"],
  ])("that %s, and was the only way, ends the question", async (_how, end, name) => {
    const bench = questioning({ channel: null });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    end(asked.dialog);
    expect(await asked.end).toMatchObject({ name, assurance: null });
    const again = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    again.dialog.answer(spoken);
    expect(await again.end).toMatchObject({ name: "answered" });
  });
});

describe("what breaks", () => {
  it.each(["the log", "the receipt"])(
    "%s: then no answer is told, and the next question works",
    async (what) => {
      const bench = questioning();
      const asked = await bench.ask();
      const full = new WispError("channel_unavailable", "No space is left.");
      bench.face.answer(replyTo(asked.request, "the secret"));
      if (what === "the log") bench.audit.failing = "durable";
      else bench.place.fault = full;
      const end = await asked.end;
      expect(end).toMatchObject({
        name: "failed",
        via: "server",
        assurance: null,
        request: asked.request.id,
      });
      expect(end.note).toMatch(what === "the log" ? /^audit_unavailable: / : /^channel_unavailable: /);
      expect(JSON.stringify(end)).not.toContain("the secret");
      if (what === "the log") expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "answer" });
      expect(bench.audit.only("question.told").at(-1)).toMatchObject({ details: { outcome: "failed" } });
      expect(bench.audit.only("question.settled").at(-1)).toMatchObject({
        details: { outcome: "failed", why: end.note },
      });
      bench.audit.failing = "none";
      bench.place.fault = null;
      const again = await bench.ask({ ask: aQuestion({ thread: "t" }) });
      bench.face.answer(replyTo(again.request, "told"));
      expect(await again.end).toMatchObject({ name: "answered", content: { text: "told" } });
    },
  );

  it.each(["the log", "the receipt"])("%s: a decline stands all the same", async (what) => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.face.answer(declineOf(asked.request));
    if (what === "the log") bench.audit.failing = "durable";
    else bench.place.fault = new WispError("channel_unavailable", "No space is left.");
    expect(await asked.end).toMatchObject({ name: "declined", via: "cli" });
  });

  it("a log that cannot be written at first: nobody is asked", async () => {
    const bench = questioning();
    bench.audit.failing = "all";
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    expect(asked.ended).toMatchObject({ name: "failed", request: null });
    expect(bench.place.files.size).toBe(0);
    bench.audit.failing = "none";
    const again = await bench.ask();
    bench.face.answer(replyTo(again.request, "yes"));
    expect(await again.end).toMatchObject({ name: "answered" });
  });

  it("a channel that cannot file leaves it to the dialog, which alone can answer", async () => {
    const bench = questioning();
    bench.place.fault = new WispError("channel_unavailable", "No space is left.");
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    bench.clock.advance(3_000);
    asked.dialog.answer({ kind: "answer", values: null, text: "yes" });
    expect(await asked.end).toMatchObject({ name: "answered", via: "elicitation" });
    expect(await (await bench.ask()).end).toMatchObject({ name: "failed", request: null });
  });

  it("a request that vanished or was altered fails, and another works", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    removeRequest(bench.place, asked.request.id);
    expect(await asked.end).toMatchObject({ name: "failed", via: "server" });
    expect(asked.dialog.isWithdrawn).toBe(true);
    const again = await bench.ask();
    bench.face.answer(replyTo(again.request, "yes"));
    expect(await again.end).toMatchObject({ name: "answered" });
  });

  it("a question that is too large rejects and leaves nothing open", async () => {
    const bench = questioning({
      channel: (own) => ({
        ...own,
        file(draft, longTexts) {
          if (draft.kind === "question" && draft.question.text === "large") {
            throw new WispError("request_too_large", "It does not fit.");
          }
          return own.file(draft, longTexts);
        },
      }),
    });
    const asked = bench.start({ ask: aQuestion({}, { text: "large" }) });
    await expect(asked.end).rejects.toMatchObject({ code: "request_too_large" });
    const again = await bench.ask();
    bench.face.answer(replyTo(again.request, "yes"));
    expect(await again.end).toMatchObject({ name: "answered" });
  });
});
