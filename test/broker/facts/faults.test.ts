import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FactStore } from "../../../src/broker/facts/fact-store.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { droppedFact, keptFact } from "../../support/facts.js";
import { FactsHome } from "../../support/facts-home.js";
import { failingAt } from "../../support/fs-faults.js";
import { tempDirectory } from "../../support/temp-home.js";

/** Of these one can strike one read and the other all of them; the others are the same to all that writes. */
const errnos = ["EIO", "EMFILE"];
const writing = ["ENOSPC", "EROFS"];

/** What a home held before: one of each, so that every directory has something that must not be lost. */
const [before, beside, gone] = [keptFact({ scope: "global" }), droppedFact(), droppedFact()];

/** A new home, in which nothing was kept yet, or that was used. */
type Start = () => FactsHome;

const fresh: Start = () => new FactsHome(join(tempDirectory(), "home"));

async function usedHomes(): Promise<Start> {
  const home = fresh();
  const store = home.open();
  await store.keep(before);
  await store.drop(beside);
  await store.drop(gone);
  await store.forget(gone.id);
  return () => {
    const copy = fresh();
    cpSync(home.path, copy.path, { recursive: true });
    return copy;
  };
}

type Try = (store: FactStore) => Promise<boolean>;

/** Tries it once for each step that it takes, each time in a new home where that step fails. */
async function eachStep(
  start: Start,
  errno: string,
  run: Try,
  check: (home: FactsHome, ended: boolean | null, step: string) => Promise<void>,
): Promise<void> {
  const counted = start();
  const { steps } = await failingAt(counted.path, 0, errno, () => run(counted.open()));
  expect(steps.length).toBeGreaterThan(10);
  for (let step = 1; step <= steps.length; step += 1) {
    const home = start();
    const { result } = await failingAt(home.path, step, errno, () =>
      run(home.open()).catch((error: unknown) => {
        expect(error, steps[step - 1]).toBeInstanceOf(WispError);
        expect((error as WispError).code).toBe("channel_unavailable");
        return null;
      }),
    );
    await check(home, result, steps[step - 1] ?? "");
  }
}

const decidedIn = (home: FactsHome): readonly string[] => {
  const { kept, dropped, unreadable } = home.open().list();
  expect(unreadable).toBe(0);
  return [...kept, ...dropped].map(({ id }) => id).sort();
};

/** The same on a disk that works. */
async function again(home: FactsHome, run: Try): Promise<boolean> {
  const { result } = await failingAt(home.path, 0, "", () => run(home.open()));
  return result;
}

const [fact, dropped] = [keptFact(), droppedFact()];

async function expectAllOrNothing(
  errno: string,
  start: Start,
  others: readonly string[],
  id: string,
  run: Try,
) {
  const ends = new Set<boolean | null>();
  await eachStep(start, errno, run, async (home, ended, step) => {
    ends.add(ended);
    // Only what is cleared away afterwards may fail unsaid.
    if (ended === true) expect(step).toMatch(/^unlinkSync .*\.tmp\./);
    expect(decidedIn(home), step).toEqual([...others, ...(ended === null ? [] : [id])].sort());
    expect(await again(home, run), step).toBe(ended === null);
    expect(decidedIn(home), step).toEqual([...others, id].sort());
  });
  expect(ends).toEqual(new Set([null, true]));
}

describe.each([...errnos, ...writing])("%s at each step", (errno) => {
  it("of keeping the first fact: it is on disk, or that is said and nothing is kept; the next try keeps it", async () => {
    await expectAllOrNothing(errno, fresh, [], fact.id, (store) => store.keep(fact));
  });
});

describe.each(errnos)("%s at each step", (errno) => {
  it("of keeping or dropping another: the same, and what was there stays", async () => {
    const start = await usedHomes();
    const others = [before.id, beside.id];
    await expectAllOrNothing(errno, start, others, fact.id, (store) => store.keep(fact));
    await expectAllOrNothing(errno, start, others, dropped.id, (store) => store.drop(dropped));
  });

  it("of forgetting: it is forgotten, or still kept, and the next try forgets it", async () => {
    const run: Try = (store) => store.forget(before.id);
    const ends = new Set<string>();
    await eachStep(await usedHomes(), errno, run, async (home, ended, step) => {
      const left = decidedIn(home);
      if (ended === true) expect(left, step).toEqual([beside.id]);
      else expect([[beside.id], [before.id, beside.id].sort()], step).toContainEqual(left);
      expect(await home.open().keep(before), step).toBe(false);
      ends.add(`${ended} ${left.length}`);
      // Where its name could not be removed, there still is something to do.
      const isLeft = existsSync(home.file("global", before.id));
      expect(await again(home, run), step).toBe(isLeft);
      expect([decidedIn(home), readdirSync(home.place("global"))], step).toEqual([[beside.id], []]);
    });
    expect(ends).toEqual(new Set(["null 2", "true 1"]));
  });
});
