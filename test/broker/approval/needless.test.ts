/** Requests whose call a rule lets through by now. */
import { describe, expect, it } from "vitest";
import {
  type Asked,
  type Asking,
  asking,
  calm,
  detach,
  keepingIn,
  pushOf,
  world,
} from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";

const allowedBy = { kind: "policy", text: "Bash(git push *)", place: "policy.json:7" } as const;
const needless = "a rule lets this call run now, without an answer";

function home() {
  const shared = world();
  return { ...shared, bench: asking({ world: shared, ...keepingIn(shared) }) };
}

/** A request that its agent stopped waiting for. */
async function leftBehind(bench: Asking, options: Parameters<Asking["ask"]>[0] = {}): Promise<Asked> {
  const asked = await bench.ask(options);
  detach(asked);
  await calm();
  return asked;
}

describe("a request that its agent left behind, and whose call a rule lets through", () => {
  it("is withdrawn by the call that runs, and is not to be answered late", async () => {
    const { bench, late } = home();
    const asked = await leftBehind(bench);
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({
      name: "approved",
      via: "policy",
    });
    await calm();
    expect(bench.face.pending().requests).toEqual([]);
    expect(asked.receipt).toMatchObject({ outcome: "withdrawn", ran: false, note: needless });
    expect(late.size).toBe(0);
  });

  it("that is answered after that runs nothing more: it has ended", async () => {
    const { bench, shelf } = home();
    const asked = await leftBehind(bench);
    await bench.start({ ask: { allowedBy } }).outcome;
    await calm();
    bench.face.answer(answerTo(asked.request));
    await calm();
    expect(shelf.unspent.size).toBe(0);
    const again = await bench.ask();
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved", request: again.request.id });
  });

  it("that was approved before that is used up by the call, so that no second one runs when the rule is gone", async () => {
    const { bench, shelf } = home();
    const asked = await leftBehind(bench);
    bench.face.answer(answerTo(asked.request));
    await calm();
    await calm();
    expect(shelf.unspent.size).toBe(1);
    const ran = await bench.start({ ask: { allowedBy } }).outcome;
    expect(ran).toMatchObject({ name: "approved", via: "cli", request: asked.request.id, redeemed: true });
    bench.approver.conclude(ran, "began");
    await calm();
    expect(shelf.unspent.size).toBe(0);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("that was denied before that refuses the call, read or not", async () => {
    const { bench } = home();
    const asked = await leftBehind(bench);
    bench.face.answer(denialOf(asked.request));
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "denied" });
    bench.clock.advance(600_001);
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "approved" });
  });

  it("waits on where the call did not come to run, or that could not be written down", async () => {
    const { bench, audit } = home();
    const asked = await leftBehind(bench);
    const left = bench.start({ ask: { allowedBy } });
    left.controller.abort();
    expect(await left.outcome).toMatchObject({ name: "abandoned" });
    audit.failing = "durable";
    await expect(bench.start({ ask: { allowedBy } }).outcome).rejects.toThrow();
    audit.failing = "none";
    await calm();
    expect(bench.face.pending().requests).toEqual([asked.request]);
    await bench.start({ ask: { allowedBy } }).outcome;
    await calm();
    expect(bench.face.pending().requests).toEqual([]);
  });

  it("is withdrawn from each line of work of that caller, and from no other", async () => {
    const { bench } = home();
    await leftBehind(bench, { ask: { thread: "a" } });
    await leftBehind(bench, { ask: { thread: "b" } });
    const stranger = await leftBehind(bench, { ask: { client: { name: "another", version: "1" } } });
    const other = await leftBehind(bench, { ask: pushOf("other") });
    await bench.start({ ask: { allowedBy } }).outcome;
    await calm();
    expect(
      bench.face
        .pending()
        .requests.map(({ id }) => id)
        .sort(),
    ).toEqual([stranger.request.id, other.request.id].sort());
  });

  it("waits on while a call of its own is there, or a dialog of it that is expected back", async () => {
    const { bench } = home();
    const attended = await bench.ask();
    const away = await bench.ask({ ask: { thread: "away" }, dialog: new FakeDialog() });
    detach(away, "dialog");
    await calm();
    await bench.start({ ask: { allowedBy } }).outcome;
    await calm();
    expect(bench.face.pending().requests).toHaveLength(2);
    bench.face.answer(answerTo(attended.request));
    expect(await attended.outcome).toMatchObject({ name: "approved" });
  });

  it("that ended before is not to be answered late", async () => {
    const { bench, late } = home();
    const asked = await bench.ask();
    bench.clock.advance(600_000);
    await asked.outcome;
    expect(late.size).toBe(1);
    await bench.start({ ask: { allowedBy } }).outcome;
    expect(late.size).toBe(0);
  });
});
