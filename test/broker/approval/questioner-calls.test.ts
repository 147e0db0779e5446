/** Calls that join a question and leave it. */
import { describe, expect, it } from "vitest";
import { calm, detach } from "../../support/asking.js";
import {
  aQuestion,
  questionClient as client,
  detached,
  QuestionDialog,
  questioning,
  replyTo,
} from "../../support/questioning.js";

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

  it("is none where thread, client, text, a label or the directory differs", async () => {
    const bench = questioning();
    const asks = [
      aQuestion(),
      aQuestion({ thread: "t" }),
      aQuestion({ client: { name: "other", version: "1" } }),
      aQuestion({ caller: "http" }),
      aQuestion({}, { text: "Which one?" }),
      aQuestion({}, { multiple: true }),
      aQuestion({}, { allowText: false }),
      aQuestion({}, { directory: "/home/p/web" }),
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

describe("over 20 questions of one connection", () => {
  it("one more is asked of nobody, until one has ended", async () => {
    const bench = questioning();
    const ask = (index: number) => aQuestion({ thread: `${index}` });
    const waiting = await Promise.all(
      Array.from({ length: 20 }, (_, index) => detached(bench, { ask: ask(index) })),
    );
    const more = await bench.ask({ ask: ask(20) });
    expect(more.ended).toMatchObject({
      name: "refused",
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
