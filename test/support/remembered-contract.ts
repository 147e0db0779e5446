/** What a store of remembered rules keeps, whatever it keeps them in. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RememberedRule, RememberedRules } from "../../src/broker/policy/remembered.js";
import type { FakeClock } from "./fake-clock.js";
import { dayMs, ruleDraft } from "./remembered.js";

export interface RememberedHarness {
  readonly rules: RememberedRules;
  /** The same place as another process sees it. */
  another(): RememberedRules;
  readonly clock: FakeClock;
  /** What stands in the file, for somebody who writes it by hand; no seal changes. */
  edit(change: (rules: readonly RememberedRule[]) => readonly RememberedRule[]): void;
  /** The file cannot be used any more, and can again. */
  spoil(): void;
  mend(): void;
  /** From here on others can reach what is kept. It may be called when something was kept. */
  breakIt(): void;
  repair(): void;
  close(): void;
}

const empty = { rules: [], over: [], unaccepted: [], fault: null, distrust: null };

/** Runs the contract against what `open` gives, anew for each test. */
export function describeRemembered(name: string, open: () => RememberedHarness): void {
  describe(`remembered rules ${name}`, () => {
    let harness: RememberedHarness;
    let rules: RememberedRules;
    const draft = (overrides: Parameters<typeof ruleDraft>[1] = {}) =>
      ruleDraft(harness.clock.now(), overrides);
    beforeEach(() => {
      harness = open();
      rules = harness.rules;
    });
    afterEach(() => harness.close());

    it("are in force for every process once they were kept, whole, the oldest first", async () => {
      expect(rules.list()).toEqual(empty);
      const late = await rules.remember(draft({ createdAt: harness.clock.now() - 1_000 }));
      const early = await harness.another().remember(
        draft({
          rule: "mcp__github__create_issue",
          scope: "always",
          directory: null,
          program: null,
          programIdentity: null,
          askedBy: "mcp__github__*",
          assurance: null,
          createdAt: harness.clock.now() - 2_000,
        }),
      );
      expect(late.id).not.toBe(early.id);
      const expected = { ...empty, rules: [early, late] };
      expect([rules.list(), harness.another().list()]).toEqual([expected, expected]);
    });

    it("are kept all, by however many at once", async () => {
      const stores = [rules, harness.another(), rules, harness.another()];
      const kept = await Promise.all(
        stores.map((store, index) => store.remember(draft({ rule: `Bash(x ${index})` }))),
      );
      expect(new Set(kept.map(({ id }) => id)).size).toBe(4);
      expect(
        rules
          .list()
          .rules.map(({ rule }) => rule)
          .sort(),
      ).toEqual(kept.map(({ rule }) => rule).sort());
    });

    it("that are taken back are in force for nobody, and are there once", async () => {
      const [one, other] = [await rules.remember(draft()), await rules.remember(draft())];
      expect(await harness.another().revoke(one.id)).toBe(true);
      expect([rules.list().rules, await rules.revoke(one.id)]).toEqual([[other], false]);
      harness.edit((all) => [...all, one]);
      expect(rules.list()).toEqual({
        rules: [other],
        over: [],
        unaccepted: [one.rule],
        fault: null,
        distrust: null,
      });
    });

    it("that are dated in the future, or over, are told apart from those in force", async () => {
      const now = harness.clock.now();
      const [future, over, kept] = [
        await rules.remember(draft({ rule: "Bash(x)", createdAt: now + 1 })),
        await rules.remember(draft({ rule: "Bash(y)", createdAt: now - 2, expiresAt: now })),
        await rules.remember(draft()),
      ];
      const listed = rules.list();
      expect(listed).toMatchObject({ rules: [kept], unaccepted: [], fault: null });
      expect(new Set(listed.over)).toEqual(new Set([future, over]));
    });

    it("that somebody wrote by hand, or changed, are not in force and are told", async () => {
      const kept = await rules.remember(draft());
      const forged = { ...kept, id: "forged22", rule: "Bash(*)" };
      harness.edit((all) => [...all, forged]);
      expect(rules.list()).toEqual({
        rules: [kept],
        over: [],
        unaccepted: ["Bash(*)"],
        fault: null,
        distrust: null,
      });
      for (const change of [
        { rule: "Bash(git push *)" },
        { directory: "/" },
        { program: null },
        { programIdentity: "another" },
        { askedBy: "Bash" },
        { expiresAt: kept.expiresAt + dayMs },
        { createdAt: kept.createdAt - 1 },
        { id: "another2" },
      ]) {
        harness.edit(() => [{ ...kept, ...change }]);
        expect(rules.list().rules).toEqual([]);
        expect(rules.list().unaccepted).toHaveLength(1);
      }
      harness.edit(() => [kept]);
      expect(rules.list()).toEqual({ ...empty, rules: [kept] });
    });

    it("stay what they are for those that were written by hand when another is kept", async () => {
      const forged = { ...(await rules.remember(draft())), id: "forged22", rule: "Bash(*)" };
      harness.edit((all) => [...all, forged]);
      const kept = await rules.remember(draft({ rule: "Bash(ls)" }));
      expect(rules.list().rules.map(({ rule }) => rule)).toEqual(["Bash(git push origin main)", kept.rule]);
      expect(rules.list().unaccepted).toEqual(["Bash(*)"]);
      expect(await rules.revoke(forged.id)).toBe(true);
      expect(rules.list().unaccepted).toEqual([]);
    });

    it("that were taken out of the file are not in force at once, and stay so when they are put back", async () => {
      const kept = await rules.remember(draft());
      harness.edit(() => []);
      expect(rules.list()).toEqual(empty);
      expect(await rules.expire()).toEqual([{ rule: kept, why: "removed" }]);
      expect(await harness.another().expire()).toEqual([]);
      harness.edit(() => [kept]);
      expect(rules.list()).toEqual({ ...empty, unaccepted: [kept.rule] });
      expect(await rules.remember(draft())).toMatchObject({ rule: kept.rule });
      expect(rules.list().rules).toHaveLength(1);
    });

    it("are over when their time is, and are cleared away then", async () => {
      const short = await rules.remember(draft({ expiresAt: harness.clock.now() + 1_000 }));
      const long = await rules.remember(draft());
      expect(await rules.expire()).toEqual([]);
      harness.clock.advance(1_000);
      expect(rules.list()).toMatchObject({ rules: [long], over: [short] });
      expect(await harness.another().expire()).toEqual([{ rule: short, why: "expired" }]);
      expect(await rules.expire()).toEqual([]);
      expect(rules.list()).toMatchObject({ rules: [long], over: [] });
      harness.edit((all) => [...all, short]);
      expect(rules.list()).toMatchObject({ rules: [long], unaccepted: [short.rule] });
    });

    it("are not in force while the clock stands before they were made", async () => {
      const kept = await rules.remember(draft());
      harness.clock.jumpWallClock(-1);
      expect(rules.list()).toEqual({ ...empty, over: [kept] });
      harness.clock.jumpWallClock(1);
      expect(rules.list().rules).toEqual([kept]);
    });

    it("are none while the file cannot be used: it is told, nothing more is kept, and one can be taken back for good", async () => {
      const [one, other] = [await rules.remember(draft()), await rules.remember(draft({ rule: "Bash(ls)" }))];
      harness.spoil();
      expect(rules.list()).toMatchObject({ rules: [], unaccepted: [], fault: expect.any(String) });
      await expect(rules.remember(draft())).rejects.toMatchObject({ code: "policy_invalid" });
      expect(rules.revocable()).toEqual([one, other]);
      expect([await rules.revoke(one.id), await rules.revoke(one.id)]).toEqual([true, false]);
      expect(rules.revocable()).toEqual([other]);
      expect(await rules.expire()).toEqual([]);
      harness.mend();
      expect(rules.list()).toMatchObject({ rules: [other], unaccepted: [one.rule] });
      expect(await rules.revoke(one.id)).toBe(true);
    });

    it.each([
      ["while the file cannot be used", (made: RememberedHarness) => made.spoil()],
      ["while the file holds none", (made: RememberedHarness) => made.edit(() => [])],
      ["while the file is as it was kept", () => {}],
    ])("can all be taken back %s, and stay so when they are put back", async (_name, spoil) => {
      const kept = [await rules.remember(draft()), await rules.remember(draft({ rule: "Bash(ls)" }))];
      spoil(harness);
      expect(rules.revocable()).toEqual(kept);
      expect(await harness.another().clear()).toEqual(kept);
      expect([rules.revocable(), await rules.clear()]).toEqual([[], []]);
      if (rules.list().fault !== null) harness.mend();
      harness.edit(() => kept);
      expect(rules.list()).toEqual({ ...empty, unaccepted: kept.map(({ rule }) => rule) });
      const next = await rules.remember(draft({ rule: "Bash(pwd)" }));
      expect(rules.list().rules).toEqual([next]);
    });

    it("leave what was written by hand where it is when all are taken back", async () => {
      const forged = { ...(await rules.remember(draft())), id: "forged22", rule: "Bash(*)" };
      harness.edit((all) => [...all, forged]);
      expect(await rules.clear()).toHaveLength(1);
      expect(rules.list()).toEqual({ ...empty, unaccepted: ["Bash(*)"] });
    });

    it("cannot be kept or taken back where others can reach them, and can again afterwards", async () => {
      const kept = await rules.remember(draft());
      harness.breakIt();
      await expect(rules.remember(draft())).rejects.toMatchObject({ code: "channel_unsafe" });
      await expect(rules.revoke(kept.id)).rejects.toMatchObject({ code: "channel_unsafe" });
      harness.repair();
      expect(rules.list().rules).toEqual([kept]);
      expect(await rules.revoke(kept.id)).toBe(true);
    });
  });
}
