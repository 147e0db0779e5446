import { existsSync, linkSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  clearLeftLock,
  isNobodysLock,
  type Lock,
  type LockParts,
  openLock,
} from "../../../src/broker/audit/lock.js";
import { createTurns } from "../../../src/broker/audit/turns.js";
import type { Liveness, ProcessIdentity, SoughtProcess } from "../../../src/broker/request/process.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

const here = { startedAt: "1", boot: "b", namespace: "n" };

/** Processes that take one lock, and of which some are dead. */
class Crowd {
  readonly directory = tempDirectory();
  readonly dead = new Set<number>();
  aheadMs = 0;

  join(pid: number, more: Partial<ProcessIdentity> = {}): Promise<Lock> {
    return openLock(this.parts(pid, more));
  }

  parts(pid: number, more: Partial<ProcessIdentity> = {}): LockParts {
    return {
      directory: this.directory,
      clock: { ...systemClock, now: () => Date.now() + this.aheadMs },
      own: { pid, ...here, ...more },
      liveness: ({ pid: sought }: SoughtProcess): Liveness => (this.dead.has(sought) ? "gone" : "alive"),
    };
  }

  get lock(): string {
    return join(this.directory, "lock");
  }

  names(): readonly string[] {
    return readdirSync(this.directory).sort();
  }
}

const taken = { kind: "taken" };

const pidIn = (path: string): number => (JSON.parse(readFileSync(path, "utf8")) as ProcessIdentity).pid;

test("a lock is taken by one process, and by the next when it is given back", async () => {
  const crowd = new Crowd();
  const [one, other] = [await crowd.join(1), await crowd.join(2)];
  expect(one.take(false)).toEqual(taken);
  expect(other.take(true)).toMatchObject({ kind: "held", by: { pid: 1 } });
  one.release();
  expect(other.take(false)).toEqual(taken);
  other.release();
  expect(existsSync(crowd.lock)).toBe(false);
});

test("the lock of a dead process is taken over by whoever is patient", async () => {
  const crowd = new Crowd();
  const [one, other] = [await crowd.join(1), await crowd.join(2)];
  one.take(false);
  crowd.dead.add(1);
  expect(other.take(false)).toMatchObject({ kind: "held" });
  expect(other.take(true)).toEqual(taken);
  other.release();
});

test("of another boot every process is dead, and of another namespace none", async () => {
  const crowd = new Crowd();
  const other = await crowd.join(2);
  const earlier = await crowd.join(1, { boot: "before" });
  earlier.take(false);
  expect(other.take(true)).toEqual(taken);
  other.release();
  const elsewhere = await crowd.join(3, { namespace: "container" });
  crowd.dead.add(3);
  elsewhere.take(false);
  expect(other.take(true)).toMatchObject({ kind: "held", by: { pid: 3, namespace: "container" } });
  elsewhere.release();
  expect(other.take(true)).toEqual(taken);
});

test("where whoever removes a dead one's lock dies as well, the right goes on, and with it each lock", async () => {
  const crowd = new Crowd();
  const locks = await Promise.all([1, 2, 3, 4, 5].map((pid) => crowd.join(pid)));
  const [one, , , four, five] = locks;
  one?.take(false);
  const owners = crowd.names().filter((name) => name.startsWith(".owner."));
  const owner = (pid: number) => owners.find((name) => pidIn(join(crowd.directory, name)) === pid) ?? "";
  const token = (pid: number) => owner(pid).slice(".owner.".length);
  // The second was about to remove the lock of the first, the third that of the second.
  linkSync(join(crowd.directory, owner(2)), join(crowd.directory, `lock.dead.${token(1)}`));
  linkSync(join(crowd.directory, owner(3)), join(crowd.directory, `lock.dead.${token(2)}`));
  crowd.dead.add(1).add(2);
  expect(four?.take(true)).toMatchObject({ kind: "held", by: { pid: 1 } });
  crowd.dead.add(3);
  expect(four?.take(true)).toEqual(taken);
  crowd.dead.add(4);
  expect(five?.take(true)).toEqual(taken);
  five?.release();
});

test("the right to remove a lock that is another's by now removes nothing", async () => {
  const crowd = new Crowd();
  const [one, two, three] = [await crowd.join(1), await crowd.join(2), await crowd.join(3)];
  one.take(false);
  crowd.dead.add(1);
  expect(two.take(true)).toEqual(taken);
  expect(three.take(true)).toMatchObject({ kind: "held", by: { pid: 2 } });
  two.release();
  expect(three.take(true)).toEqual(taken);
});

