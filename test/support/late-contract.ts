/** What late requests keep, whatever they are kept in. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Bound, LateRequest, LateRequests } from "../../src/broker/grants/grant-store.js";
import { approvalRequest } from "./builders.js";
import type { FakeClock } from "./fake-clock.js";
import { boundTo } from "./grants.js";

export interface LateHarness {
  /** As a process opens them that keeps requests for so long. */
  open(lateSeconds: number): LateRequests;
  readonly clock: FakeClock;
  close(): void;
}

export function lateRequest(overrides: Partial<LateRequest> = {}): Omit<LateRequest, "life"> {
  return { bound: boundTo(), request: approvalRequest(), how: "timed_out", toldMsAgo: 0, ...overrides };
}

const none = { ids: [], toldMsAgo: null };
const day = 86_400;
const tenMinutesMs = 600_000;

/** Runs the contract against what `start` gives, anew for each test. */
export function describeLateRequests(name: string, start: () => LateHarness): void {
  describe(`late requests ${name}`, () => {
    let harness: LateHarness;
    let late: LateRequests;
    beforeEach(() => {
      harness = start();
      late = harness.open(day);
    });
    afterEach(() => harness.close());

    it("are what was filed, how it ended, and until when it may be answered", async () => {
      const one = lateRequest({ how: "abandoned" });
      expect(await late.file(one, true)).toBe(true);
      const found = harness.open(day).read(one.request.id);
      expect(found).toMatchObject(one);
      expect(found?.life.forMs).toBe(day * 1_000);
      expect(late.list()).toEqual({ requests: [found], unreadable: 0 });
      expect([late.read("zzzzzzzz"), late.read("../keys/root")]).toEqual([null, null]);
    });

    it("are kept once each, and removed once", async () => {
      const one = lateRequest();
      const both = await Promise.all([
        late.file(one, true),
        harness.open(day).file({ ...one, how: "withdrawn" }, true),
      ]);
      expect(both.sort()).toEqual([false, true]);
      const { id } = one.request;
      expect([late.remove(id), harness.open(day).remove(id), late.remove("..")]).toEqual([
        true,
        false,
        false,
      ]);
      expect([late.read(id), late.alike(one.bound), late.list().requests]).toEqual([null, none, []]);
      expect(await late.file(one, true)).toBe(true);
    });

    it("are listed with the newest first, until they are as old as they may be", async () => {
      const [first, second] = [lateRequest(), lateRequest()];
      await late.file(first, true);
      harness.clock.advance(1_000);
      await late.file(second, true);
      const ids = () => late.list().requests.map(({ request }) => request.id);
      harness.clock.advance(day * 1_000 - 1_000);
      expect(ids()).toEqual([second.request.id, first.request.id]);
      harness.clock.jumpWallClock(-3_600_000);
      harness.clock.advance(1);
      expect([ids(), late.read(first.request.id)]).toEqual([[second.request.id], null]);
      expect([late.sweep(), late.sweep()]).toEqual([[first.request.id], []]);
      expect(late.read(second.request.id)).not.toBeNull();
    });

    it("are found by an ask that has everything in common, which learns for ten minutes that a person was told", async () => {
      const [old, recent] = [lateRequest(), lateRequest()];
      await late.file(old, true);
      harness.clock.advance(1_000);
      await late.file(recent, true);
      for (const key of Object.keys(boundTo()) as (keyof Bound)[]) {
        expect(late.alike(boundTo({ [key]: "something else" })), key).toEqual(none);
      }
      const ids = [recent.request.id, old.request.id];
      expect(late.alike(boundTo())).toEqual({ ids, toldMsAgo: 0 });
      harness.clock.advance(tenMinutesMs);
      expect(late.alike(boundTo())).toEqual({ ids, toldMsAgo: tenMinutesMs });
      harness.clock.advance(1);
      expect(late.alike(boundTo())).toEqual({ ids, toldMsAgo: null });
      expect(late.list().requests).toHaveLength(2);
    });

    it("are found where nobody was told of them, too, and say so", async () => {
      const one = lateRequest({ toldMsAgo: null });
      await late.file(one, true);
      const { id } = one.request;
      expect(late.alike(boundTo())).toEqual({ ids: [id], toldMsAgo: null });
      const other = lateRequest({ toldMsAgo: 7_000 });
      await late.file(other, true);
      expect(new Set(late.alike(boundTo()).ids)).toEqual(new Set([id, other.request.id]));
      expect(late.alike(boundTo()).toldMsAgo).toBe(7_000);
    });

    it("count from the banner on and not from the end of the call", async () => {
      await late.file(lateRequest({ toldMsAgo: tenMinutesMs - 1_000 }), true);
      harness.clock.advance(1_000);
      expect(late.alike(boundTo()).toldMsAgo).toBe(tenMinutesMs);
      harness.clock.advance(1);
      expect(late.alike(boundTo()).toldMsAgo).toBeNull();
      await late.file(lateRequest({ toldMsAgo: 8 * tenMinutesMs }), true);
      expect(late.alike(boundTo()).toldMsAgo).toBeNull();
    });

    it("cannot be answered where they must not be, and are still known for ten minutes", async () => {
      const one = lateRequest();
      await late.file(one, false);
      expect([late.list(), late.read(one.request.id)]).toEqual([{ requests: [], unreadable: 0 }, null]);
      expect(harness.open(day).alike(boundTo())).toEqual({ ids: [one.request.id], toldMsAgo: 0 });
      harness.clock.advance(tenMinutesMs);
      expect(late.sweep()).toEqual([]);
      harness.clock.advance(1);
      expect(late.sweep()).toEqual([one.request.id]);
    });

    it("cannot be answered where that is switched off, and are still known for ten minutes", async () => {
      const off = harness.open(0);
      const one = lateRequest();
      await off.file(one, true);
      expect([off.list().requests, off.read(one.request.id), late.read(one.request.id)]).toEqual([
        [],
        null,
        null,
      ]);
      expect(off.alike(boundTo())).toEqual({ ids: [one.request.id], toldMsAgo: 0 });
      harness.clock.advance(tenMinutesMs);
      expect(off.sweep()).toEqual([]);
      harness.clock.advance(1);
      expect(off.sweep()).toEqual([one.request.id]);
      expect(off.alike(boundTo())).toEqual(none);
    });
  });
}
