import { describe, expect, it } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import { type Asked, type Asking, anAsk, asking, calm, pushOf } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { decidedIn, identical, namesOf, requestOf } from "../../support/joined.js";
import { removeRequest } from "../../support/memory-channel.js";

describe("identical calls", () => {
  it("made at one instant are one request, one dialog and one decision, and all hear of the request", async () => {
    const bench = asking();
    const asked = await identical(bench, 4);
    expect(bench.face.pending().requests).toHaveLength(1);
    expect(new Set(asked.map(({ request }) => request.id)).size).toBe(1);
    expect(asked.map(({ dialog }) => dialog.shown.length)).toEqual([1, 0, 0, 0]);
    bench.face.answer(denialOf(requestOf(asked), "no"));
    for (const { outcome } of asked) {
      expect(await outcome).toMatchObject({
        name: "denied",
        via: "cli",
        note: "no",
        request: requestOf(asked).id,
      });
    }
    expect(bench.place.receipts.size).toBe(1);
    expect(bench.audit.only("approval.settled")).toHaveLength(1);
  });

  it("join one that waits already, and hear of its request at once", async () => {
    const bench = asking();
    const first = await bench.ask();
    bench.clock.advance(5_000);
    const second = bench.start();
    expect(second.request).toEqual(first.request);
    bench.clock.advance(1_000);
    bench.face.answer(denialOf(first.request));
    expect([(await first.outcome).seconds, (await second.outcome).seconds]).toEqual([6, 1]);
  });

  it("leave lines of their own: who joined what, and how it ended for each", async () => {
    const bench = asking();
    const asked = [bench.start(), bench.start({ ask: { says: "again" } })];
    await calm();
    asked.push(bench.start());
    const { id } = requestOf(asked);
    bench.face.answer(answerTo(requestOf(asked)));
    await Promise.all(asked.map(({ outcome }) => outcome));
    const requested = bench.audit.only("approval.requested");
    expect(requested.map(({ call, details }) => [call, details?.joins])).toEqual([
      [null, undefined],
      [id, id],
      [id, id],
    ]);
    expect(bench.audit.only("policy.judged")).toHaveLength(3);
    expect(requested[1]?.selfReported?.says).toMatch(/^[0-9a-f]{64}$/);
    const decided = bench.audit.only("approval.decided");
    expect(decided.map(({ call, details }) => [call, details?.outcome])).toEqual([
      [id, "approved"],
      [id, "already_decided"],
      [id, "already_decided"],
    ]);
    // One append, so that no crash leaves a yes without the word on who got it.
    expect(bench.audit.appended.at(-1)?.events).toEqual(expect.arrayContaining([...decided]));
  });

  it.each<[string, Parameters<Asking["start"]>[0]]>([
    ["another thread", { ask: { thread: "other" } }],
    ["no thread where the other has one with no name", { ask: { thread: "" } }],
    ["other words", { ask: pushOf("dev") }],
    ["another directory", { ask: { subject: commandSubject({ directory: "/elsewhere" }) } }],
  ])("of %s join nothing", async (_what, options) => {
    const bench = asking();
    const first = await bench.ask();
    const second = await bench.ask(options);
    expect(second.request.id).not.toBe(first.request.id);
    bench.face.answer(denialOf(first.request));
    await first.outcome;
    expect(second.ended).toBeNull();
    bench.face.answer(answerTo(second.request));
    expect(await second.outcome).toMatchObject({ name: "approved" });
  });

  it("of a thread join their like in that thread", async () => {
    const bench = asking();
    const ask = { thread: "git" };
    const [one, two] = [await bench.ask({ ask }), await bench.ask({ ask })];
    expect(two.request).toEqual(one.request);
  });

  it("join nothing that is decided already: the next one asks afresh", async () => {
    const bench = asking();
    const first = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(first.request));
    await calm();
    const second = await bench.ask();
    expect(second.request.id).not.toBe(first.request.id);
    bench.audit.release();
    expect(await first.outcome).toMatchObject({ name: "approved" });
    expect(second.ended).toBeNull();
  });

  it("of two connections do not know each other", async () => {
    const bench = asking();
    const other = asking();
    const [one, two] = [await bench.ask(), await other.ask()];
    expect(one.request.id).not.toBe(two.request.id);
  });
});

