/** Calls that join a question, leave it, and come back for its answer. */
import { describe, expect, it } from "vitest";
import { Detach } from "../../../src/broker/approval/approver.js";
import { calm } from "../../support/asking.js";
import {
  type AskedQuestion,
  aQuestion,
  declineOf,
  QuestionDialog,
  type Questioning,
  questioning,
  replyTo,
} from "../../support/questioning.js";

const client = { name: "test-client", version: "1.0.0" };

function detach({ controller }: AskedQuestion, why: Detach["why"] = "held"): void {
  controller.abort(new Detach(why));
}

/** A question that waits without a call. */
async function detached(bench: Questioning, options: Parameters<Questioning["ask"]>[0] = {}) {
  const asked = await bench.ask(options);
  detach(asked);
  expect(await asked.end).toMatchObject({ name: "pending", request: asked.request.id });
  return asked;
}

describe("an identical ask", () => {
  it("joins the one that waits: one request, one answer for all", async () => {
    const bench = questioning();
    const first = await bench.ask();
    const others = [
      await bench.ask(),
      await bench.ask({ ask: aQuestion({ client: { ...client, version: "2" } }) }),
    ];
    expect(others.map(({ request }) => request.id)).toEqual([first.request.id, first.request.id]);
    bench.face.answer(replyTo(first.request, "yes"));
    for (const { end } of [first, ...others]) expect(await end).toMatchObject({ name: "answered" });
    expect(bench.audit.only("question.requested").map(({ details }) => details?.joins)).toEqual([
      undefined,
      first.request.id,
      first.request.id,
    ]);
    expect(bench.audit.only("question.told")).toHaveLength(3);
  });

  it("is none where thread, client, text or a label differs", async () => {
    const bench = questioning();
    const asks = [
      aQuestion(),
      aQuestion({ thread: "t" }),
      aQuestion({ client: { name: "other", version: "1" } }),
      aQuestion({ caller: "http" }),
      aQuestion({}, { text: "Which one?" }),
      aQuestion({}, { multiple: true }),
      aQuestion({}, { allowText: false }),
      aQuestion({}, { options: [{ value: "pg", label: "Postgres", description: null }] }),
    ];
    const asked = await Promise.all(asks.map((ask) => bench.ask({ ask })));
    expect(new Set(asked.map(({ request }) => request.id)).size).toBe(asks.length);
  });

  it("that comes while the answer is written down waits for that, and is asked anew", async () => {
    const bench = questioning();
    const first = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(replyTo(first.request, "one"));
    await calm();
    const second = await bench.ask();
    expect(second.hasHeard).toBe(false);
    bench.audit.release();
    expect(await first.end).toMatchObject({ content: { text: "one" } });
    await calm();
    bench.face.answer(replyTo(second.request, "two"));
    expect(await second.end).toMatchObject({ content: { text: "two" } });
  });
});

