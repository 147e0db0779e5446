import { describe, expect, it } from "vitest";
import { notice } from "../../../src/server/demo/notice.js";
import { FakeClock } from "../../support/fake-clock.js";

/** Waits for `there` to become a text; `change` tells the listeners of the channel. */
function setUp(there: string | null = null) {
  const clock = new FakeClock();
  const listeners = new Set<() => void>();
  const controller = new AbortController();
  const seen = { there, fault: null as Error | null };
  const waiting = notice({
    clock,
    signal: controller.signal,
    channel: {
      changes(listener) {
        const listen = (): void => listener(null);
        listeners.add(listen);
        return () => void listeners.delete(listen);
      },
    },
    look() {
      if (seen.fault !== null) throw seen.fault;
      return seen.there;
    },
  });
  const change = (): void => {
    for (const listener of listeners) listener();
  };
  return { clock, controller, seen, waiting, change, listeners };
}

describe("waiting for something in the channel", () => {
  it("ends at once with what is there already, and listens no more", async () => {
    const { waiting, listeners } = setUp("a");
    expect(await waiting.found).toBe("a");
    expect(listeners.size).toBe(0);
  });

  it("ends with what comes by a change, or by somebody's word", async () => {
    const changed = setUp();
    changed.change();
    changed.seen.there = "b";
    changed.change();
    expect(await changed.waiting.found).toBe("b");
    const told = setUp();
    told.seen.there = "c";
    told.waiting.look();
    expect(await told.waiting.found).toBe("c");
  });

  it("takes what comes before its end is reached, and nothing after it", async () => {
    const before = setUp();
    before.waiting.endIn(1_000);
    before.clock.advance(999);
    before.seen.there = "d";
    before.change();
    before.clock.advance(1);
    expect(await before.waiting.found).toBe("d");
    expect(before.clock.timers).toBe(0);
    const after = setUp();
    after.waiting.endIn(1_000);
    after.clock.advance(1_000);
    after.seen.there = "e";
    after.change();
    expect(await after.waiting.found).toBeNull();
  });

  it("ends with nothing when it is interrupted, and fails with what looking throws", async () => {
    const interrupted = setUp();
    interrupted.controller.abort();
    expect(await interrupted.waiting.found).toBeNull();
    expect(interrupted.listeners.size).toBe(0);
    const failing = setUp();
    failing.seen.fault = new Error("the channel is gone");
    failing.change();
    await expect(failing.waiting.found).rejects.toThrow("the channel is gone");
    const told = setUp();
    told.waiting.fail(new Error("the call broke off"));
    await expect(told.waiting.found).rejects.toThrow("the call broke off");
  });
});
