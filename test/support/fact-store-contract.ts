/** What a store of facts keeps, whatever it keeps them in. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FactStore } from "../../src/broker/facts/fact-store.js";
import { decidedBy, droppedFact, keptFact, proposal, proposedBy } from "./facts.js";
import type { FakeClock } from "./fake-clock.js";

export interface FactsHarness {
  readonly facts: FactStore;
  /** The same place as another process sees it. */
  another(): FactStore;
  readonly clock: FakeClock;
  /** From here on others can reach what is kept. It may be called when something was kept. */
  breakIt(): void;
  repair(): void;
  close(): void;
}

const empty = { kept: [], dropped: [], unreadable: 0 };
const dayMs = 24 * 3_600_000;

/** Runs the contract against what `open` gives, anew for each test. */
export function describeFacts(name: string, open: () => FactsHarness): void {
  describe(`facts ${name}`, () => {
    let harness: FactsHarness;
    let facts: FactStore;
    beforeEach(() => {
      harness = open();
      facts = harness.facts;
    });
    afterEach(() => harness.close());

    it("are there for every process once they were kept, whole, the oldest first", async () => {
      expect(facts.list()).toEqual(empty);
      const late = keptFact({ keptBy: decidedBy({ at: 3_000 }) });
      const early = keptFact({ scope: "global", keptBy: decidedBy({ at: 1_000 }) });
      const between = keptFact({
        directory: null,
        scope: "global",
        source: null,
        proposedBy: proposedBy({ client: null, thread: null }),
        keptBy: decidedBy({ at: 2_000, via: "chat" }),
      });
      for (const fact of [late, early, between]) expect(await facts.keep(fact)).toBe(true);
      const expected = { ...empty, kept: [early, between, late] };
      expect([facts.list(), harness.another().list()]).toEqual([expected, expected]);
    });

    it("are kept once each, by however many at once, and not twice in two scopes", async () => {
      const fact = keptFact();
      const stores = [facts, harness.another(), facts, harness.another()];
      const all = await Promise.all(stores.map((store) => store.keep(fact)));
      expect(all.filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await facts.keep({ ...fact, scope: "global" })).toBe(false);
      expect(await harness.another().keep({ ...fact, value: "something else" })).toBe(false);
      expect(harness.another().list().kept).toEqual([fact]);
      expect(await facts.keep(keptFact())).toBe(true);
    });

    it("that were dropped are not kept, and those that were kept are not dropped", async () => {
      const [kept, dropped] = [keptFact(), droppedFact()];
      await facts.keep(kept);
      expect(await facts.drop(dropped)).toBe(true);
      expect(await harness.another().drop(dropped)).toBe(false);
      expect(await harness.another().keep(keptFact({ id: dropped.id }))).toBe(false);
      expect(await harness.another().drop(droppedFact({ id: kept.id }))).toBe(false);
      expect(harness.another().list()).toEqual({ kept: [kept], dropped: [dropped], unreadable: 0 });
      expect(await facts.drop(droppedFact())).toBe(true);
    });

    it("that were dropped count again in the same line of work, and in no other", async () => {
      const dropped = droppedFact();
      await facts.drop(dropped);
      const against = (...given: Parameters<typeof proposal>) =>
        harness.another().dropAgainst(proposal(...given));
      expect(against()).toEqual(dropped);
      expect(against({ source: null })).toEqual(dropped);
      expect(against({}, { session: "other", client: { name: "test-client", version: "2" } })).toEqual(
        dropped,
      );
      for (const words of [{ subject: "x" }, { name: "x" }, { value: "x" }, { directory: null }]) {
        expect(against(words), Object.keys(words)[0]).toBeNull();
      }
      for (const by of [{ thread: "x" }, { thread: null }, { client: null }]) {
        expect(against({}, by), Object.keys(by)[0]).toBeNull();
      }
      expect(against({}, { client: { name: "other", version: "1.0.0" } })).toBeNull();
      expect(against()).toEqual(dropped);
    });

    it("that were dropped where no thread was named count for the same run of the server", async () => {
      const dropped = droppedFact({ proposedBy: proposedBy({ thread: null, client: null, session: "a" }) });
      await facts.drop(dropped);
      const by = { thread: null, client: null };
      expect(facts.dropAgainst(proposal({}, { ...by, session: "b" }))).toBeNull();
      expect(facts.dropAgainst(proposal({}, { ...by, session: "a" }))).toEqual(dropped);
    });

    it("that were dropped for good count for everybody; the newest drop is told", async () => {
      const stranger = { thread: null, client: null, session: "other" };
      const forGood = droppedFact({ isForGood: true, droppedBy: decidedBy({ at: 1_000 }) });
      await facts.drop(forGood);
      expect(facts.dropAgainst(proposal({}, stranger))).toEqual(forGood);
      expect(facts.dropAgainst(proposal({ value: "x" }, stranger))).toBeNull();
      const at = harness.clock.now();
      const newer = droppedFact({ droppedBy: decidedBy({ at }) });
      await facts.drop(newer);
      await facts.drop(droppedFact({ droppedBy: decidedBy({ at: at - 1_000 }) }));
      expect(facts.dropAgainst(proposal())).toEqual(newer);
      expect(facts.dropAgainst(proposal({}, stranger))).toEqual(forGood);
    });

    it("that were dropped for good count in every directory, those of a line of work in theirs alone", async () => {
      const [forGood, here] = [droppedFact({ isForGood: true, value: "npm t" }), droppedFact()];
      await facts.drop(forGood);
      await facts.drop(here);
      for (const directory of ["/home/p/web", null]) {
        expect(facts.dropAgainst(proposal({ value: "npm t", directory }))).toEqual(forGood);
        expect(facts.dropAgainst(proposal({ directory }))).toBeNull();
      }
      expect(facts.dropAgainst(proposal())).toEqual(here);
    });

    it("that were dropped count whatever the width and case of letters and the blanks are", async () => {
      const said = { subject: "API", name: "Test  command", value: "Straße １" };
      for (const isForGood of [true, false]) {
        const dropped = droppedFact({ ...said, isForGood });
        await facts.drop(dropped);
        const asked = { subject: " api", name: "test command\n" };
        expect(facts.dropAgainst(proposal({ ...asked, value: "straße\t1" }))).toEqual(dropped);
        expect(facts.dropAgainst(proposal({ ...asked, value: "straße 2" }))).toBeNull();
        await facts.forget(dropped.id);
      }
    });

    it("that were dropped for one line of work count for thirty days, also where nobody sweeps", async () => {
      const by = decidedBy({ at: harness.clock.now() });
      const [dropped, forGood] = [
        droppedFact({ droppedBy: by }),
        droppedFact({ value: "x", isForGood: true, droppedBy: by }),
      ];
      await facts.drop(dropped);
      await facts.drop(forGood);
      harness.clock.advance(30 * dayMs);
      expect(facts.dropAgainst(proposal())).toEqual(dropped);
      harness.clock.advance(1);
      expect(facts.dropAgainst(proposal())).toBeNull();
      expect(facts.list().dropped).toHaveLength(2);
      expect(facts.dropAgainst(proposal({ value: "x" }))).toEqual(forGood);
    });

    it("that are forgotten are neither kept nor dropped, once, and stay decided", async () => {
      const [kept, everywhere, dropped, left] = [
        keptFact(),
        keptFact({ scope: "global" }),
        droppedFact(),
        keptFact(),
      ];
      for (const fact of [kept, everywhere, left]) await facts.keep(fact);
      await facts.drop(dropped);
      for (const { id } of [kept, everywhere, dropped]) {
        const both = await Promise.all([facts.forget(id), harness.another().forget(id)]);
        expect(both.sort()).toEqual([false, true]);
        expect(await facts.forget(id)).toBe(false);
      }
      const read = [...harness.another().forgotten()];
      expect(read).toHaveLength(3);
      expect(read).toEqual(expect.arrayContaining([kept, everywhere, dropped]));
      expect(await facts.forget("zzzzzzzz")).toBe(false);
      expect(await facts.forget("../../keys")).toBe(false);
      expect(harness.another().list()).toEqual({ ...empty, kept: [left] });
      expect(facts.dropAgainst(proposal())).toBeNull();
      expect([await facts.keep(kept), await facts.drop(dropped)]).toEqual([false, false]);
      expect(await facts.forget(left.id)).toBe(true);
    });

    it("that were dropped for one line of work are swept after thirty days, and nothing else is", async () => {
      const at = harness.clock.now();
      const by = decidedBy({ at });
      const [dropped, forGood, kept] = [
        droppedFact({ droppedBy: by }),
        droppedFact({ droppedBy: by, isForGood: true }),
        keptFact({ keptBy: by }),
      ];
      await facts.drop(dropped);
      await facts.drop(forGood);
      await facts.keep(kept);
      harness.clock.advance(30 * dayMs);
      facts.sweep();
      expect(facts.list().dropped).toHaveLength(2);
      harness.clock.advance(1);
      harness.another().sweep();
      expect(facts.list()).toEqual({ kept: [kept], dropped: [forGood], unreadable: 0 });
      expect(await facts.keep(keptFact({ id: dropped.id }))).toBe(true);
    });

    it("tell those who listen when any process kept or forgot one, and nobody who stopped", async () => {
      const told: string[] = [];
      const stops = ["one", "other"].map((who) => facts.changes(() => told.push(who)));
      const noticed = (): readonly string[] => {
        harness.clock.advance(1_500);
        return [...new Set(told.splice(0))].sort();
      };
      expect(noticed()).toEqual([]);
      const fact = keptFact();
      await harness.another().keep(fact);
      expect(noticed()).toEqual(["one", "other"]);
      await harness.another().keep(keptFact({ scope: "global" }));
      expect(noticed()).toEqual(["one", "other"]);
      stops[0]?.();
      stops[0]?.();
      await harness.another().forget(fact.id);
      expect(noticed()).toEqual(["other"]);
      stops[1]?.();
      await harness.another().keep(keptFact());
      expect(noticed()).toEqual([]);
      expect(harness.clock.timers).toBe(0);
      facts.changes(() => told.push("again"));
      await facts.keep(keptFact());
      expect(noticed()).toEqual(["again"]);
    });

    it("that others can reach are not told, kept or forgotten; what was kept is there when that is repaired", async () => {
      const [fact, dropped] = [keptFact(), droppedFact()];
      await facts.keep(fact);
      await facts.drop(dropped);
      harness.breakIt();
      const unsafe = expect.objectContaining({ code: "channel_unsafe" });
      expect(() => facts.list()).toThrow(unsafe);
      expect(() => facts.dropAgainst(proposal())).toThrow(unsafe);
      const next = keptFact();
      await expect(facts.keep(next)).rejects.toEqual(unsafe);
      await expect(facts.drop(droppedFact())).rejects.toEqual(unsafe);
      await expect(facts.forget(fact.id)).rejects.toEqual(unsafe);
      expect(() => facts.sweep()).not.toThrow();
      harness.repair();
      expect(harness.another().list()).toEqual({ kept: [fact], dropped: [dropped], unreadable: 0 });
      expect(await facts.keep(next)).toBe(true);
    });
  });
}
