import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LockHolders, withLock } from "../../../src/broker/files/lock.js";
import type { Liveness } from "../../../src/broker/request/process.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

const other = { pid: 4711, startedAt: "then", boot: "boot", namespace: "1" };

/** This process, in a system in which `other` is as `state` says. */
function holders(state: Liveness = "gone", clock: LockHolders["clock"] = systemClock): LockHolders {
  return {
    own: { pid: 1234, startedAt: "now", boot: "boot", namespace: "1" },
    liveness: ({ pid }) => (pid === other.pid ? state : "alive"),
    clock,
  };
}

function leftBy(directory: string, name: string, token: string, overrides: object = {}): void {
  const text = JSON.stringify({ v: 1, token, ...other, ...overrides });
  writeFileSync(join(directory, name), text, { mode: 0o600 });
}

describe("a lock", () => {
  it("is held by one at a time, is let go after a failure as well, and leaves nothing", async () => {
    const directory = tempDirectory();
    let inside = 0;
    let most = 0;
    const one = (isFailing: boolean) =>
      withLock(directory, "lock", holders(), async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        if (isFailing) throw new Error("broken");
        return "done";
      });
    const ended = await Promise.allSettled([one(false), one(true), one(false)]);
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect([most, readdirSync(directory)]).toEqual([1, []]);
  });

  it("names its holder while it is held", async () => {
    const directory = tempDirectory();
    const text = await withLock(directory, "lock", holders(), async () =>
      readFileSync(join(directory, "lock"), "utf8"),
    );
    expect(JSON.parse(text)).toMatchObject({ v: 1, ...holders().own });
  });

  it("whose holder is gone is taken, also when those are gone who were taking it", async () => {
    const directory = tempDirectory();
    leftBy(directory, "lock", "a".repeat(16));
    leftBy(directory, `.${"a".repeat(16)}.lock`, "b".repeat(16));
    expect(await withLock(directory, "lock", holders(), async () => "mine")).toBe("mine");
    expect(readdirSync(directory)).toEqual([]);
  });

  it("that was held when the machine went down is taken", async () => {
    const directory = tempDirectory();
    leftBy(directory, "lock", "a".repeat(16), { boot: "before" });
    expect(await withLock(directory, "lock", holders("unknown"), async () => "mine")).toBe("mine");
  });

  it.each(["alive", "unknown"] as const)(
    "whose holder is %s is waited for, and in the end told of, never taken; it is free when that lets it go",
    async (state) => {
      const directory = tempDirectory();
      const clock = new FakeClock();
      leftBy(directory, "lock", "a".repeat(16));
      let hasRun = false;
      const waiting = withLock(directory, "lock", holders(state, clock), async () => {
        hasRun = true;
      });
      const ended = expect(waiting).rejects.toMatchObject({
        code: "channel_unavailable",
        message: `${join(directory, "lock")} is held by process 4711 and is not let go.`,
      });
      await expect.poll(() => clock.timers).toBe(1);
      for (let passed = 0; passed < 1_100; passed += 1) {
        clock.advance(10);
        await Promise.resolve();
        await Promise.resolve();
      }
      await ended;
      expect([hasRun, existsSync(join(directory, "lock"))]).toEqual([false, true]);
      expect(await withLock(tempDirectory(), "lock", holders(), async () => "free")).toBe("free");
    },
  );

  it("that is no lock file is not removed by anybody", async () => {
    const directory = tempDirectory();
    const clock = new FakeClock();
    writeFileSync(join(directory, "lock"), "garbage", { mode: 0o600 });
    const waiting = withLock(directory, "lock", holders("gone", clock), async () => {});
    const ended = expect(waiting).rejects.toMatchObject({ code: "channel_unavailable" });
    await expect.poll(() => clock.timers).toBe(1);
    clock.advance(10_010);
    await ended;
    expect(readFileSync(join(directory, "lock"), "utf8")).toBe("garbage");
  });
});
