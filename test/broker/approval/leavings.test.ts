/** What a request leaves behind that nobody said no to. */
import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/broker/approval/approver.js";
import { neverTold } from "../../../src/broker/approval/notices.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import { type Asked, type Asking, asking, calm, detach, keepingIn, world } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { HeardNotices } from "../../support/heard-notices.js";
import { permissionSubject, toolSubject } from "../../support/request-kinds.js";
import { sketched } from "../../support/sketched.js";

function home(lateSeconds?: number) {
  const shared = world();
  const start = (
    parts: { readonly notices?: HeardNotices; readonly channel?: (own: Channel) => Channel } = {},
  ): Asking & { readonly notices: HeardNotices } => {
    const notices = parts.notices ?? new HeardNotices();
    return { ...asking({ world: shared, ...keepingIn(shared, lateSeconds), ...parts, notices }), notices };
  };
  /** What a person may still answer, by request. */
  const offered = () => keepingIn(shared, lateSeconds).late?.list().requests ?? [];
  return { ...shared, start, offered, ids: () => offered().map(({ request }) => request.id) };
}

const bound = { bound: [{ target: "HEAD", fingerprint: "a" }] };

const endings: Readonly<Record<string, (bench: Asking, asked: Asked) => unknown>> = {
  timed_out: (bench) => bench.clock.advance(600_000),
  abandoned: (_bench, asked) => asked.controller.abort(),
  withdrawn: (bench) => bench.approver.close("the client left"),
};

describe("a request that nobody said no to", () => {
  it.each(Object.entries(endings))("and that ended as %s may be answered late", async (how, end) => {
    const { start, offered } = home();
    const bench = start();
    const asked = await bench.ask();
    await end(bench, asked);
    expect((await asked.outcome).name).toBe(how);
    expect(offered()).toMatchObject([
      { how, request: asked.request, bound: { client: "stdio:test-client", role: "mcp", server: "wisp" } },
    ]);
  });

  it.each(Object.entries(endings).filter(([how]) => how !== "abandoned"))(
    "and that ended as %s while no call waited may be answered late",
    async (how, end) => {
      const { start, offered } = home();
      const bench = start();
      const asked = await bench.ask();
      detach(asked);
      await calm();
      await end(bench, asked);
      await calm();
      expect(offered()).toMatchObject([{ how, request: asked.request }]);
    },
  );

  it.each<[Partial<Ask>, boolean]>([
    [{ level: "low" }, true],
    [{ level: "moderate" }, true],
    [{ level: "high" }, false],
    [{ level: "high", subject: commandSubject({ state: "none" }) }, false],
    [{ level: "high", subject: commandSubject({ state: { bound: [] } }) }, false],
    [{ level: "high", subject: commandSubject({ state: bound }) }, true],
    [{ level: "high", subject: toolSubject({ state: bound }) }, true],
    [{ level: "high", subject: toolSubject({ state: "none" }) }, false],
    [{ level: "high", subject: permissionSubject() }, false],
    [{ level: "dangerous" }, false],
    [{ level: "dangerous", subject: commandSubject({ state: bound }) }, false],
  ])("with %j may be answered late: %s", async (ask, isOffered) => {
    const { start, ids } = home();
    const bench = start();
    const asked = await bench.ask({ ask });
    bench.clock.advance(600_000);
    await asked.outcome;
    expect(ids()).toEqual(isOffered ? [asked.request.id] : []);
  });

  it("may not be answered late where that is switched off", async () => {
    const { start, offered } = home(0);
    const bench = start();
    const asked = await bench.ask();
    bench.clock.advance(600_000);
    await asked.outcome;
    expect(offered()).toEqual([]);
  });

  it("lets the next identical call through when it is approved late, once", async () => {
    const { start, offered, ...shared } = home();
    const bench = start();
    const asked = await bench.ask();
    bench.clock.advance(600_000);
    await asked.outcome;
    bench.clock.advance(30_000_000);
    // What a face does with it.
    const [late] = offered();
    const answer = answerTo(asked.request);
    if (late === undefined) throw new Error("It is not offered.");
    await keepingIn(shared).grants?.keep({
      bound: late.bound,
      request: late.request,
      answer,
      life: late.life,
    });
    const details = { decision: "approve", answer: "hash" };
    await shared.audit.append(
      [sketched({ kind: "approval.answered", call: asked.request.id, details })],
      "durable",
    );
    bench.clock.advance(3_600_000);
    expect(await bench.start().outcome).toMatchObject({
      name: "approved",
      request: asked.request.id,
      redeemed: true,
    });
    expect((await bench.ask()).ended).toBeNull();
  });

  it("may not be answered late when it gave way to the same in another state", async () => {
    const { start, offered } = home();
    const bench = start();
    const asked = await bench.ask();
    await bench.ask({ ask: { subject: commandSubject({ state: bound }) } });
    expect((await asked.outcome).name).toBe("withdrawn");
    expect(offered()).toEqual([]);
  });

  it("is told how it ended where it cannot be kept", async () => {
    const { start, late } = home();
    const bench = start();
    const asked = await bench.ask();
    late.set = () => {
      throw new TypeError("a mistake");
    };
    bench.clock.advance(600_000);
    await expect(asked.outcome).rejects.toThrow("a mistake");
  });
});

