/** What came while no call was there, and is collected later. */
import { describe, expect, it } from "vitest";
import { calm, detach } from "../../support/asking.js";
import {
  aQuestion,
  questionClient as client,
  declineOf,
  detached,
  QuestionDialog,
  questioning,
  replyTo,
} from "../../support/questioning.js";

describe("a question without a call", () => {
  it("waits on, and faces are told", async () => {
    const bench = questioning();
    const asked = await detached(bench);
    expect(bench.place.detached).toEqual(new Set([asked.request.id]));
    expect((await asked.end).name === "pending" && (await asked.end)).toMatchObject({
      expiresAt: asked.request.expiresAt,
      via: "server",
    });
    const again = await bench.ask();
    expect(again.request.id).toBe(asked.request.id);
    expect(bench.place.detached).toEqual(new Set());
    bench.face.answer(replyTo(asked.request, "yes"));
    expect(await again.end).toMatchObject({ name: "answered" });
    expect((await bench.ask()).request.id).not.toBe(asked.request.id);
  });

  it("has its answer kept and told once, to the first identical call", async () => {
    const bench = questioning();
    const asked = await detached(bench);
    bench.face.answer(replyTo(asked.request, "yes"));
    await calm();
    expect(asked.receipt).toMatchObject({ outcome: "answered" });
    const others = [aQuestion({ thread: "t" }), aQuestion({ client: { name: "other", version: "1" } })];
    for (const ask of others) expect((await bench.ask({ ask })).ended).toBeNull();
    bench.clock.advance(600_000);
    const [first, second] = [bench.start(), bench.start()];
    expect(await first.end).toMatchObject({
      name: "answered",
      content: { text: "yes" },
      assurance: "terminal",
      request: asked.request.id,
      seconds: 0,
    });
    await calm();
    expect(second.ended).toBeNull();
    expect(second.request.id).not.toBe(asked.request.id);
  });

  it.each([
    { keepSeconds: 600, ms: 600_001 },
    { keepSeconds: 0, ms: 0 },
  ])("whose answer nobody collected within $keepSeconds s is asked anew", async ({ keepSeconds, ms }) => {
    const bench = questioning({ keepSeconds });
    const asked = await detached(bench);
    bench.face.answer(replyTo(asked.request, "the secret"));
    await calm();
    bench.clock.advance(ms);
    const again = await bench.ask();
    expect(again.request.id).not.toBe(asked.request.id);
    const looked = await bench.questioner.look(asked.request.id, client);
    expect(looked).toMatchObject({ name: "already_decided", note: expect.stringContaining("kept") });
    expect(JSON.stringify(looked)).not.toContain("the secret");
    bench.face.answer(replyTo(again.request, "told"));
    expect(await again.end).toMatchObject({ content: { text: "told" } });
  });

  it("that timed out says so once", async () => {
    const bench = questioning();
    const asked = await detached(bench);
    bench.clock.advance(600_000);
    await calm();
    expect(await bench.start().end).toMatchObject({ name: "timed_out", request: asked.request.id });
    expect((await bench.ask()).request.id).not.toBe(asked.request.id);
  });

  it("whose dialog comes back with an answer after it timed out is not asked anew", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    detach(asked, "dialog");
    await asked.end;
    expect(asked.dialog.isWithdrawn).toBe(false);
    bench.clock.advance(600_000);
    await calm();
    const back = await bench.ask({ dialog: new QuestionDialog() });
    expect(back.ended).toMatchObject({ name: "timed_out", request: asked.request.id });
    expect(back.dialog.shown).toEqual([]);
  });

  it("is answered by the dialog of the call that comes back", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    detach(asked, "dialog");
    await asked.end;
    const back = await bench.ask({ dialog: new QuestionDialog() });
    expect(back.dialog.shown).toEqual([asked.request]);
    back.dialog.answer({ kind: "answer", values: ["pg"], text: null, shownForMs: 5_000 });
    expect(await back.end).toMatchObject({ name: "answered", via: "elicitation" });
  });

  it("that only a dialog could answer is withdrawn with the last call that could show one", async () => {
    const bench = questioning({ channel: null });
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    detach(asked);
    expect(await asked.end).toMatchObject({ name: "withdrawn" });
    expect((await bench.ask({ dialog: new QuestionDialog() })).request.id).not.toBe(asked.request.id);
  });
});

