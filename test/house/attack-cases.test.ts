/** Each given case of an attack has a test that runs it: its title begins with the case. */
import { beforeAll, describe, expect, it } from "vitest";
import { attackCases } from "../support/attack-cases.js";
import { type Titles, titlesOf } from "../support/titles.js";

/** Where they are run: what a listing or a slot shows, what time and a gate do, what whole programs do, and what they draw. */
const files = [
  "test/broker/channel/listing.test.ts",
  "test/broker/attack-cases.test.ts",
  "test/broker/policy/book.test.ts",
  "test/server/gate/calls/create-gate-policy.test.ts",
  "test/server/gate/calls/by-preset.test.ts",
  "test/e2e/attack-cases.test.ts",
];

/** What a request shows is shown twice: as each face makes it, and by the built programs at a terminal. */
const shownIn = ["test/face/attack-cases.test.ts", "test/e2e/attack-cases-shown.test.ts"];

describe("the given cases of attacks", () => {
  let titles: Titles;
  beforeAll(async () => {
    titles = await titlesOf([...files, ...shownIn]);
  }, 300_000);
  const isIn = (names: readonly string[], called: string): boolean =>
    names.some((name) => name.split(" > ").at(-1)?.startsWith(`${called} `));
  const isRun = (called: string): boolean => isIn(titles.all, called);

  it("are those of the whole plan so far, and no case is given twice", () => {
    expect(attackCases.length).toBeGreaterThanOrEqual(27);
    expect(new Set(attackCases.map(({ id }) => id)).size).toBe(attackCases.length);
  });

  it.each(attackCases)("$id $class has a test", ({ id, class: kind }) => {
    expect(isRun(`${id} ${kind}`)).toBe(true);
  });

  it.each(attackCases.filter((one) => one.class.startsWith("display/")))(
    "$id $class has a test of the faces and one of the programs",
    ({ id, class: kind }) => {
      expect(shownIn.map((file) => isIn(titles.of(file), `${id} ${kind}`))).toEqual([true, true]);
    },
  );

  it("would be missed: a case without a test is told from one with a test", () => {
    expect(["case-001 policy/separator", "case-043 fs/symlink-request", "case-04"].filter(isRun)).toEqual([]);
  });
});
