/** What faces are told of a request whose dialog went with the client: it has not stopped waiting. */
import { describe, expect, it } from "vitest";
import { Detach } from "../../../src/broker/approval/approver.js";
import { type Asked, type Asking, asking, calm, detach } from "../../support/asking.js";
import { answerTo } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";

interface Away {
  readonly bench: Asking;
  readonly asked: Asked;
  /** The client is back, or counts as gone. */
  readonly back: AbortController;
}

/** The dialog of the only call is with the client. */
async function away(): Promise<Away> {
  const bench = asking();
  const asked = await bench.ask({ dialog: new FakeDialog() });
  return { bench, asked, back: goAway(asked) };
}

function goAway({ controller }: Asked): AbortController {
  const back = new AbortController();
  controller.abort(new Detach("dialog", back.signal));
  return back;
}

function named({ place }: Asking): readonly string[] {
  return [...place.detached];
}

describe("a request whose dialog is with the client", () => {
  it("is named to faces as one that nobody waits for when the client does not come back, and not before", async () => {
    const { bench, asked, back } = await away();
    expect((await asked.outcome).name).toBe("pending");
    expect(named(bench)).toEqual([]);
    back.abort();
    expect(named(bench)).toEqual([asked.request.id]);
    const again = await bench.ask();
    expect(named(bench)).toEqual([]);
    bench.face.answer(answerTo(asked.request));
    expect((await again.outcome).name).toBe("approved");
  });

  it("is not named while the call is there that the client came back with, and is when that ends alone", async () => {
    const { bench, asked, back } = await away();
    const second = await bench.ask();
    back.abort();
    expect(named(bench)).toEqual([]);
    detach(second);
    expect(named(bench)).toEqual([asked.request.id]);
  });

  it("is not named when another call has come and gone", async () => {
    const { bench, asked, back } = await away();
    const other = await bench.ask();
    detach(other);
    expect(named(bench)).toEqual([]);
    back.abort();
    expect(named(bench)).toEqual([asked.request.id]);
  });

  it("is named when the last of several is away no more", async () => {
    const { bench, asked, back } = await away();
    const second = goAway(await bench.ask({ dialog: new FakeDialog() }));
    back.abort();
    expect(named(bench)).toEqual([]);
    second.abort();
    expect(named(bench)).toEqual([asked.request.id]);
  });

  it("is named at once where the client counts as gone already", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.controller.abort(new Detach("dialog", AbortSignal.abort()));
    expect(named(bench)).toEqual([asked.request.id]);
  });

  it("is not named once it is decided, although its receipt is still to come", async () => {
    const { bench, asked, back } = await away();
    bench.audit.holding = "all";
    bench.face.answer(answerTo(asked.request));
    await calm();
    back.abort();
    expect([named(bench), asked.receipt]).toEqual([[], null]);
    bench.audit.release();
    await calm();
    expect(asked.receipt).not.toBeNull();
    expect(named(bench)).toEqual([]);
  });
});
