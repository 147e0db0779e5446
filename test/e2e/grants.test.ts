/** What a yes leaves behind, used by processes that race, are killed, or meet a disk that fails. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { effectsOf, keepAt, type Scene, scene, useAllAt } from "../support/granting.js";
import { yesTo } from "../support/grants.js";
import { atEachStep, type FaultAt, startWorker, type Worker } from "../support/workers.js";

/** What a worker says of what it was told to do. */
interface Ended {
  readonly done: readonly boolean[];
  readonly fault: {
    readonly code: string;
    readonly what: string;
    readonly why: string;
    readonly isSpent: boolean | null;
  } | null;
  readonly request: string;
}

type Verb = "keep" | "use" | "giveBack" | "file" | "isLate" | "consume";

interface Run {
  /** Null when the process died first. */
  readonly ended: Ended | null;
  readonly steps: readonly string[];
}

/** One process from its start to its end. */
async function run(at: Scene, faultAt: FaultAt | null, ...todo: readonly Verb[]): Promise<Run> {
  const worker = start(at, faultAt);
  await worker.told("ready");
  worker.child.send({ yes: at.yes, todo });
  const ended = await worker.told<Ended>("ended");
  await worker.ended;
  return { ended, steps: worker.steps() };
}

function start({ home, effects }: Scene, faultAt: FaultAt | null): Worker {
  return startWorker("granter", home, { WISP_TEST_EFFECTS: effects }, faultAt);
}

/** The steps of what is done to a home, in which a yes is kept already where there is something to use. */
async function stepsOf(fault: string, verb: Verb): Promise<readonly string[]> {
  const at = scene();
  if (verb !== "keep") await keepAt(at);
  const { ended, steps } = await run(at, { step: 0, fault }, verb);
  expect(ended).toMatchObject({ fault: null, done: [true] });
  return steps;
}

/** The step that gives an approval its name among what was spent. */
const isSpending = (step: string): boolean => /^linkSync \*\.json(?: |$)/.test(step);

/** A home that saw the worst still takes and uses another yes. */
async function expectGoodTrip(at: Scene): Promise<void> {
  const before = effectsOf(at);
  const next = { ...at, yes: yesTo() };
  await keepAt(next);
  await useAllAt(next);
  expect(effectsOf(at)).toBe(before + 1);
}

describe("SIGKILL before each step", () => {
  test("of keeping leaves an approval that is used once, or none", async () => {
    const steps = await stepsOf("SIGKILL", "keep");
    expect(steps.length).toBeGreaterThan(20);
    const outcomes = new Set<number>();
    await atEachStep(steps, async (step, where) => {
      const at = scene();
      expect((await run(at, { step, fault: "SIGKILL" }, "keep")).ended, where).toBeNull();
      await useAllAt(at);
      outcomes.add(effectsOf(at));
      if (step % 6 === 0) await expectGoodTrip(at);
    });
    expect([...outcomes].sort()).toEqual([0, 1]);
  }, 300_000);

  test("of using runs once or not at all; what was not spent yet is used by the next process", async () => {
    const steps = await stepsOf("SIGKILL", "use");
    const spending = steps.findIndex(isSpending) + 1;
    expect(spending).toBeGreaterThan(0);
    await atEachStep(steps, async (step, where) => {
      const at = scene();
      await keepAt(at);
      expect((await run(at, { step, fault: "SIGKILL" }, "use")).ended, where).toBeNull();
      const ran = effectsOf(at);
      await useAllAt(at);
      expect(effectsOf(at) - ran, where).toBe(step <= spending ? 1 : 0);
      expect(effectsOf(at)).toBeLessThanOrEqual(1);
      if (step % 6 === 0) await expectGoodTrip(at);
    });
  }, 300_000);

  test("of giving back leaves at most one that is used", async () => {
    const steps = await stepsOf("SIGKILL", "giveBack");
    const outcomes = new Set<number>();
    await atEachStep(steps, async (step) => {
      const at = scene();
      await keepAt(at);
      await run(at, { step, fault: "SIGKILL" }, "giveBack");
      await useAllAt(at);
      outcomes.add(effectsOf(at));
    });
    expect([...outcomes].sort()).toEqual([0, 1]);
  }, 300_000);
});