test("what dead processes left is cleared after a minute, and what living ones have is not", async () => {
  const crowd = new Crowd();
  const [one, two, three] = [await crowd.join(1), await crowd.join(2), await crowd.join(3)];
  one.take(false);
  crowd.dead.add(1);
  two.take(true);
  expect(crowd.names().some((name) => name.startsWith("lock.dead."))).toBe(true);
  two.clear();
  expect(crowd.names()).toHaveLength(5);
  two.release();
  crowd.dead.add(2);
  crowd.aheadMs = 61_000;
  three.take(true);
  three.clear();
  three.release();
  expect(crowd.names()).toHaveLength(1);
  expect(three.take(false)).toEqual(taken);
});

test("a process whose name was removed says so, and one that leaves takes its name along", async () => {
  const crowd = new Crowd();
  const one = await crowd.join(1);
  for (const name of crowd.names()) rmSync(join(crowd.directory, name));
  expect(one.take(false)).toEqual({ kind: "unknown" });
  const again = await crowd.join(1);
  expect(again.take(false)).toEqual(taken);
  again.release();
  again.close();
  expect(crowd.names()).toEqual([]);
});

test.each([
  ["is no file of ours", (path: string) => writeFileSync(path, "{}", { mode: 0o600 })],
  ["is a link", (path: string) => symlinkSync("/dev/null", path)],
])("a lock that %s is taken by nobody, and the error says what to do", async (_, put) => {
  const crowd = new Crowd();
  put(crowd.lock);
  const clock = new FakeClock();
  const turns = createTurns(crowd.directory, () => crowd.join(1), clock);
  const written = turns.later(() => "written").catch((error: unknown) => error);
  await expect.poll(() => clock.timers).toBe(1);
  clock.advance(5_000);
  expect(await written).toMatchObject({ code: "audit_unavailable", fix: expect.stringContaining("rm -f") });
  rmSync(crowd.lock);
  expect(await turns.later(() => "written")).toBe("written");
});

test("a process that does not give the lock back is named after five seconds", async () => {
  const crowd = new Crowd();
  const holder = await crowd.join(4711);
  holder.take(false);
  const clock = new FakeClock();
  const turns = createTurns(crowd.directory, () => crowd.join(1), clock);
  const written = turns.later(() => "written").catch((error: unknown) => error);
  await expect.poll(() => clock.timers).toBe(1);
  clock.advance(4_900);
  await expect.poll(() => clock.timers).toBe(1);
  clock.advance(100);
  expect(await written).toMatchObject({
    code: "audit_unavailable",
    message: expect.stringContaining("Process 4711 holds"),
  });
  holder.release();
  expect(await turns.later(() => "written")).toBe("written");
});

test("what dead processes left at the lock is cleared away for whoever asks, and what one that lives holds is not", async () => {
  const crowd = new Crowd();
  const clears = (): Promise<readonly string[]> => clearLeftLock(crowd.parts(9));
  expect([await clears(), crowd.names()]).toEqual([[], []]);
  const dead = await crowd.join(1);
  const left = crowd.names();
  expect(left).toEqual([expect.stringMatching(/^\.owner\./)]);
  const alive = await crowd.join(2);
  alive.take(false);
  expect(await clears()).toEqual([]);
  alive.release();
  dead.take(false);
  const lock = crowd.names().find((name) => !name.startsWith(".owner."));
  crowd.dead.add(1);
  expect(await clears()).toEqual([lock]);
  crowd.aheadMs = 61_000;
  expect(await clears()).toEqual(left);
  expect(alive.take(false)).toEqual(taken);
  alive.release();
});

test("a lock that no process of ours can have made is told, and not removed", async () => {
  const crowd = new Crowd();
  expect(isNobodysLock(crowd.directory)).toBe(false);
  const one = await crowd.join(1);
  one.take(false);
  expect(isNobodysLock(crowd.directory)).toBe(false);
  one.release();
  writeFileSync(crowd.lock, "junk", { mode: 0o600 });
  expect(isNobodysLock(crowd.directory)).toBe(true);
  expect(await clearLeftLock(crowd.parts(9))).toEqual([]);
  rmSync(crowd.lock);
  expect(one.take(false)).toEqual(taken);
  one.release();
});