describe("each other ending is told to all joined calls", () => {
  it.each<[string, (bench: Asking, asked: Asked) => unknown]>([
    ["declined", (_, { dialog }) => dialog.answer({ kind: "decline" })],
    ["timed_out", ({ clock }) => clock.advance(600_000)],
    ["withdrawn", ({ approver }) => void approver.close("the client left")],
    ["failed", ({ place }, { request }) => removeRequest(place, request.id)],
  ])("%s", async (name, act) => {
    const bench = asking();
    const asked = await identical(bench, 3);
    act(bench, asked[0] ?? expect.fail());
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual([name, name, name]);
    expect(decidedIn(bench)).toEqual([name, name, name]);
    expect(bench.place.receipts.size).toBe(1);
  });

  it("not_obtained, where the dialog was the only way", async () => {
    const bench = asking({ channel: null });
    const asked = await identical(bench, 3);
    asked[0]?.dialog.answer({ kind: "dismissed" });
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["not_obtained", "not_obtained", "not_obtained"]);
  });

  it("failed, where there is no way at all", async () => {
    const bench = asking({ channel: null });
    const asked = [bench.start(), bench.start()];
    await Promise.all(asked.map(({ outcome }) => outcome));
    expect(namesOf(asked)).toEqual(["failed", "failed"]);
    expect(bench.audit.only("approval.requested")).toHaveLength(2);
    expect(decidedIn(bench)).toEqual(["failed", "failed"]);
  });

  it("what is wrong with the request itself, and the next call asks again", async () => {
    const error = new WispError("request_too_large", "A request may take 262144 bytes.");
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
    const asked = [bench.start(), bench.start()];
    for (const { outcome } of asked) await expect(outcome).rejects.toBe(error);
    isBroken = false;
    const again = await bench.ask();
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });
});

describe("a call whose own listener throws", () => {
  const throwing = (): never => {
    throw new Error("listener broke");
  };

  it("fails alone where others wait", async () => {
    const bench = asking();
    const first = await bench.ask();
    const { signal } = new AbortController();
    const joined = await bench.approver.ask(anAsk(), null, signal, throwing);
    expect(joined).toMatchObject({ name: "failed", note: "listener broke", request: first.request.id });
    expect(first.ended).toBeNull();
    bench.face.answer(answerTo(first.request));
    expect(await first.outcome).toMatchObject({ name: "approved" });
  });

  it("and whose caller cancels after that takes nothing from the others", async () => {
    const bench = asking();
    const first = await bench.ask();
    const controller = new AbortController();
    await bench.approver.ask(anAsk(), null, controller.signal, throwing);
    controller.abort();
    bench.face.answer(answerTo(first.request));
    expect(await first.outcome).toMatchObject({ name: "approved" });
  });
});

it("a call that leaves while another is told of the request hears nothing of it", async () => {
  const bench = asking();
  const controller = new AbortController();
  const heard: string[] = [];
  const first = bench.approver.ask(anAsk(), null, new AbortController().signal, ({ id }) => {
    heard.push(id);
    controller.abort();
  });
  const second = bench.approver.ask(anAsk(), null, controller.signal, ({ id }) => heard.push(id));
  expect(await second).toMatchObject({ name: "abandoned" });
  const [request] = bench.face.pending().requests;
  expect(heard).toEqual([request?.id]);
  bench.face.answer(answerTo(request ?? expect.fail("Nothing waits.")));
  expect(await first).toMatchObject({ name: "approved" });
});

it("a programmer's error reaches every call that joined, and the next call asks afresh", async () => {
  let isBroken = true;
  const dialogCounts = (): boolean => {
    if (isBroken) throw new TypeError("broken");
    return true;
  };
  const bench = asking({ dialogCounts });
  const asked = [bench.start({ dialog: new FakeDialog() }), bench.start({ dialog: new FakeDialog() })];
  for (const { outcome } of asked) await expect(outcome).rejects.toThrow("broken");
  isBroken = false;
  const again = await bench.ask({ dialog: new FakeDialog() });
  bench.face.answer(answerTo(again.request));
  expect(await again.outcome).toMatchObject({ name: "approved" });
});

describe("the same in another state", () => {
  const drifted = { subject: commandSubject({ state: { bound: [{ target: "HEAD", fingerprint: "b" }] } }) };

  it("withdraws what waits and asks afresh", async () => {
    const bench = asking();
    const older = await bench.ask({ dialog: new FakeDialog() });
    const newer = await bench.ask({ ask: drifted });
    expect(await older.outcome).toMatchObject({ name: "withdrawn", note: "superseded by a newer call" });
    expect(older.receipt).toMatchObject({ outcome: "withdrawn", ran: false });
    expect(older.dialog.isWithdrawn).toBe(true);
    const joined = await bench.ask({ ask: drifted });
    expect(joined.request).toEqual(newer.request);
    bench.face.answer(answerTo(newer.request));
    expect(await newer.outcome).toMatchObject({ name: "approved" });
  });

  it("files nothing of what is still being filed", async () => {
    const bench = asking();
    bench.audit.holding = "all";
    const older = bench.start();
    const newer = bench.start({ ask: drifted });
    bench.audit.release();
    expect(await older.outcome).toMatchObject({ name: "withdrawn", request: null });
    await calm();
    expect(bench.face.pending().requests).toEqual([newer.request]);
  });

  it("leaves a yes standing that came before it", async () => {
    const bench = asking({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    const older = await bench.ask();
    bench.face.answer(answerTo(older.request));
    const newer = await bench.ask({ ask: drifted });
    expect(await older.outcome).toMatchObject({ name: "approved" });
    expect(newer.ended).toBeNull();
  });

  it("leaves that of another thread alone", async () => {
    const bench = asking();
    const older = await bench.ask({ ask: { thread: "other" } });
    await bench.ask({ ask: drifted });
    expect(older.ended).toBeNull();
  });
});
