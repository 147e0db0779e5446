import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Allowance } from "../../../src/broker/approval/rules.js";
import { createSessionRules } from "../../../src/broker/approval/session-rules.js";
import type { Likeness } from "../../../src/broker/request/likeness.js";
import type { Scope } from "../../../src/broker/request/scope.js";
import { type Asked, type Asking, asking, calm, detach, pushOf } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { boundTo } from "../../support/grants.js";
import { atTerminal } from "../../support/witnesses.js";

const scopes: readonly Scope[] = ["once", "session"];
const hour = 3_600_000;

/** An ask that a person allowed for the session. */
async function allowed(bench: Asking, thread: string | null = null): Promise<Asked> {
  const asked = await bench.ask({ ask: { scopes, thread } });
  bench.face.answer(answerTo(asked.request, { scope: "session", note: "go" }));
  expect(await asked.outcome).toMatchObject({ name: "approved", scope: "session" });
  return asked;
}

/** Does the next identical call ask? Whatever it asks is left waiting. */
async function asks(bench: Asking): Promise<boolean> {
  const asked = await bench.ask({ ask: { scopes } });
  const isAsking = asked.ended === null;
  asked.controller.abort();
  await asked.outcome;
  return isAsking;
}

describe("a yes for the session allows an identical call", () => {
  it("without asking: the yes it rests on is named, and on disk with it before it counts", async () => {
    const bench = asking();
    const first = await allowed(bench);
    bench.clock.advance(hour);
    const before = bench.audit.appended.length;
    bench.audit.holding = "durable";
    const dialog = new FakeDialog();
    const again = await bench.ask({ dialog, ask: { scopes } });
    expect(again.ended).toBeNull();
    bench.audit.release();
    expect(await again.outcome).toEqual({
      name: "approved",
      via: "cli",
      scope: "session",
      assurance: "terminal",
      verified: atTerminal.verified,
      note: null,
      unseenMs: null,
      waits: null,
      redeemed: false,
      run: expect.stringMatching(/^[a-z0-9]{8}$/),
      rule: null,
      request: first.request.id,
      seconds: 0,
    });
    expect(() => again.request).toThrow("Nothing was asked yet.");
    expect([dialog.shown.length, bench.place.files.size]).toEqual([0, 0]);
    const rule = `session approval ${first.request.id}`;
    const facts = { rule, command: "git push origin main" };
    expect(bench.audit.appended.slice(before)).toMatchObject([
      {
        durability: "durable",
        events: [
          { kind: "policy.judged", call: first.request.id, details: { verdict: "allow", ...facts } },
          {
            kind: "approval.decided",
            call: first.request.id,
            details: { outcome: "approved", via: "cli", scope: "session", assurance: "terminal", ...facts },
          },
        ],
      },
    ]);
  });

  it("with the assurance of a dialog where a dialog said it", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog(), ask: { scopes } });
    bench.clock.advance(1_000);
    asked.dialog.answer({ kind: "approve", scope: "session" });
    await asked.outcome;
    const again = await bench.start({ ask: { scopes } }).outcome;
    expect(again).toMatchObject({ name: "approved", via: "elicitation", assurance: "dialog" });
  });

  it("of whatever thread", async () => {
    const bench = asking();
    await allowed(bench, "one");
    for (const thread of [null, "one", "two"]) {
      expect(await bench.start({ ask: { thread, scopes } }).outcome).toMatchObject({ name: "approved" });
    }
  });

  it.each([
    ["other words", pushOf("dev")],
    ["another directory", { subject: commandSubject({ directory: "/elsewhere" }) }],
    ["another program's file", { subject: commandSubject({ program: programAt("2") }) }],
    ["a line instead of words", { subject: commandSubject({ argv: null }) }],
  ])("and asks for %s", async (_what, ask) => {
    const bench = asking();
    await allowed(bench);
    const other = await bench.ask({ ask });
    expect(other.ended).toBeNull();
    bench.face.answer(denialOf(other.request));
    expect(await other.outcome).toMatchObject({ name: "denied" });
  });

  it("of the client that it was given for, by the name that was shown; another one asks", async () => {
    const bench = asking();
    await allowed(bench);
    const client = { name: "another-client", version: "1.0.0" };
    const other = await bench.ask({ ask: { scopes, client } });
    expect(other.ended).toBeNull();
    other.controller.abort();
    await other.outcome;
    expect(await asks(bench)).toBe(false);
  });

  it("of the newer yes where two are for two states, though the older is written down last", async () => {
    const bench = asking({ unseenAnswerMs: 0 });
    const states = ["one", "two"].map((fingerprint) => {
      const state = { bound: [{ target: "HEAD", fingerprint }] };
      return { scopes, subject: commandSubject({ state }) };
    });
    const [one, two] = states;
    const gone = await bench.ask({ ask: { ...one } });
    const other = await bench.ask({ dialog: new FakeDialog(), ask: { ...two, thread: "other" } });
    // What is noted of these two calls is written before the yes.
    const older = bench.start({ ask: { ...one } });
    detach(gone);
    bench.face.answer(answerTo(gone.request, { scope: "session" }));
    other.dialog.answer({ kind: "approve", scope: "session" });
    expect(await older.outcome).toMatchObject({ name: "approved", request: gone.request.id });
    expect(await other.outcome).toMatchObject({ name: "approved", request: other.request.id });
    expect(bench.audit.only("approval.answered").map(({ call }) => call)).toEqual([
      other.request.id,
      gone.request.id,
    ]);
    const allowance = await bench.ask({ ask: { ...two } });
    expect(allowance.ended).toMatchObject({ name: "approved", request: other.request.id });
    expect((await bench.ask({ ask: { ...one } })).ended).toBeNull();
  });

  it("not after a yes for once", async () => {
    const bench = asking();
    const asked = await bench.ask({ ask: { scopes } });
    bench.face.answer(answerTo(asked.request));
    await asked.outcome;
    expect(await asks(bench)).toBe(true);
  });

  it("not after a yes that could not be written down", async () => {
    const bench = asking();
    const asked = await bench.ask({ ask: { scopes } });
    bench.audit.failing = "durable";
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    expect(await asked.outcome).toMatchObject({ name: "failed" });
    bench.audit.failing = "none";
    expect(await asks(bench)).toBe(true);
  });

  it("not after a yes for a caller that had left", async () => {
    const bench = asking({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    const asked = await bench.ask({ ask: { scopes } });
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    asked.controller.abort();
    expect(await asked.outcome).toMatchObject({ name: "abandoned" });
    expect(await asks(bench)).toBe(true);
  });

  it("fails, and runs nothing, while the log cannot be written; and allows it once it can", async () => {
    const bench = asking();
    const first = await allowed(bench);
    bench.audit.failing = "durable";
    const again = await bench.start({ ask: { scopes } }).outcome;
    expect(again).toMatchObject({ name: "failed", scope: null, assurance: null, request: first.request.id });
    expect(bench.audit.only("approval.decided").at(-1)).toMatchObject({ details: { outcome: "failed" } });
    bench.audit.failing = "none";
    expect(await bench.start({ ask: { scopes } }).outcome).toMatchObject({ name: "approved" });
  });

  it.each(["abandoned", "withdrawn"] as const)(
    "is %s when that happens while it is written",
    async (name) => {
      const bench = asking();
      await allowed(bench);
      bench.audit.holding = "durable";
      const again = await bench.ask();
      if (name === "abandoned") again.controller.abort();
      else void bench.approver.close("stopping");
      bench.audit.release();
      expect(await again.outcome).toMatchObject({ name, scope: null, assurance: null });
      const decided = bench.audit.only("approval.decided").map(({ details }) => details?.outcome);
      expect(decided.slice(-2)).toEqual(["approved", name]);
    },
  );
});

