/** Yeses that are given back, and that outlive a process. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import { type Asked, type Asking, calm, detach, pushOf } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { approvedAlone, begun, home, inState } from "../../support/keeping-home.js";
import { sketched } from "../../support/sketched.js";

describe("giving back what was used up", () => {
  async function redeemed(bench: Asking): Promise<{ readonly asked: Asked; readonly outcome: Outcome }> {
    const asked = await approvedAlone(bench);
    const outcome = await bench.start().outcome;
    expect(outcome).toMatchObject({ name: "approved", redeemed: true });
    return { asked, outcome };
  }

  it("lets the next identical call use it, once, and is on disk before", async () => {
    const { start, audit } = home();
    const seen: unknown[] = [];
    const bench = start((own) => ({
      ...own,
      async release(id) {
        const { durability, events } = audit.appended.at(-1) ?? {};
        seen.push([durability, events?.map(({ kind }) => kind)]);
        return own.release(id);
      },
    }));
    const { asked, outcome } = await redeemed(bench);
    await bench.approver.release(outcome);
    expect(seen).toEqual([["durable", ["grant.released"]]]);
    expect(audit.only("grant.released")).toMatchObject([
      { call: asked.request.id, details: { grant: asked.request.id } },
    ]);
    expect(await begun(bench, bench.start())).toMatchObject({
      name: "approved",
      request: asked.request.id,
      redeemed: true,
    });
    expect((await bench.ask()).request.id).not.toBe(asked.request.id);
  });

  it("is possible again after it was used again", async () => {
    const bench = home().start();
    const { outcome } = await redeemed(bench);
    await bench.approver.release(outcome);
    const again = await bench.start().outcome;
    await bench.approver.release(again);
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("twice is a programmer's error, and so is giving back what was given to a call that waited", async () => {
    const { start, shelf } = home();
    const bench = start();
    const { outcome } = await redeemed(bench);
    await bench.approver.release(outcome);
    await expect(bench.approver.release(outcome)).rejects.toThrow(TypeError);
    await expect(bench.approver.release({ ...outcome })).rejects.toThrow(TypeError);
    expect([shelf.unspent.size, bench.audit.only("grant.released").length]).toEqual([1, 1]);
    const asked = await bench.ask({ ask: pushOf("other") });
    bench.face.answer(answerTo(asked.request));
    await expect(bench.approver.release(await asked.outcome)).rejects.toThrow(TypeError);
  });

  it("that cannot be written down leaves it spent", async () => {
    const { start, audit, shelf } = home();
    const bench = start();
    const { outcome } = await redeemed(bench);
    audit.failing = "durable";
    await bench.approver.release(outcome);
    audit.failing = "none";
    expect([shelf.unspent.size, (await bench.ask()).ended]).toEqual([0, null]);
  });

  it("that cannot be kept leaves it spent", async () => {
    const { start, shelf } = home();
    const bench = start();
    const { outcome } = await redeemed(bench);
    shelf.isBroken = true;
    await bench.approver.release(outcome);
    shelf.isBroken = false;
    expect((await bench.ask()).ended).toBeNull();
  });

  it.each([
    ["was cancelled", "abandoned", (asked: Asked) => asked.controller.abort()],
    ["ended alone", "pending", (asked: Asked) => detach(asked)],
  ] as const)("happens by itself when the call %s before it could run", async (_what, name, leave) => {
    const { start, audit } = home();
    const bench = start();
    const asked = await approvedAlone(bench);
    audit.holding = "durable";
    const again = bench.start();
    await calm();
    leave(again);
    audit.release();
    expect(await again.outcome).toMatchObject({ name, request: asked.request.id, redeemed: false });
    expect(audit.only("grant.released")).toHaveLength(1);
    expect(audit.only("approval.decided").at(-1)).toMatchObject({ details: { outcome: name } });
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("is waited for by the end of the connection, and the next server uses it", async () => {
    const { start, audit } = home();
    const bench = start();
    const { outcome } = await redeemed(bench);
    audit.holding = "durable";
    const released = bench.approver.release(outcome);
    let isClosed = false;
    const closed = bench.approver.close("the client left").then(() => {
      isClosed = true;
    });
    await calm();
    expect(isClosed).toBe(false);
    audit.release();
    await closed;
    await released;
    expect(await start().start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });
});

describe("a server that starts anew", () => {
  it("uses what an earlier one was given, once, and says no more of who gave it than it knows", async () => {
    const { start } = home();
    const asked = await approvedAlone(start());
    const next = start();
    expect(await next.start().outcome).toMatchObject({
      name: "approved",
      via: "cli",
      assurance: "file",
      note: "go",
      request: asked.request.id,
      redeemed: true,
    });
    expect((await next.ask()).ended).toBeNull();
    expect((await start().ask()).ended).toBeNull();
  });

  it("does not use what may have run", async () => {
    const { start, audit } = home();
    const bench = start();
    const asked = await approvedAlone(bench);
    await audit.append([sketched({ kind: "effect.started", call: asked.request.id })], "durable");
    expect((await start().ask()).ended).toBeNull();
  });

  it("spends what has drifted, too", async () => {
    const { start } = home();
    const asked = await approvedAlone(start(), inState("a"));
    const next = start();
    const changed = await next.start({ ask: inState("b") }).outcome;
    expect(changed).toMatchObject({ name: "drifted", request: asked.request.id });
    expect((await next.ask({ ask: inState("a") })).ended).toBeNull();
  });

  it("comes before a no that is older, and after one that it heard itself", async () => {
    const { start } = home();
    const earlier = start();
    const refused = await earlier.ask();
    earlier.face.answer(denialOf(refused.request));
    await refused.outcome;
    const next = start();
    await approvedAlone(next);
    expect(await next.start().outcome).toMatchObject({ name: "approved", redeemed: true });
    expect(await earlier.start().outcome).toMatchObject({ name: "denied" });
  });
});