describe("a call that cancels", () => {
  it("takes nothing from the others", async () => {
    const bench = questioning();
    const [first, second] = [await bench.ask(), await bench.ask()];
    first.controller.abort();
    expect(await first.end).toMatchObject({ name: "abandoned", note: "the caller cancelled" });
    bench.face.answer(replyTo(second.request, "yes"));
    expect(await second.end).toMatchObject({ name: "answered" });
  });

  it("and is the last takes the question with it, which is asked anew", async () => {
    const bench = questioning();
    const asked = await bench.ask({ dialog: new QuestionDialog() });
    asked.controller.abort();
    expect(await asked.end).toMatchObject({ name: "abandoned" });
    expect(asked.receipt).toMatchObject({ outcome: "abandoned" });
    expect(asked.dialog.isWithdrawn).toBe(true);
    const again = await bench.ask();
    expect(again.request.id).not.toBe(asked.request.id);
    expect(await bench.questioner.look(asked.request.id, client)).toMatchObject({ name: "abandoned" });
  });

  it("before it asks is told so, and nothing is filed", async () => {
    const bench = questioning();
    const controller = new AbortController();
    controller.abort();
    expect(await bench.start({ controller }).end).toMatchObject({ name: "abandoned", request: null });
    expect(bench.audit.events).toEqual([]);
  });

  it("while its answer is written down leaves it to the next", async () => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(replyTo(asked.request, "yes"));
    await calm();
    asked.controller.abort();
    bench.audit.release();
    expect(await asked.end).toMatchObject({ name: "abandoned" });
    expect(asked.receipt).toMatchObject({ outcome: "answered" });
    expect(await bench.start().end).toMatchObject({ name: "answered", request: asked.request.id });
    expect(bench.audit.only("question.told").map(({ details }) => [details?.outcome, details?.kept])).toEqual(
      [
        ["answered", false],
        ["abandoned", false],
        ["answered", true],
      ],
    );
  });

  it("while it collects what is kept leaves it to the next", async () => {
    const bench = questioning();
    const asked = await detached(bench);
    bench.face.answer(replyTo(asked.request, "yes"));
    await calm();
    bench.audit.holding = "all";
    const gone = bench.start();
    await calm();
    const next = bench.start();
    gone.controller.abort();
    bench.audit.release();
    expect(await gone.end).toMatchObject({ name: "abandoned" });
    expect(await next.end).toMatchObject({ name: "answered", content: { text: "yes" } });
    expect((await bench.ask()).request.id).not.toBe(asked.request.id);
  });

  it("because its caller gave up waiting, while its answer is written down, collects it later", async () => {
    const bench = questioning();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(replyTo(asked.request, "yes"));
    await calm();
    detach(asked, "timed out");
    bench.audit.release();
    expect(await asked.end).toMatchObject({ name: "pending", request: asked.request.id });
    expect(await bench.start().end).toMatchObject({ name: "answered" });
  });
});

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

describe("over 20 questions of one connection", () => {
  it("one more is asked of nobody, until one has ended", async () => {
    const bench = questioning();
    const ask = (index: number) => aQuestion({ thread: `${index}` });
    const waiting = await Promise.all(
      Array.from({ length: 20 }, (_, index) => detached(bench, { ask: ask(index) })),
    );
    const more = await bench.ask({ ask: ask(20) });
    expect(more.ended).toMatchObject({
      name: "failed",
      note: "20 questions of this connection wait already",
      request: null,
    });
    expect(bench.face.pending().requests).toHaveLength(20);
    // One that waits is still joined.
    const joined = await bench.ask({ ask: ask(0) });
    const { request } = waiting[0] ?? expect.fail("There is none.");
    bench.face.answer(replyTo(request, "yes"));
    expect(await joined.end).toMatchObject({ name: "answered" });
    expect((await bench.ask({ ask: ask(20) })).ended).toBeNull();
  });
});

describe("the end of the connection", () => {
  it("withdraws what waits, forgets what was kept, and asks nobody after it", async () => {
    const bench = questioning();
    const kept = await detached(bench);
    bench.face.answer(replyTo(kept.request, "yes"));
    await calm();
    const asked = await bench.ask({ ask: aQuestion({ thread: "t" }), dialog: new QuestionDialog() });
    const alone = await detached(bench, { ask: aQuestion({ thread: "u" }) });
    await bench.questioner.close("the client left");
    expect(asked.ended).toMatchObject({ name: "withdrawn", note: "the client left" });
    expect(asked.dialog.isWithdrawn).toBe(true);
    expect([asked.receipt?.outcome, alone.receipt?.outcome]).toEqual(["withdrawn", "withdrawn"]);
    expect([bench.place.files.size, bench.clock.timers, bench.place.listeners.size]).toEqual([0, 0, 0]);
    expect(await bench.start().end).toMatchObject({ name: "withdrawn", request: null });
    expect(await bench.questioner.look(kept.request.id, client)).toBeNull();
    await bench.questioner.close("again");
  });

  it("lets an answer that stood in the slot before be told", async () => {
    const bench = questioning({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    const asked = await bench.ask();
    bench.face.answer(replyTo(asked.request, "yes"));
    await bench.questioner.close("the client left");
    expect(asked.ended).toMatchObject({ name: "answered", content: { text: "yes" } });
  });
});
