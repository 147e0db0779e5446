/** Two clients on one connection that ask for the same: what one was told or given is not the other's. */
import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/broker/approval/approver.js";
import { type Asking, asking, calm, detach } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { approvedAlone, begun, home } from "../../support/keeping-home.js";

const other: Partial<Ask> = { client: { name: "other", version: "1" } };

async function deny(bench: Asking, ask: Partial<Ask>): Promise<void> {
  const asked = await bench.ask({ ask });
  bench.face.answer(denialOf(asked.request, "not now"));
  expect((await asked.outcome).name).toBe("denied");
}

describe("a no to one client", () => {
  it("does not refuse another the yes that was kept for it, which runs one call", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    await deny(bench, other);
    const again = await begun(bench, bench.start());
    expect(again).toMatchObject({ name: "approved", redeemed: true, request: asked.request.id });
    // That was all that was kept; the no still answers whoever asks.
    expect((await bench.start().outcome).name).toBe("denied");
  });

  it("leaves another the rule that a person allowed it", async () => {
    const bench = asking();
    const scopes = ["once", "session"] as const;
    const asked = await bench.ask({ ask: { scopes } });
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    await asked.outcome;
    await deny(bench, { ...other, scopes });
    expect(await bench.start({ ask: { scopes } }).outcome).toMatchObject({
      name: "approved",
      scope: "session",
    });
    expect((await bench.start({ ask: other }).outcome).name).toBe("denied");
  });

  it("answers another that was given nothing: a new name is no way around it", async () => {
    const bench = home().start();
    await deny(bench, {});
    expect(await bench.start({ ask: other }).outcome).toMatchObject({ name: "denied", note: "not now" });
    bench.clock.advance(60_001);
    expect((await bench.ask({ ask: other })).ended).toBeNull();
  });

  it("refuses the one that it was said to, and not the other, although they come one after the other", async () => {
    const bench = home().start();
    await approvedAlone(bench, { thread: "one" });
    const waiting = await bench.ask({ ask: { ...other, thread: "two" } });
    expect(waiting.ended).toBeNull();
    bench.face.answer(denialOf(waiting.request, "not now"));
    await waiting.outcome;
    expect((await bench.start({ ask: other }).outcome).name).toBe("denied");
    expect((await bench.start().outcome).name).toBe("approved");
  });

  it("that waits to be told is told to that one, although another has heard of it before", async () => {
    const bench = asking();
    const asked = await bench.ask();
    detach(asked);
    bench.face.answer(denialOf(asked.request, "not now"));
    await calm();
    expect((await bench.start({ ask: other }).outcome).name).toBe("denied");
    bench.clock.advance(60_001);
    expect(await bench.start().outcome).toMatchObject({ name: "denied", note: "not now" });
  });

  it("comes before the yes that is kept for the same client, although another was told the same since", async () => {
    const bench = home().start();
    const yes = await bench.ask({ ask: { thread: "one" } });
    const no = await bench.ask({ ask: { thread: "two" } });
    const others = await bench.ask({ ask: other });
    detach(yes);
    await calm();
    bench.face.answer(answerTo(yes.request));
    await calm();
    bench.face.answer(denialOf(no.request, "not now"));
    await no.outcome;
    bench.face.answer(denialOf(others.request, "nor you"));
    await others.outcome;
    expect(await bench.start().outcome).toMatchObject({ name: "denied", note: "not now" });
  });
});
