import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/broker/approval/approver.js";
import type { Grants } from "../../../src/broker/approval/grants.js";
import type { AuditEvent } from "../../../src/broker/audit/audit-log.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { likenessOf } from "../../../src/broker/request/likeness.js";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import {
  type Asked,
  type Asking,
  asking,
  calm,
  detach,
  keepingIn,
  pushOf,
  type World,
  world,
} from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { toolSubject } from "../../support/request-kinds.js";

const full = new WispError("channel_unavailable", "No space is left.");

interface Home extends World {
  /** Another process over the same. */
  readonly start: (grants?: (own: Grants) => Grants) => Asking;
}

function home(): Home {
  const shared = world();
  return {
    ...shared,
    start(wrap = (own) => own) {
      const { grants, late } = keepingIn(shared);
      return asking({ world: shared, grants: grants === null ? null : wrap(grants), late });
    },
  };
}

const inState = (fingerprint: string, rest: Partial<Ask> = {}): Partial<Ask> => ({
  subject: commandSubject({ state: { bound: [{ target: "HEAD", fingerprint }] } }),
  ...rest,
});

/** A request that no call waits for, and a yes to it. */
async function approvedAlone(bench: Asking, ask: Partial<Ask> = {}): Promise<Asked> {
  const asked = await bench.ask({ ask });
  detach(asked);
  await calm();
  bench.clock.advance(1_000);
  bench.face.answer(answerTo(asked.request, { note: "go" }));
  await calm();
  return asked;
}

const kindsSince = ({ audit }: Asking, from: number): readonly AuditEvent["kind"][] =>
  audit.kinds.slice(from);

describe("a yes that no call waits for", () => {
  it("is in the log, then kept, then said: in this order", async () => {
    const { start, audit, place } = home();
    const seen: unknown[] = [];
    const bench = start((own) => ({
      ...own,
      async keep(yes) {
        const answered = audit.appended.find(({ events }) =>
          events.some(({ kind }) => kind === "approval.answered"),
        );
        seen.push([answered?.durability, place.receipts.size]);
        return own.keep(yes);
      },
    }));
    const asked = await approvedAlone(bench);
    expect(seen).toEqual([["durable", 0]]);
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "approve", ran: null });
    expect(audit.only("grant.kept")).toMatchObject([
      { call: asked.request.id, details: { grant: asked.request.id, seconds: 300 } },
    ]);
    expect(audit.only("approval.settled")).toMatchObject([{ details: { outcome: "answered", ran: null } }]);
  });

  it("is bound to who called, through which server, where, and what it would do to what", async () => {
    const { start, shelf } = home();
    const ask = { ...inState("a"), caller: "http", client: { name: "c", version: "1" } };
    const asked = await approvedAlone(start(), { ...ask, bound: { role: "gate", server: "files" } });
    const [kept] = shelf.unspent.values();
    expect(kept).toMatchObject({
      id: asked.request.id,
      request: asked.request,
      answer: answerTo(asked.request, { note: "go" }),
      bound: {
        client: "http:c",
        role: "gate",
        server: "files",
        directory: "/home/p/api",
        definition: null,
        ...likenessOf(asked.request.subject),
      },
    });
  });

  it("is bound to the definition of a tool", async () => {
    const { start, shelf } = home();
    const subject = toolSubject();
    await approvedAlone(start(), { subject });
    expect([...shelf.unspent.values()]).toMatchObject([{ bound: { definition: subject.definitionHash } }]);
  });

  it("is used by the next identical call, once, without asking", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const from = bench.audit.events.length;
    const dialog = new FakeDialog();
    const again = bench.start({ dialog });
    expect(await again.outcome).toEqual({
      name: "approved",
      via: "cli",
      scope: "once",
      assurance: "terminal",
      note: "go",
      unseenMs: null,
      request: asked.request.id,
      waits: null,
      redeemed: true,
      seconds: 0,
    });
    expect(() => again.request).toThrow("Nothing was asked yet.");
    expect(dialog.shown).toEqual([]);
    expect(kindsSince(bench, from)).toEqual(["policy.judged", "grant.claimed", "approval.decided"]);
    expect(bench.audit.events.slice(from)).toMatchObject([
      { call: asked.request.id, details: { verdict: "allow", rule: `unspent approval ${asked.request.id}` } },
      { call: asked.request.id, details: { grant: asked.request.id, how: "used" } },
      { call: asked.request.id, details: { outcome: "approved", redeemed: true, via: "cli", scope: "once" } },
    ]);
    expect(bench.audit.appended.at(-1)?.durability).toBe("durable");
    const third = await bench.ask();
    expect(third.request.id).not.toBe(asked.request.id);
  });

  it("of the dialog that another leg answered too late for any call is kept like one of a face", async () => {
    const bench = home().start();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    detach(asked, "dialog");
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "approve", scope: "once" });
    await calm();
    expect(await bench.start().outcome).toMatchObject({
      name: "approved",
      via: "elicitation",
      assurance: "dialog",
      redeemed: true,
    });
  });

  it("is kept at level dangerous, too", async () => {
    const bench = home().start();
    await approvedAlone(bench, { level: "dangerous" });
    const again = await bench.start({ ask: { level: "dangerous" } }).outcome;
    expect(again).toMatchObject({ name: "approved", redeemed: true });
  });

  it("is spent before anything is written down of its use", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await approvedAlone(bench);
    bench.audit.holding = "durable";
    const again = bench.start();
    await calm();
    expect([shelf.spent.has(asked.request.id), again.ended]).toEqual([true, null]);
    bench.audit.release();
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("for the session leaves the rule, and nothing that could be used beside it", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await bench.ask({ ask: { scopes: ["once", "session"] } });
    detach(asked);
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    await calm();
    expect([asked.receipt?.ran, shelf.unspent.size, shelf.rules.size]).toEqual([null, 0, 1]);
    for (let call = 0; call < 2; call += 1) {
      const again = await bench.start().outcome;
      expect(again).toMatchObject({ name: "approved", scope: "session", redeemed: false });
    }
  });

  it("is not kept for a call that was cancelled for good", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    asked.controller.abort();
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "abandoned" });
    expect([shelf.unspent.size, asked.receipt?.ran]).toEqual([0, false]);
  });

  it("that a call waited for until it was written down is kept, and the call is pending", async () => {
    const { start, shelf } = home();
    const bench = start();
    const first = bench.start();
    const second = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(first.request));
    await calm();
    detach(first);
    second.controller.abort();
    bench.audit.release();
    expect(await first.outcome).toMatchObject({ name: "pending", request: first.request.id });
    expect(await second.outcome).toMatchObject({ name: "abandoned" });
    expect([shelf.unspent.size, first.receipt?.ran]).toEqual([1, null]);
    const decided = bench.audit.only("approval.decided").map(({ details }) => details?.outcome);
    expect(decided).toEqual(["approved", "already_decided", "pending", "abandoned"]);
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("falls to a call that is still there, and is not kept", async () => {
    const { start, shelf } = home();
    const bench = start();
    const first = bench.start();
    const second = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(first.request));
    await calm();
    detach(first);
    bench.audit.release();
    expect((await first.outcome).name).toBe("pending");
    expect(await second.outcome).toMatchObject({ name: "approved", redeemed: false });
    expect(shelf.unspent.size).toBe(0);
  });
});

