import { describe, expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { asking, calm, plantAnswer, pushOf } from "../../support/asking.js";
import { answerTo, approvalDraft, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { memoryChannel } from "../../support/memory-channel.js";

const yes: DialogAnswer = { kind: "approve", scope: "once" };

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

  it("without a dialog refuses, saying why and not how an agent could repair it; once repaired, asks", async () => {
    const bench = asking();
    bench.place.fault = unsafe;
    const { note, name } = await bench.start().outcome;
    expect(name).toBe("failed");
    expect(note).toBe("channel_unsafe: /home/p/.wisp/pending is open to others; the client has no dialog");
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
    [{ kind: "dismissed" }, "the dialog was dismissed"],
    [{ kind: "invalid", why: "no decision" }, "no decision"],
  ] as const)("and a dialog that gave no answer: not obtained, with both reasons: %j", async (said, why) => {
    const bench = asking();
    bench.place.fault = unsafe;
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.answer(said);
    expect(await asked.outcome).toMatchObject({
      name: "not_obtained",
      note: `channel_unsafe: /home/p/.wisp/pending is open to others; ${why}`,
    });
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
    expect(bench.audit.kinds).toEqual(["policy.judged", "approval.requested", "approval.decided"]);
    expect(bench.audit.only("approval.decided")).toMatchObject([
      {
        call: null,
        details: { outcome: "failed", why: expect.stringContaining(error.message.slice(0, -1)) },
      },
    ]);
    isBroken = false;
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved" });
  });
});

describe("a place with other processes", () => {
  it("is served by one subscription, told by id or told to look at everything", async () => {
    const bench = asking();
    const before = bench.place.listeners.size;
    const asked = [
      await bench.ask({ ask: pushOf("one") }),
      await bench.ask({ ask: pushOf("two") }),
      await bench.ask({ ask: pushOf("three") }),
    ];
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
          return { kind: "answer", taken: { answer, hash: answerHash(answer), testimony: null } };
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
