import { describe, expect, it } from "vitest";
import { Detach } from "../../../src/broker/approval/approver.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { calm, world } from "../../support/asking.js";
import { aQuestion, declineOf, QuestionDialog, questioning, replyTo } from "../../support/questioning.js";
import { atTerminal } from "../../support/witnesses.js";

const secret = "correct horse battery staple";
const client = { name: "test\u001bclient", version: "1" };

describe("the record of a question", () => {
  it("has the whole sequence in order, and ends in one append that is on disk before a call is told", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    asked.dialog.answer({ kind: "dismissed" });
    await calm();
    bench.face.answer(replyTo(asked.request, secret));
    await asked.end;
    expect(
      bench.audit.appended.map((one) => [one.durability, one.events.map((event) => event.kind)]),
    ).toEqual([
      ["plain", ["question.requested"]],
      ["plain", ["question.pending"]],
      ["plain", ["dialog.ended"]],
      ["durable", ["question.answered", "question.settled", "question.told"]],
    ]);
    const calls = bench.audit.events.map((event) => event.call);
    expect(calls).toEqual([null, ...Array(5).fill(asked.request.id)]);
  });

  it("holds who asked and answered, and of what was asked and said only digests", async () => {
    const bench = questioning();
    const text = "What is the passphrase?";
    const options = [{ value: "hidden", label: "Unspoken", description: "untold" }];
    const asked = await bench.ask({ ask: aQuestion({ client, thread: "t" }, { text, options }) });
    bench.clock.advance(12_000);
    const answer = replyTo(asked.request, secret);
    bench.face.answer(answer);
    await asked.end;
    const claims = { client: { name: "test\\u{1b}client", version: "1" }, thread: "t" };
    expect(bench.audit.events).toEqual([
      {
        kind: "question.requested",
        call: null,
        selfReported: claims,
        details: {
          question: sha256Hex(text),
          options: 1,
          multiple: false,
          allowText: true,
          caller: "stdio",
          channel: true,
          dialog: false,
        },
      },
      {
        kind: "question.pending",
        call: asked.request.id,
        details: {
          filed: true,
          why: null,
          dialog: false,
          noDialog: "the client has no dialog",
          bannerDelaySeconds: 0,
          binding: asked.request.binding,
        },
      },
      {
        kind: "question.answered",
        call: asked.request.id,
        verified: atTerminal.seen,
        selfReported: { by: answer.by },
        details: {
          decision: "answer",
          via: "cli",
          answer: answerHash(answer),
          note: null,
          assurance: "terminal",
          seconds: 12,
          unseen: false,
        },
      },
      {
        kind: "question.settled",
        call: asked.request.id,
        details: {
          outcome: "answered",
          decision: "answer",
          via: "cli",
          seconds: 12,
          dialog: "none",
          banner: "none",
          why: null,
        },
      },
      {
        kind: "question.told",
        call: asked.request.id,
        selfReported: claims,
        details: { outcome: "answered", why: null, seconds: 12, kept: false },
      },
    ]);
    const log = JSON.stringify(bench.audit.events);
    for (const word of [secret, "passphrase", "hidden", "Unspoken", "untold"])
      expect(log).not.toContain(word);
  });

  it("holds no word that came beside a decline, nor of what is told later", async () => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.face.answer(declineOf(asked.request, secret));
    expect(await asked.end).toMatchObject({ note: secret });
    expect(await bench.start().end).toMatchObject({ name: "declined", note: secret });
    const kept = await bench.ask({ ask: aQuestion({ thread: "t" }) });
    kept.controller.abort(new Detach("held"));
    bench.face.answer(replyTo(kept.request, ["lite"]));
    expect(await bench.start({ ask: aQuestion({ thread: "t" }) }).end).toMatchObject({ name: "answered" });
    expect(bench.audit.only("question.answered")).toMatchObject([
      { details: { decision: "decline", note: sha256Hex(secret) } },
      { details: { decision: "answer", note: null } },
    ]);
    expect(bench.audit.only("question.told").map(({ details }) => [details?.outcome, details?.kept])).toEqual(
      [
        ["declined", false],
        ["declined", true],
        ["pending", false],
        ["answered", true],
      ],
    );
    const log = JSON.stringify(bench.audit.events);
    for (const word of [secret, "lite"]) expect(log).not.toContain(word);
  });

  it("says why a call ended that nobody answered, filed or not", async () => {
    const shared = world();
    const bench = questioning({ world: shared });
    bench.audit.failing = "all";
    await bench.start().end;
    bench.audit.failing = "none";
    const alone = await questioning({ channel: null, world: shared }).ask();
    expect(alone.ended).toMatchObject({ name: "failed", request: null });
    const asked = await bench.ask();
    asked.controller.abort();
    await asked.end;
    expect(bench.audit.only("question.told")).toMatchObject([
      {
        call: null,
        details: { outcome: "failed", why: expect.stringContaining("approval.outOfBand"), kept: false },
      },
      { call: asked.request.id, details: { outcome: "abandoned", why: "the caller cancelled" } },
    ]);
    expect(bench.audit.only("question.settled")).toMatchObject([
      { call: asked.request.id, details: { outcome: "abandoned", decision: "abandoned", via: "server" } },
    ]);
  });
});