describe("a request that is over for good", () => {
  it.each<[string, (bench: Asking, asked: Asked) => unknown]>([
    ["was denied", (bench, { request }) => bench.face.answer(denialOf(request))],
    ["was declined", (_bench, { dialog }) => dialog.answer({ kind: "deny" })],
    ["was approved", (bench, { request }) => bench.face.answer(answerTo(request))],
    ["failed", (bench, { request }) => void bench.place.files.delete(`${request.id}.request.json`)],
  ])("because it %s may not be answered late", async (_what, end) => {
    const { start, offered, late } = home();
    const bench = start();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(1_000);
    end(bench, asked);
    for (const told of bench.place.listeners) told(null);
    expect((await asked.outcome).name).not.toBe("timed_out");
    expect([offered(), late.size]).toEqual([[], 0]);
  });

  it("because it was approved, for a call that was cancelled in the same moment, may not be answered late", async () => {
    const { start, offered } = home();
    const bench = start();
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    asked.controller.abort();
    expect((await asked.outcome).name).toBe("abandoned");
    expect(offered()).toEqual([]);
  });
});

describe("an ask like one that ended a moment ago", () => {
  async function ended(bench: Asking): Promise<Asked> {
    const asked = await bench.ask({ ask: { level: "high" } });
    await bench.approver.close("the client left");
    return asked;
  }

  it("through a new server is a repeat, whether or not the first may be answered late", async () => {
    const { start } = home();
    const first = start();
    const asked = await ended(first);
    expect(first.notices.waiting.get(asked.request.id)).toMatchObject({ dialog: false, toldMsAgo: null });
    const next = start();
    const again = await next.ask({ ask: { level: "high" } });
    expect(next.notices.waiting.get(again.request.id)).toMatchObject({ dialog: false, toldMsAgo: 0 });
  });

  it("is no repeat where nobody was told of the first: it was over before its banner", async () => {
    const { start } = home();
    const bench = start();
    for (const [word, toldMsAgo] of [
      ["skipped", null],
      ["posted", null],
      // It was told of already, and is itself not announced.
      ["none", 0],
      ["none", 2_000],
    ] as const) {
      bench.notices.word = word;
      const asked = await bench.ask();
      expect(bench.notices.waiting.get(asked.request.id)?.toldMsAgo).toBe(toldMsAgo);
      asked.controller.abort();
      await asked.outcome;
      if (word === "none") bench.clock.advance(2_000);
    }
  });

  it("is a repeat, too, when one between them was cancelled while it was being filed", async () => {
    const { start } = home();
    await ended(start());
    const notices = new HeardNotices();
    notices.settled = () => neverTold;
    const controller = new AbortController();
    const hasty = start({
      notices,
      channel: (own) => ({
        ...own,
        file(draft, texts) {
          controller.abort();
          return own.file(draft, texts);
        },
      }),
    });
    const ask = { level: "high" } as const;
    expect((await hasty.start({ ask, controller }).outcome).name).toBe("abandoned");
    const next = start();
    const again = await next.ask({ ask });
    expect(next.notices.waiting.get(again.request.id)?.toldMsAgo).toBe(0);
  });

  it("is no repeat when it differs, or comes ten minutes later", async () => {
    const { start, clock } = home();
    await ended(start());
    const next = start();
    const other = await next.ask({ ask: { client: { name: "other", version: "1" } } });
    clock.advance(600_001);
    const late = await next.ask();
    for (const { request } of [other, late]) {
      expect(next.notices.waiting.get(request.id)?.toldMsAgo).toBeNull();
    }
  });

  it("takes its place: the earlier one is answered no more", async () => {
    const { start, ids } = home();
    const first = start();
    const asked = await first.ask();
    await first.approver.close("the client left");
    expect(ids()).toEqual([asked.request.id]);
    const next = start();
    const again = await next.ask();
    expect(ids()).toEqual([]);
    await next.approver.close("the client left");
    expect(ids()).toEqual([again.request.id]);
  });
});

describe("a request that waits", () => {
  it("takes the place of every one for the same that ended, however long ago", async () => {
    const { start, ids, clock } = home();
    const bench = start();
    const ended: string[] = [];
    for (const client of [null, { name: "other", version: "1" }]) {
      const asked = await bench.ask({ ask: { client } });
      ended.push(asked.request.id);
      clock.advance(600_000);
      await asked.outcome;
    }
    clock.advance(8 * 3_600_000);
    const again = await bench.ask({ ask: { client: null } });
    expect(bench.notices.waiting.get(again.request.id)?.toldMsAgo).toBeNull();
    expect(ids()).toEqual(ended.slice(1));
    bench.face.answer(answerTo(again.request));
    expect((await again.outcome).name).toBe("approved");
  });

  it("is the only question about it, also when the same ends in another thread meanwhile", async () => {
    const { start, ids } = home();
    const bench = start();
    const asked = await bench.ask({ ask: { thread: "one" } });
    const [still, other] = [
      await bench.ask({ ask: { thread: "two" } }),
      await bench.ask({ ask: { thread: "two", client: { name: "other", version: "1" } } }),
    ];
    asked.controller.abort();
    await asked.outcome;
    expect(ids()).toEqual([]);
    still.controller.abort();
    await still.outcome;
    expect(ids()).toEqual([still.request.id]);
    other.controller.abort();
    await other.outcome;
    expect(ids()).toEqual([other.request.id, still.request.id]);
  });
});