test("what says that an approval is spent is on disk before anything follows, and only clearing does", async () => {
  const steps = await stepsOf("SIGKILL", "use");
  const spending = steps.findIndex(isSpending);
  const names = steps.slice(spending, spending + 5).map((step) => step.split(" ")[0]);
  expect(names).toEqual(["linkSync", "openSync", "fsync", "closeSync", "unlinkSync"]);
});

test.each(["ENOSPC", "EIO", "EMFILE", "EROFS"])(
  "%s at each step of using: nothing runs that is not spent, and the error says whether it is",
  async (fault) => {
    const steps = await stepsOf(fault, "use");
    const spending = steps.findIndex(isSpending) + 1;
    const told = new Set<string>();
    await atEachStep(steps, async (step, where) => {
      const at = scene();
      await keepAt(at);
      const { ended } = await run(at, { step, fault }, "use");
      const ran = effectsOf(at);
      expect(ran, `${fault} at ${where}`).toBe(ended?.fault === null ? 1 : 0);
      if (ended?.fault?.isSpent !== null && ended?.fault !== null) {
        told.add(`${ended?.fault?.isSpent}`);
        expect(ended?.fault.what).toBe("It cannot be marked as spent, so nothing runs.");
      }
      await useAllAt(at);
      expect(effectsOf(at)).toBeLessThanOrEqual(1);
      if (step <= spending) expect(effectsOf(at)).toBe(1);
      if (ended?.fault?.isSpent === false) expect(effectsOf(at)).toBe(1);
      if (step % 6 === 0) await expectGoodTrip(at);
    });
    expect([...told].sort()).toEqual(["false", "true"]);
  },
  300_000,
);

test.each(["ENOSPC", "EIO"])(
  "%s at each step of keeping is told, and what is told as kept is used once",
  async (fault) => {
    const steps = await stepsOf(fault, "keep");
    await atEachStep(steps, async (step) => {
      const at = scene();
      const { ended } = await run(at, { step, fault }, "keep");
      await useAllAt(at);
      if (ended?.fault === null) expect(effectsOf(at)).toBe(ended.done[0] ? 1 : 0);
      expect(effectsOf(at)).toBeLessThanOrEqual(1);
    });
  },
  300_000,
);

test("of processes that claim one approval at one instant exactly one runs", async () => {
  const at = scene();
  const rounds = 40;
  const workers = Array.from({ length: 4 }, () => start(at, null));
  await Promise.all(workers.map((worker) => worker.told("ready")));
  for (let round = 0; round < rounds; round += 1) {
    const yes = yesTo();
    await keepAt({ ...at, yes });
    const all = workers.map((worker) => endedOf(worker, yes.request.id));
    const start = Date.now() + 20;
    for (const { child } of workers) child.send({ yes, todo: ["use"], at: start, isLast: false });
    const won = (await Promise.all(all)).filter(({ done }) => done[0]);
    expect(won).toHaveLength(1);
  }
  expect(effectsOf(at)).toBe(rounds);
}, 300_000);

function endedOf({ child }: Worker, request: string): Promise<Ended> {
  return new Promise((resolve) => {
    const hear = (message: unknown): void => {
      const { ended } = message as { ended?: Ended };
      if (ended?.request !== request) return;
      child.off("message", hear);
      resolve(ended);
    };
    child.on("message", hear);
  });
}

test("what was filed late and what was used up are known to the next process", async () => {
  const at = scene();
  expect((await run(at, null, "file", "isLate", "consume", "consume")).ended?.done).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect((await run(at, null, "isLate", "consume", "file")).ended?.done).toEqual([true, false, false]);
  expect(readdirSync(join(at.home, "keys", "consumed"))).toEqual([at.yes.request.nonce]);
});