describe("a decline", () => {
  it("answers identical asks for its time, and nobody is asked", async () => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.face.answer(declineOf(asked.request, "not now"));
    await asked.end;
    for (const ms of [0, 60_000]) {
      bench.clock.advance(ms);
      expect(await bench.start().end).toMatchObject({ name: "declined", note: "not now", seconds: 0 });
    }
    expect((await bench.ask({ ask: aQuestion({ thread: "t" }) })).ended).toBeNull();
    bench.clock.advance(1);
    expect((await bench.ask()).request.id).not.toBe(asked.request.id);
    expect(bench.audit.only("question.answered")).toHaveLength(1);
  });

  it("that no call heard is kept, and its time begins when it is told", async () => {
    const bench = questioning({ keepSeconds: 0 });
    const asked = await detached(bench);
    bench.face.answer(declineOf(asked.request));
    await calm();
    bench.clock.advance(60_000);
    expect(await bench.start().end).toMatchObject({ name: "declined" });
    bench.clock.advance(60_000);
    expect(await bench.start().end).toMatchObject({ name: "declined" });
    bench.clock.advance(1);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("is told once where no time is set", async () => {
    const bench = questioning({ declineMemorySeconds: 0 });
    const asked = await bench.ask();
    bench.face.answer(declineOf(asked.request));
    expect(await asked.end).toMatchObject({ name: "declined" });
    expect((await bench.ask()).ended).toBeNull();
  });
});

describe("a look", () => {
  it("says that a question waits, and tells its answer once", async () => {
    const bench = questioning();
    const asked = await detached(bench);
    const look = () => bench.questioner.look(asked.request.id, client);
    expect(await look()).toMatchObject({ name: "pending", expiresAt: asked.request.expiresAt });
    bench.face.answer(replyTo(asked.request, "yes"));
    // It is being written down.
    expect(await look()).toMatchObject({ name: "answered", content: { text: "yes" }, seconds: 0 });
    const again = await look();
    expect(again).toMatchObject({ name: "already_decided", note: "the answer was told already" });
    expect(JSON.stringify(again)).not.toContain("yes");
    expect((await bench.ask()).request.id).not.toBe(asked.request.id);
    expect(bench.audit.only("question.told").map(({ details }) => [details?.outcome, details?.kept])).toEqual(
      [
        ["pending", false],
        ["answered", true],
      ],
    );
  });

  it("after a call was told does not tell the answer", async () => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.face.answer(replyTo(asked.request, "yes"));
    await asked.end;
    expect(await bench.questioner.look(asked.request.id, client)).toMatchObject({ name: "already_decided" });
  });

  it.each(["declined", "timed_out"] as const)(
    "says as often as it is asked that a question ended %s",
    async (how) => {
      const bench = questioning();
      const asked = await detached(bench);
      if (how === "declined") bench.face.answer(declineOf(asked.request, "no"));
      else bench.clock.advance(600_000);
      await calm();
      for (let time = 0; time < 2; time += 1) {
        expect(await bench.questioner.look(asked.request.id, client)).toMatchObject({ name: how });
      }
    },
  );

  it("finds nothing of another client, another connection or nobody", async () => {
    const bench = questioning();
    const other = { name: "other", version: "1.0.0" };
    const asked = await detached(bench);
    const { id } = asked.request;
    expect(await bench.questioner.look(id, other)).toBeNull();
    bench.face.answer(replyTo(asked.request, "yes"));
    await calm();
    expect(await bench.questioner.look(id, other)).toBeNull();
    expect(await bench.questioner.look(id, null)).toBeNull();
    expect(await questioning().questioner.look(id, client)).toBeNull();
    expect(await bench.questioner.look("k7q2mx9d", client)).toBeNull();
    expect(await bench.questioner.look(id, client)).toMatchObject({ name: "answered" });
    expect(await bench.questioner.look(id, other)).toBeNull();
  });
});