describe("calls that come for one yes", () => {
  async function named(calls: readonly Asked[]): Promise<readonly Outcome["name"][]> {
    return (await Promise.all(calls.map(({ outcome }) => outcome))).map(({ name }) => name);
  }

  it("at one instant: one uses it, and the others are told so and ask nobody", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const calls = Array.from({ length: 4 }, () => bench.start());
    expect((await named(calls)).toSorted()).toEqual([
      "already_decided",
      "already_decided",
      "already_decided",
      "approved",
    ]);
    for (const { ended } of calls) expect(ended).toMatchObject({ request: asked.request.id, via: "cli" });
    expect(bench.face.pending().requests).toEqual([]);
    expect(
      bench.audit
        .only("approval.decided")
        .slice(1)
        .map(({ details }) => details?.outcome)
        .toSorted(),
    ).toEqual(["already_decided", "already_decided", "already_decided", "approved"]);
  });

  it("through two servers at one instant: one uses it, the other asks", async () => {
    const { start } = home();
    const benches = [start(), start()] as const;
    await approvedAlone(benches[0]);
    // To the one that did not keep it, it is as after a restart.
    const calls = benches.map((bench) => bench.start());
    await calm();
    const ended = calls.map((call) => call.ended?.name ?? "waits");
    expect(ended.toSorted()).toEqual(["approved", "waits"]);
  });

  it("when another process uses it between the look and the claim: the call asks", async () => {
    const { start, ...shared } = home();
    const bench = start((own) => ({
      ...own,
      async claim(id) {
        await keepingIn(shared).grants?.claim(id);
        return own.claim(id);
      },
    }));
    const asked = await approvedAlone(bench);
    const again = await bench.ask();
    expect([again.ended, again.request.id === asked.request.id]).toEqual([null, false]);
    expect(bench.audit.only("grant.claimed")).toEqual([]);
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: false });
  });

  it("while it is being kept: one uses it, and nobody is asked twice", async () => {
    const { start } = home();
    let keep: () => void = () => undefined;
    const bench = start((own) => ({
      ...own,
      async keep(yes) {
        await new Promise<void>((resolve) => {
          keep = resolve;
        });
        return own.keep(yes);
      },
    }));
    const asked = await approvedAlone(bench);
    const calls = [bench.start(), bench.start()];
    await calm();
    expect([bench.face.pending().requests.map(({ id }) => id), calls.map(({ ended }) => ended)]).toEqual([
      [asked.request.id],
      [null, null],
    ]);
    keep();
    expect((await named(calls)).toSorted()).toEqual(["already_decided", "approved"]);
  });

  it("under another label while one uses it ask for themselves", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start({ ask: { thread: "two" } })];
    expect((await first.outcome).name).toBe("approved");
    await calm();
    expect(second.request.thread).toBe("two");
  });

  it.each<[string, Partial<Ask>]>([
    ["another client", { client: { name: "other", version: "1" } }],
    ["no client", { client: null }],
    ["another transport", { caller: "http" }],
    ["another face of ours", { bound: { role: "gate", server: "wisp" } }],
    ["another server", { bound: { role: "mcp", server: "files" } }],
    ["other words", pushOf("release")],
    ["another place", { subject: commandSubject({ directory: "/srv" }) }],
  ])("but differ, as from %s, neither use it nor hear of it", async (_what, ask) => {
    const bench = home().start();
    const asked = await approvedAlone(bench);
    const other = await bench.ask({ ask });
    expect(other.request.id).not.toBe(asked.request.id);
    expect(other.ended).toBeNull();
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("under another label, with other reasons or after other words of the caller are still identical", async () => {
    const bench = home().start();
    await approvedAlone(bench);
    const again = bench.start({ ask: { thread: "two", says: "please", reasons: [], level: "low" } });
    expect(await again.outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("have five minutes, and the last moment of them counts", async () => {
    for (const [ms, isUsed] of [
      [300_000, true],
      [300_001, false],
    ] as const) {
      const bench = home().start();
      await approvedAlone(bench);
      bench.clock.advance(ms);
      const again = await bench.ask();
      expect(again.ended?.name ?? "waits").toBe(isUsed ? "approved" : "waits");
    }
  });
});

describe("a yes for a target that has changed", () => {
  it("is spent and runs nothing; the call after that asks anew", async () => {
    const bench = home().start();
    const asked = await approvedAlone(bench, inState("a"));
    const from = bench.audit.events.length;
    const dialog = new FakeDialog();
    const changed = bench.start({ ask: inState("b"), dialog });
    expect(await changed.outcome).toMatchObject({
      name: "drifted",
      via: "server",
      scope: null,
      note: null,
      request: asked.request.id,
      redeemed: false,
    });
    expect(dialog.shown).toEqual([]);
    expect(bench.audit.events.slice(from)).toMatchObject([
      { kind: "grant.claimed", call: asked.request.id, details: { how: "drifted" } },
      { kind: "approval.decided", call: asked.request.id, details: { outcome: "drifted" } },
    ]);
    const fresh = await bench.ask({ ask: inState("b") });
    expect(fresh.request.id).not.toBe(asked.request.id);
    const back = await bench.ask({ ask: inState("a") });
    expect(back.ended).toBeNull();
    bench.face.answer(answerTo(back.request));
    expect(await back.outcome).toMatchObject({ name: "approved" });
  });

  it("is told to one of several calls, and the others ask together", async () => {
    const bench = home().start();
    await approvedAlone(bench, inState("a"));
    const calls = [1, 2, 3].map(() => bench.start({ ask: inState("b") }));
    await calm();
    expect(calls.map(({ ended }) => ended?.name ?? "waits").toSorted()).toEqual([
      "drifted",
      "waits",
      "waits",
    ]);
    expect(bench.face.pending().requests).toHaveLength(1);
  });

  it("that cannot be spent lets nothing run", async () => {
    const { start, shelf } = home();
    const bench = start();
    await approvedAlone(bench, inState("a"));
    shelf.isBroken = true;
    expect(await bench.start({ ask: inState("b") }).outcome).toMatchObject({
      name: "failed",
      note: "channel_unavailable: Nothing can be written",
    });
    shelf.isBroken = false;
    expect(await bench.start({ ask: inState("a") }).outcome).toMatchObject({ name: "approved" });
  });

  it("is not asked about while the same call waits in the new state", async () => {
    const bench = home().start();
    await approvedAlone(bench, inState("a"));
    expect((await bench.start({ ask: inState("b") }).outcome).name).toBe("drifted");
    const waiting = await bench.ask({ ask: inState("b") });
    detach(waiting);
    const again = await bench.ask({ ask: inState("b") });
    expect(again.request).toEqual(waiting.request);
  });
});

describe("a disk or a log that fails", () => {
  it("when a yes is kept makes it nobody's, and its receipt says so", async () => {
    const { start, shelf } = home();
    shelf.isBroken = true;
    const bench = start();
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    expect(bench.audit.only("grant.kept")).toEqual([]);
    shelf.isBroken = false;
    const again = await bench.ask();
    expect(again.request.id).not.toBe(asked.request.id);
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("when a yes is kept that a call waited for a moment ago tells that call", async () => {
    const { start, shelf } = home();
    shelf.isBroken = true;
    const bench = start();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    detach(asked);
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({
      name: "failed",
      note: "no call waits for it any more, and it could not be kept: channel_unavailable: Nothing can be written",
    });
    expect(asked.receipt).toMatchObject({ outcome: "failed", ran: false });
  });

  it("so that a yes was kept already makes it nobody's", async () => {
    const { start } = home();
    const bench = start((own) => ({ ...own, keep: async () => null }));
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    expect(bench.audit.only("grant.kept")).toEqual([]);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("when a yes is to be written down keeps nothing", async () => {
    const { start, shelf, audit } = home();
    const bench = start();
    const asked = await bench.ask();
    detach(asked);
    await calm();
    audit.failing = "durable";
    bench.face.answer(answerTo(asked.request));
    await calm();
    audit.failing = "none";
    expect([shelf.unspent.size, asked.receipt?.outcome]).toEqual([0, "failed"]);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("when the receipt is published leaves nothing to be used", async () => {
    const { start, shelf, place } = home();
    const bench = start((own) => ({
      ...own,
      async keep(yes) {
        place.fault = full;
        return own.keep(yes);
      },
    }));
    const asked = await approvedAlone(bench);
    expect(shelf.spent.has(asked.request.id)).toBe(true);
    place.fault = null;
    expect((await bench.ask()).ended).toBeNull();
  });

  it("when a yes is spent lets nothing run, and it may be used when there is room again", async () => {
    const { start, shelf } = home();
    const bench = start();
    const asked = await approvedAlone(bench);
    shelf.isBroken = true;
    expect(await bench.start().outcome).toMatchObject({
      name: "failed",
      note: "channel_unavailable: Nothing can be written",
      request: asked.request.id,
      redeemed: false,
    });
    shelf.isBroken = false;
    expect(await bench.start().outcome).toMatchObject({ name: "approved", redeemed: true });
  });

  it("when its use is written down lets nothing run, and leaves it spent", async () => {
    const { start, audit, shelf } = home();
    const bench = start();
    await approvedAlone(bench);
    audit.failing = "durable";
    expect(await bench.start().outcome).toMatchObject({
      name: "failed",
      note: expect.stringContaining("audit_unavailable"),
    });
    audit.failing = "none";
    expect(shelf.unspent.size).toBe(0);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("where there is nowhere to keep a yes makes it nobody's", async () => {
    const bench = asking();
    const asked = await approvedAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "failed", ran: false });
    const again = await bench.ask();
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("of a programmer, when it is kept, is heard by nobody and lets nothing run", async () => {
    const { start, shelf } = home();
    const bench = start((own) => ({ ...own, keep: () => Promise.reject(new TypeError("a mistake")) }));
    const asked = await approvedAlone(bench);
    expect([asked.receipt, shelf.unspent.size]).toEqual([null, 0]);
    await bench.approver.close("the end");
  });

  it("of a programmer, when it is used, is heard by the call that uses it alone", async () => {
    const bench = home().start((own) => ({
      ...own,
      claim: () => Promise.reject(new TypeError("a mistake")),
    }));
    await approvedAlone(bench);
    const [first, second] = [bench.start(), bench.start()];
    await expect(first.outcome).rejects.toThrow("a mistake");
    await expect(second.outcome).rejects.toThrow("a mistake");
  });
});

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
    expect(await bench.start().outcome).toMatchObject({
      name: "approved",
      request: asked.request.id,
      redeemed: true,
    });
    expect((await bench.ask()).ended).toBeNull();
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
    const closed = bench.approver.close("the client left");
    await calm();
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
    await audit.append([{ kind: "effect.started", call: asked.request.id }], "durable");
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