describe("a rule ends", () => {
  it("two hours after it was last used, and use renews that", async () => {
    const bench = asking();
    await allowed(bench);
    for (let used = 0; used < 3; used += 1) {
      bench.clock.advance(2 * hour);
      expect(await asks(bench)).toBe(false);
    }
    bench.clock.advance(2 * hour + 1);
    expect(await asks(bench)).toBe(true);
  });

  it("twelve hours after the yes, however often it is used and whatever the wall clock says", async () => {
    const bench = asking();
    await allowed(bench);
    for (let used = 0; used < 12; used += 1) {
      bench.clock.jumpWallClock(-hour);
      bench.clock.advance(hour);
      expect(await asks(bench)).toBe(false);
    }
    bench.clock.advance(1);
    expect(await asks(bench)).toBe(true);
  });

  it("when a person says no to the same, in whatever thread and state", async () => {
    const bench = asking({ declineMemorySeconds: 0 });
    const waiting = await bench.ask({ ask: { scopes, thread: "other" } });
    await allowed(bench);
    bench.face.answer(denialOf(waiting.request));
    await waiting.outcome;
    expect(await asks(bench)).toBe(true);

    const subject = commandSubject({ state: "none" });
    await allowed(bench);
    const drifted = await bench.ask({ ask: { subject } });
    bench.face.answer(denialOf(drifted.request));
    await drifted.outcome;
    expect(await asks(bench)).toBe(true);
  });

  it("before it begins, when the no comes while the yes is written down", async () => {
    const bench = asking({ declineMemorySeconds: 0 });
    const other = await bench.ask({ ask: { scopes, thread: "other" } });
    const asked = await bench.ask({ ask: { scopes } });
    bench.audit.holding = "durable";
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    await calm();
    bench.face.answer(denialOf(other.request));
    bench.audit.release();
    await Promise.all([asked.outcome, other.outcome]);
    expect(await asks(bench)).toBe(true);
  });

  it("and stays for others when a person says no to something else", async () => {
    const bench = asking();
    await allowed(bench);
    const other = await bench.ask({ ask: pushOf("dev") });
    bench.face.answer(denialOf(other.request));
    await other.outcome;
    expect(await asks(bench)).toBe(false);
  });

  it("behind a no that is remembered: the no is told, though the rule came later", async () => {
    const bench = asking();
    const other = await bench.ask({ ask: { scopes, thread: "other" } });
    const asked = await bench.ask({ ask: { scopes } });
    bench.face.answer(denialOf(asked.request, "no"));
    await asked.outcome;
    bench.face.answer(answerTo(other.request, { scope: "session" }));
    await other.outcome;
    expect(await bench.start().outcome).toMatchObject({ name: "denied", note: "no" });
  });

  it("with its approver", async () => {
    const bench = asking();
    await allowed(bench);
    expect(await asks(asking())).toBe(true);
    await bench.approver.close("the client left");
    expect(await bench.start().outcome).toMatchObject({ name: "withdrawn" });
  });
});

