import { describe, expect, it } from "vitest";
import { boundOf } from "../../../src/broker/approval/bound.js";
import { writerInto } from "../../../src/broker/approval/journal.js";
import { widerYesOf } from "../../../src/broker/approval/wider-yes.js";
import type { Taken } from "../../../src/broker/channel/channel.js";
import type { RememberedRule, RememberedRules } from "../../../src/broker/policy/remembered.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { scopes } from "../../../src/broker/request/scope.js";
import { anAsk, asking, calm, detach, keepingIn, world } from "../../support/asking.js";
import { answerTo, approvalRequest, twoOffers } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";

const offering = {
  scopes: [...scopes],
  remember: { ...twoOffers(), program: "/usr/bin/git", programIdentity: "git", askedBy: null },
};

type Kept = Pick<RememberedRules, "remember" | "revoke"> & { readonly rules: RememberedRule[] };

/** Keeps rules in memory, or fails as a full disk does. */
function store(fault: WispError | null = null): Kept {
  const rules: RememberedRule[] = [];
  return {
    rules,
    async remember(rule) {
      if (fault !== null) throw fault;
      rules.push({ ...rule, id: "rulerule" });
      return { ...rule, id: "rulerule" };
    },
    async revoke() {
      rules.length = 0;
      return true;
    },
  };
}

const full = new WispError("channel_unavailable", "There is no space left.");

describe("a yes for the project or for always", () => {
  it.each(["project", "always"] as const)("leaves one rule for %s, as it was shown", async (scope) => {
    const remembered = store();
    const bench = asking({ remembered });
    const asked = await bench.ask({ ask: offering });
    bench.face.answer(answerTo(asked.request, { scope }));
    expect(await asked.outcome).toMatchObject({ name: "approved", scope, rule: { kind: "left" } });
    const createdAt = bench.clock.now();
    expect(remembered.rules).toEqual([
      {
        id: "rulerule",
        rule: "Bash(git push origin main)",
        scope,
        directory: scope === "project" ? "/home/p/api" : null,
        program: "/usr/bin/git",
        programIdentity: "git",
        askedBy: null,
        client: "stdio:test-client",
        request: asked.request.id,
        via: "cli",
        assurance: "terminal",
        createdAt,
        expiresAt: createdAt + 30 * 24 * 3_600_000,
      },
    ]);
    expect(asked.receipt).toMatchObject({ outcome: "answered", scope });
  });

  it("is written down, on disk, before its rule is there", async () => {
    const remembered = store();
    const bench = asking({ remembered });
    bench.audit.holding = "durable";
    const asked = await bench.ask({ ask: offering });
    bench.face.answer(answerTo(asked.request, { scope: "always" }));
    await calm();
    expect(remembered.rules).toEqual([]);
    bench.audit.release();
    await asked.outcome;
    expect(remembered.rules).toHaveLength(1);
  });

  it("leaves no rule where it cannot be written down", async () => {
    const remembered = store();
    const bench = asking({ remembered });
    const asked = await bench.ask({ ask: offering });
    bench.audit.failing = "durable";
    bench.face.answer(answerTo(asked.request, { scope: "always" }));
    expect(await asked.outcome).toMatchObject({ name: "failed", run: null, rule: null });
    expect(remembered.rules).toEqual([]);
  });

  it("counts once where its rule cannot be kept: of calls that wait together one runs", async () => {
    const bench = asking({ remembered: store(full) });
    const first = await bench.ask({ ask: offering });
    const second = await bench.ask({ ask: offering });
    bench.face.answer(answerTo(first.request, { scope: "project" }));
    expect(await first.outcome).toMatchObject({
      name: "approved",
      scope: "once",
      rule: { kind: "lost", why: expect.stringContaining("no space left") },
    });
    expect(await second.outcome).toMatchObject({ name: "already_decided", run: null });
    expect(first.receipt).toMatchObject({
      outcome: "answered",
      decision: "approve",
      scope: "once",
      ran: null,
    });
    expect(first.receipt?.note).toContain("nothing is remembered");
    // The line that was written before is corrected: the last one of a call counts.
    const lines = bench.audit.only("approval.decided").map(({ details: { outcome, scope, run } }) => {
      return [outcome, scope, run !== undefined];
    });
    expect(lines).toEqual([
      ["approved", "project", true],
      ["approved", "project", true],
      ["approved", "once", true],
      ["already_decided", "once", false],
    ]);
  });

  it("that no call waits for leaves its rule alone; where it cannot, one call may run", async () => {
    for (const [remembered, kept] of [
      [store(), 0],
      [store(full), 1],
    ] as const) {
      const there = world();
      const bench = asking({ world: there, ...keepingIn(there), remembered });
      const asked = await bench.ask({ ask: offering });
      detach(asked);
      bench.face.answer(answerTo(asked.request, { scope: "project" }));
      await calm();
      await calm();
      expect([there.shelf.unspent.size, remembered.rules.length]).toEqual([kept, 1 - kept]);
      if (kept === 0) continue;
      expect(await bench.start({ ask: offering }).outcome).toMatchObject({ scope: "once", redeemed: true });
    }
  });

  it("whose receipt cannot be published takes its rule back, and nothing runs", async () => {
    const remembered = store();
    const bench = asking({
      remembered,
      channel: (own) => ({
        ...own,
        settle(id, ending) {
          if (ending.outcome === "answered" && isFull) throw full;
          return own.settle(id, ending);
        },
      }),
    });
    let isFull = true;
    const asked = await bench.ask({ ask: offering });
    bench.face.answer(answerTo(asked.request, { scope: "always" }));
    expect(await asked.outcome).toMatchObject({ name: "failed", run: null, rule: null });
    expect(remembered.rules).toEqual([]);
    const [rule] = bench.audit.only("rule.remembered").map(({ details }) => details.rule);
    expect(bench.audit.only("rule.revoked")).toMatchObject([{ details: { rule, why: "unpublished" } }]);
    expect(bench.audit.only("approval.decided").at(-1)).toMatchObject({ details: { outcome: "failed" } });
    isFull = false;
    const again = await bench.ask({ ask: offering });
    bench.face.answer(answerTo(again.request, { scope: "always" }));
    expect(await again.outcome).toMatchObject({ name: "approved", rule: { kind: "left" } });
  });

  it("leaves no rule where its caller had gone", async () => {
    const remembered = store();
    const bench = asking({ remembered, channel: (own) => ({ ...own, changes: () => () => {} }) });
    const asked = await bench.ask({ ask: offering });
    bench.face.answer(answerTo(asked.request, { scope: "always" }));
    asked.controller.abort();
    expect(await asked.outcome).toMatchObject({ name: "abandoned" });
    expect(remembered.rules).toEqual([]);
  });
});

