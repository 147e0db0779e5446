/** What grants keep, whatever they are kept in. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bound, GrantStore, SessionRule, Yes } from "../../src/broker/grants/grant-store.js";
import { answerTo, approvalRequest, denialOf, testServer } from "./builders.js";
import type { FakeClock } from "./fake-clock.js";
import { boundTo, type Record, yesTo } from "./grants.js";

/** How long a yes is kept, in each harness. */
export const ttlSeconds = 300;

export interface GrantsHarness {
  readonly grants: GrantStore;
  /** The same place as another process sees it. */
  another(): GrantStore;
  readonly record: Record;
  readonly clock: FakeClock;
  /** From here on, nothing can be written. */
  breakIt(): void;
  repair(): void;
  close(): void;
}

const rule: Omit<SessionRule, "id" | "life" | "idle"> = {
  rule: "Bash(git push *)",
  client: "stdio:test-client",
  directory: "/home/p/api",
  request: "abcdefgh",
  server: testServer,
};

const text = fc.string({ maxLength: 12 });
const bounds: fc.Arbitrary<Bound> = fc.record({
  client: text,
  role: text,
  server: text,
  directory: text,
  subject: text,
  definition: fc.option(text),
  state: fc.option(text),
});

/** Runs the contract against what `open` gives, anew for each test. */
export function describeGrants(name: string, open: () => GrantsHarness): void {
  describe(`grants ${name}`, () => {
    let harness: GrantsHarness;
    let grants: GrantStore;
    beforeEach(() => {
      harness = open();
      grants = harness.grants;
    });
    afterEach(() => harness.close());

    /** Keeps a yes that was written down, as whoever keeps one does. */
    async function keep(yes: Yes = yesTo(), by: GrantStore = grants) {
      harness.record.answered(yes);
      const approval = await by.keep(yes);
      if (approval === null) throw new Error("it was not kept");
      return approval;
    }

    it("give an identical call what was kept, whole", async () => {
      const yes = yesTo();
      const approval = await keep(yes);
      expect(approval).toMatchObject({
        request: yes.request,
        answer: yes.answer,
        bound: yes.bound,
        from: null,
      });
      expect(approval.life.forMs).toBe(ttlSeconds * 1_000);
      expect(grants.find(boundTo())).toEqual(approval);
      expect(grants.list().unspent).toEqual([{ approval, fault: null }]);
    });

    it("keep nothing but a yes to that request", async () => {
      const request = approvalRequest();
      const other = answerTo(approvalRequest());
      await expect(grants.keep(yesTo({ request, answer: denialOf(request) }))).rejects.toThrow(TypeError);
      await expect(grants.keep(yesTo({ request, answer: other }))).rejects.toThrow(TypeError);
      expect(grants.find(boundTo())).toBeNull();
      await keep(yesTo({ request }));
      expect(grants.find(boundTo())).not.toBeNull();
    });

    it("neither find nor reveal anything for a call that differs in any bound value", async () => {
      await fc.assert(
        fc.asyncProperty(
          bounds,
          fc.constantFrom(...(Object.keys(boundTo()) as (keyof Bound)[])),
          text,
          async (bound, key, other) => {
            fc.pre(bound[key] !== other);
            const kept = await keep(yesTo({ bound }));
            const changed = { ...bound, [key]: other };
            expect(grants.find(changed)).toBeNull();
            expect(grants.drifted(changed)).toEqual(key === "state" ? [kept] : []);
            expect(grants.find({ ...bound })?.id).toBe(kept.id);
            expect(await grants.claim(kept.id)).toBe(true);
          },
        ),
        { numRuns: 60 },
      );
    });

    it("tell what is missing apart from what is empty", async () => {
      await keep(yesTo({ bound: boundTo({ definition: null, state: null }) }));
      expect(grants.find(boundTo({ definition: "", state: null }))).toBeNull();
      expect(grants.find(boundTo({ definition: null, state: "" }))).toBeNull();
      expect(grants.find(boundTo({ definition: null, state: null }))).not.toBeNull();
    });

    it("let an approval be claimed once, and no more by anybody", async () => {
      const { id } = await keep();
      const other = harness.another();
      const all = await Promise.all([grants.claim(id), other.claim(id), grants.claim(id), other.claim(id)]);
      expect(all.filter((isClaimed) => isClaimed)).toHaveLength(1);
      expect([grants.find(boundTo()), other.find(boundTo())]).toEqual([null, null]);
      expect(await harness.another().claim(id)).toBe(false);
      const next = await keep();
      expect(await other.claim(next.id)).toBe(true);
    });

    it("keep one approval for a request, however often it is answered", async () => {
      const yes = yesTo();
      const other = harness.another();
      const { id } = await keep(yes);
      expect(await other.keep(yes)).toBeNull();
      expect(await grants.claim(id)).toBe(true);
      expect([await other.keep(yes), await grants.keep(yes)]).toEqual([null, null]);
      expect(other.find(boundTo())).toBeNull();
      await keep();
      expect(other.find(boundTo())).not.toBeNull();
    });

    it("give two approvals of one call to two calls", async () => {
      const ids = [(await keep()).id, (await keep()).id];
      const first = grants.find(boundTo())?.id ?? "";
      expect(await grants.claim(first)).toBe(true);
      const second = grants.find(boundTo())?.id ?? "";
      expect(await grants.claim(second)).toBe(true);
      expect([first, second].sort()).toEqual(ids.sort());
      expect(grants.find(boundTo())).toBeNull();
    });

    it("count the last second and none after it, whatever the wall clock says", async () => {
      const { id } = await keep();
      harness.clock.jumpWallClock(3_600_000);
      harness.clock.advance(ttlSeconds * 1_000);
      expect(grants.find(boundTo())?.id).toBe(id);
      harness.clock.jumpWallClock(-7_200_000);
      harness.clock.advance(1);
      expect([grants.find(boundTo()), harness.another().find(boundTo())]).toEqual([null, null]);
      expect([await grants.claim(id), await harness.another().claim(id)]).toEqual([false, false]);
      expect(grants.list().unspent.map(({ fault }) => fault)).toEqual(["it has expired"]);
      expect(grants.expire()).toEqual([id]);
      expect(grants.list().unspent).toEqual([]);
      expect(await grants.claim((await keep()).id)).toBe(true);
    });

    it("keep a late yes for as long as its request was kept, and none whose time is over", async () => {
      const { life } = await keep();
      harness.clock.advance(1_000);
      const late = yesTo({ bound: boundTo({ server: "late" }), life: { ...life, forMs: 5_000 } });
      await keep(late);
      harness.clock.advance(4_000);
      expect(grants.find(late.bound)).not.toBeNull();
      harness.clock.advance(1);
      expect(grants.find(late.bound)).toBeNull();
      expect(await grants.keep(yesTo({ life: { ...life, forMs: 5_000 } }))).toBeNull();
    });

    it("give back what nothing came of, once, under a new id and with the time that is left", async () => {
      const { id, life, ...rest } = await keep();
      expect(await grants.claim(id)).toBe(true);
      harness.clock.advance(1_000);
      const again = await grants.release(id);
      expect(again).toEqual({ ...rest, life, from: id, id: expect.not.stringMatching(id) });
      await expect(grants.release(id)).rejects.toThrow(TypeError);
      await expect(harness.another().release(again?.id ?? "")).rejects.toThrow(TypeError);
      expect(await grants.claim(id)).toBe(false);
      expect(harness.another().find(boundTo())).toEqual(again);
      expect(await harness.another().claim(again?.id ?? "")).toBe(true);
      expect(grants.find(boundTo())).toBeNull();
    });

    it("give nothing back whose time is over", async () => {
      const { id } = await keep();
      expect(await grants.claim(id)).toBe(true);
      harness.clock.advance(ttlSeconds * 1_000 + 1);
      grants.expire();
      expect(await grants.release(id)).toBeNull();
      expect(grants.find(boundTo())).toBeNull();
    });

    it("take back what any process kept", async () => {
      const { id } = await keep();
      expect(await harness.another().revoke(id)).toBe(true);
      expect([await grants.revoke(id), await harness.another().revoke(id)]).toEqual([false, false]);
      expect([grants.find(boundTo()), await grants.claim(id)]).toEqual([null, false]);
      expect([await grants.revoke("zzzzzzzz"), await grants.revoke("../../keys")]).toEqual([false, false]);
      expect(await grants.claim((await keep()).id)).toBe(true);
    });

    it("give other processes only what the audit log holds, and that nothing came of", async () => {
      const yes = yesTo();
      const approval = await grants.keep(yes);
      expect(harness.another().find(boundTo())).toBeNull();
      expect(grants.find(boundTo())).toEqual(approval);
      harness.record.answered(yes);
      expect(harness.another().find(boundTo())).toEqual(approval);
      harness.record.started(yes);
      expect(harness.another().find(boundTo())).toBeNull();
      expect(await harness.another().claim(yes.request.id)).toBe(false);
      harness.record.released(yes);
      expect(await harness.another().claim(yes.request.id)).toBe(true);
    });

    it("let a rule be used until it is revoked, ended or too old", async () => {
      const [revoked, ended, old] = [1, 2, 3].map(() => grants.keepRule(rule, 60_000, 60_000)) as [
        string,
        string,
        string,
      ];
      expect(
        grants
          .list()
          .sessions.map(({ rule: { id } }) => id)
          .sort(),
      ).toEqual([revoked, ended, old].sort());
      expect(grants.list().sessions[0]).toMatchObject({ rule, fault: null });
      expect([revoked, ended, old].map((id) => grants.isRuleKept(id))).toEqual([true, true, true]);
      expect(harness.another().isRuleKept(old)).toBe(false);
      expect(await harness.another().revoke(revoked)).toBe(true);
      grants.endRule(ended);
      expect([revoked, ended, old].map((id) => grants.isRuleKept(id))).toEqual([false, false, true]);
      harness.clock.advance(60_001);
      expect(grants.isRuleKept(old)).toBe(false);
      expect(grants.expire()).toEqual([old]);
      expect(grants.list().sessions).toEqual([]);
      expect(grants.isRuleKept(grants.keepRule(rule, 60_000, 60_000))).toBe(true);
    });

    it("let a rule be used until nobody used it for too long, and let others see until when that is", () => {
      const id = grants.keepRule(rule, 60_000, 10_000);
      const used = () => {
        const [listed] = harness.another().list().sessions;
        const { life, idle } = listed?.rule ?? expect.fail("It is gone.");
        return [listed?.fault, idle.from.uptimeMs - life.from.uptimeMs, idle.forMs];
      };
      expect(used()).toEqual([null, 0, 10_000]);
      for (const passed of [10_000, 20_000]) {
        harness.clock.advance(10_000);
        expect(grants.isRuleKept(id)).toBe(true);
        grants.noteRuleUsed(id);
        // What is not kept here cannot be used here.
        harness.another().noteRuleUsed(id);
        expect(used()).toEqual([null, passed, 10_000]);
      }
      harness.clock.advance(10_000);
      expect([harness.another().expire(), used()[0]]).toEqual([[], null]);
      harness.clock.advance(1);
      expect(used()[0]).toBe("it has expired");
      expect(grants.isRuleKept(id)).toBe(false);
      grants.noteRuleUsed(id);
      expect(harness.another().expire()).toEqual([id]);
      const next = grants.keepRule(rule, 15_000, 10_000);
      harness.clock.advance(10_000);
      grants.noteRuleUsed(next);
      harness.clock.advance(5_001);
      expect(grants.isRuleKept(next)).toBe(false);
      expect(grants.isRuleKept(grants.keepRule(rule, 15_000, 10_000))).toBe(true);
    });

    it("that cannot be written keep and spend nothing, say so, and go on when repaired", async () => {
      const { id } = await keep();
      const yes = yesTo({ bound: boundTo({ server: "other" }) });
      harness.record.answered(yes);
      harness.breakIt();
      const unsafe = expect.objectContaining({ code: expect.stringMatching(/^channel_un/) });
      await expect(grants.keep(yes)).rejects.toEqual(unsafe);
      await expect(grants.claim(id)).rejects.toEqual(unsafe);
      expect(() => grants.keepRule(rule, 1_000, 1_000)).toThrow(unsafe);
      harness.repair();
      expect(grants.find(yes.bound)).toBeNull();
      await keep(yes);
      expect(grants.find(yes.bound)).not.toBeNull();
      expect([await grants.claim(id), await grants.claim(id)]).toEqual([true, false]);
    });
  });
}