describe("rules in memory", () => {
  const likenessIn = ({ subject, state }: Likeness): Likeness => ({ subject, state });
  const grantOf = (request: string): Allowance => {
    const { verified } = atTerminal;
    return { scope: "session", via: "cli", assurance: "terminal", verified, request };
  };

  it("allow what was allowed last, in its state, within both ages, whatever comes in whatever order", () => {
    const likeness = { subject: fc.nat(2).map(String), state: fc.constantFrom("a", "b") };
    const step = fc.oneof(
      fc.record({ do: fc.constant("leave" as const), ...likeness }),
      fc.record({ do: fc.constant("use" as const), ...likeness }),
      fc.record({ do: fc.constant("revoke" as const), subject: likeness.subject }),
      fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1, hour, 2 * hour, 3 * hour) }),
      fc.record({ do: fc.constant("clear" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = new FakeClock();
        const rules = createSessionRules(clock, null);
        const model = new Map<string, { state: string; request: string; since: number; usedAt: number }>();
        for (const [index, one] of steps.entries()) {
          const now = clock.monotonic();
          if (one.do === "leave") {
            expect(rules.prepare(boundTo(likenessIn(one)), "it", grantOf(`${index}`)).leave()).toBeNull();
            model.set(one.subject, { state: one.state, request: `${index}`, since: now, usedAt: now });
          } else if (one.do === "use") {
            const rule = model.get(one.subject);
            const isGood =
              rule?.state === one.state && now - rule.since <= 12 * hour && now - rule.usedAt <= 2 * hour;
            expect(rules.use(boundTo(likenessIn(one)))?.request ?? null).toBe(isGood ? rule.request : null);
            if (isGood) rule.usedAt = now;
          } else if (one.do === "revoke") {
            rules.revoke(boundTo({ subject: one.subject, state: "any" }));
            model.delete(one.subject);
          } else if (one.do === "pass") clock.advance(one.ms);
          else {
            rules.clear();
            model.clear();
          }
          expect(clock.timers).toBe(0);
        }
      }),
    );
  });

  it("are a thousand at most: the oldest goes first", () => {
    const rules = createSessionRules(new FakeClock(), null);
    for (let index = 0; index <= 1_000; index += 1) {
      rules.prepare(boundTo({ subject: `${index}`, state: "s" }), "it", grantOf(`${index}`)).leave();
    }
    const found = [0, 1, 1_000].map(
      (index) => rules.use(boundTo({ subject: `${index}`, state: "s" }))?.request,
    );
    expect(found).toEqual([undefined, "1", "1000"]);
  });

  it("are those of the newer yes, whichever is left first; none is taken back with another", () => {
    const rules = createSessionRules(new FakeClock(), null);
    const [one, two] = ["one", "two"].map((state) => boundTo({ subject: "a", state }));
    if (one === undefined || two === undefined) return expect.fail("There are two.");
    const older = rules.prepare(one, "it", grantOf("older"));
    const newer = rules.prepare(two, "it", grantOf("newer"));
    expect([newer.leave(), older.leave()]).toEqual([null, null]);
    older.takeBack();
    expect([rules.use(one), rules.use(two)]).toEqual([null, grantOf("newer")]);
    newer.takeBack();
    expect(rules.use(two)).toBeNull();
    expect(rules.prepare(one, "it", grantOf("newest")).leave()).toBeNull();
    expect(rules.use(one)).toEqual(grantOf("newest"));
  });

  it("are not left by a yes that everything ended before", () => {
    const rules = createSessionRules(new FakeClock(), null);
    const bound = boundTo({ subject: "a", state: "s" });
    const rule = rules.prepare(bound, "it", grantOf("1"));
    rules.clear();
    expect(rule.leave()).toBe("a no, or the end of the connection, came in between");
    expect(rules.use(bound)).toBeNull();
    const next = rules.prepare(bound, "it", grantOf("2"));
    expect(next.leave()).toBeNull();
    expect(rules.use(bound)).toEqual(grantOf("2"));
    next.takeBack();
    expect(rules.use(bound)).toBeNull();
  });
});

function programAt(inode: string) {
  return { path: "/usr/bin/git", device: "1", inode, size: 3, mtime: "4" };
}