describe("the rule of a yes", () => {
  const taken: Taken = {
    answer: answerTo(approvalRequest(), { scope: "always" }),
    hash: "0".repeat(64),
    testimony: null,
  };
  const likeness = { subject: "subject", state: "state" };
  const rules = store();

  async function yesIn(
    remembered: Pick<RememberedRules, "remember" | "revoke"> | null,
    remember = offering.remember,
  ) {
    const audit = new MemoryAuditLog();
    const ask = anAsk({ remember });
    const answer = { ask, bound: boundOf(ask, likeness), request: "abcdefgh", taken };
    const yes = widerYesOf(answer, { remembered, write: writerInto(audit), clock: new FakeClock() });
    return { yes, kinds: () => audit.events.map(({ kind }) => kind) };
  }

  it("is lost where there is nowhere to remember it, and left where there is", async () => {
    const { yes } = await yesIn(null);
    expect(await yes?.leave()).toMatchObject({
      kind: "lost",
      why: expect.stringContaining("nowhere to remember"),
    });
    await yes?.takeBack();
    expect(await (await yesIn(rules)).yes?.leave()).toMatchObject({
      kind: "left",
      text: "Bash(git push origin main)",
    });
  });

  it("is none where nothing was offered", async () => {
    expect((await yesIn(rules, { ...offering.remember, offers: [] })).yes).toBeNull();
    expect((await yesIn(rules)).yes).not.toBeNull();
  });

  it.each<readonly [string, () => Promise<boolean>, readonly string[]]>([
    ["that was revoked", async () => true, ["rule.remembered", "rule.revoked"]],
    ["that a person revoked before", async () => false, ["rule.remembered"]],
    ["that cannot be revoked", async () => Promise.reject(full), ["rule.remembered"]],
  ])("%s is taken back as far as it can be, and is written down where it was", async (_, revoke, written) => {
    const { yes, kinds } = await yesIn({ ...rules, revoke });
    // Nothing was left yet.
    await yes?.takeBack();
    expect(kinds()).toEqual([]);
    await yes?.leave();
    await yes?.takeBack();
    expect(kinds()).toEqual(written);
  });

  it("that fails for a mistake in the program is no lost rule: the mistake is thrown on", async () => {
    const mistake = new TypeError("a mistake");
    const { yes } = await yesIn({ ...rules, remember: async () => Promise.reject(mistake) });
    await expect(yes?.leave()).rejects.toBe(mistake);
  });
});

describe("a call that is let through", () => {
  const allowedBy = { kind: "policy", text: "Bash(git push *)", place: "policy.json:7" } as const;

  it("runs once that is on disk, and files nothing", async () => {
    const bench = asking();
    bench.audit.holding = "durable";
    const call = await bench.ask({ ask: { allowedBy } });
    expect(call.ended).toBeNull();
    bench.audit.release();
    expect(await call.outcome).toMatchObject({ name: "approved", via: "policy", request: null });
    expect(bench.place.files.size).toBe(0);
    expect(bench.audit.events.map(({ kind }) => kind)).toEqual(["policy.judged", "approval.decided"]);
  });

  it("does not run where that cannot be written down, and does once it can", async () => {
    const bench = asking();
    bench.audit.failing = "durable";
    await expect(bench.start({ ask: { allowedBy } }).outcome).rejects.toMatchObject({
      code: "audit_unavailable",
    });
    bench.audit.failing = "none";
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "approved" });
  });

  it("is abandoned where its caller left, also where that cannot be written down", async () => {
    const bench = asking();
    const call = bench.start({ ask: { allowedBy } });
    bench.audit.failing = "all";
    call.controller.abort();
    expect(await call.outcome).toMatchObject({ name: "abandoned", run: null });
    bench.audit.failing = "none";
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "approved" });
  });

  it("does not run for a caller that left meanwhile", async () => {
    const bench = asking();
    bench.audit.holding = "durable";
    const call = await bench.ask({ ask: { allowedBy } });
    call.controller.abort();
    bench.audit.release();
    expect(await call.outcome).toMatchObject({ name: "abandoned", run: null });
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "approved" });
  });

  it("is refused while a person's no to the same is remembered", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request, { decision: "deny", scope: null }));
    await asked.outcome;
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "denied" });
    bench.clock.advance(60_001);
    expect(await bench.start({ ask: { allowedBy } }).outcome).toMatchObject({ name: "approved" });
  });
});

it("what is refused by a rule is written down, asks nobody, and is no person's no", async () => {
  const bench = asking();
  await bench.approver.refuse(anAsk());
  expect(bench.audit.events).toMatchObject([{ kind: "policy.judged", details: { verdict: "deny" } }]);
  expect(bench.place.files.size).toBe(0);
  expect((await bench.ask()).ended).toBeNull();
});
