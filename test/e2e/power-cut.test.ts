/**
 * What a yes leaves behind, when a process dies or the power goes at any moment, and any names that were not yet put on
 * disk are lost, or come back. The audit log says here what it said before anything ran: the names alone must do.
 */
import { expect, test } from "vitest";
import type { Yes } from "../../src/broker/grants/grant-store.js";
import { yesTo } from "../support/grants.js";

// What is watched must be loaded after who watches it.
const { mark } = await import("../support/fs-recorder.js");
const { cutAfter, cutAnywhere, liveIn, nothing, stepsOf } = await import("../support/cut-lives.js");
const { Disk } = await import("../support/power-cut.js");
const { openConsumedStates } = await import("../../src/broker/grants/consumed.js");
const { momentsOf } = await import("../../src/broker/grants/life.js");
const { openGrantStore } = await import("../../src/broker/grants/unspent.js");
const { rootSecretOf } = await import("../../src/broker/identity/root-secret.js");
const { answerHash } = await import("../../src/broker/request/binding.js");
const { systemClock } = await import("../../src/broker/system/clock.js");

type Found = import("../support/cut-lives.js").Found;
type Life = import("../support/cut-lives.js").Life;
type Step = import("../support/fs-recorder.js").Step;

const yes: Yes = yesTo();
const other: Yes = yesTo({ bound: { ...yes.bound, server: "other" } });
const log = { approvals: [yes, other].map(({ answer }) => answerHash(answer)), hasEffect: false };

function sharedAt(path: string) {
  const place = { path, ensureHome: () => path, clock: systemClock };
  return { ...place, keys: rootSecretOf(place), moment: momentsOf(systemClock, "boot-1") };
}

/** As a process sees them that has just started. */
function open(path: string) {
  return openGrantStore({
    ...sharedAt(path),
    ttlSeconds: 300,
    recorded: () => log,
    isServerGone: () => false,
  });
}

const keep: Life = async (path) => {
  if ((await open(path).keep(yes)) !== null) mark("kept");
};

/** Finds and uses whatever it can, however a copy of it is called. */
const useAll: Life = async (path) => {
  const grants = open(path);
  const ids = [grants.find(yes.bound), ...grants.list().unspent.map(({ approval }) => approval)];
  for (const id of ids.map((approval) => approval?.id)) {
    if (id === undefined) continue;
    // A disk that cannot spend lets nothing run.
    const isClaimed = await grants.claim(id).catch(() => false);
    if (isClaimed) mark("ran");
  }
};

const keepOther: Life = async (path) => void (await open(path).keep(other));

const keepRule: Life = async (path) => {
  const { bound, request } = yes;
  const rule = { rule: "Bash(ls)", client: bound.client, directory: null, request: request.id };
  open(path).keepRule({ ...rule, server: request.server }, 60_000, 60_000);
};

/** Uses the one alone. */
const useYes: Life = async (path) => {
  if (
    await open(path)
      .claim(yes.request.id)
      .catch(() => false)
  )
    mark("ran");
};

const giveBack: Life = async (path) => {
  const grants = open(path);
  const id = grants.find(yes.bound)?.id;
  if (id !== undefined && (await grants.claim(id)) && (await grants.release(id)) !== null) mark("kept");
};

const revoke: Life = async (path) => {
  if (await open(path).revoke(yes.request.id)) mark("revoked");
};

/** What a process that is not interrupted runs, from each of what was found; with what was promised before. */
async function runsFrom(founds: readonly Found[]) {
  const all: { readonly marks: readonly string[]; readonly before: number; readonly after: number }[] = [];
  for (const found of founds) {
    const steps = await stepsOf(found, useAll);
    all.push({ marks: found.marks, before: count(found.marks), after: steps.filter(isRun).length });
  }
  return all;
}

const isRun = (step: Step): boolean => step.kind === "mark" && step.name === "ran";
const count = (marks: readonly string[]): number => marks.filter((name) => name === "ran").length;

test("an approval that was kept is there after every cut, and one that was not is whole or not there", async () => {
  const runs = await runsFrom(await cutAnywhere(nothing, keep));
  expect(runs.length).toBeGreaterThan(10);
  for (const { marks, after } of runs) {
    if (marks.includes("kept")) expect(after).toBe(1);
    else expect(after).toBeLessThanOrEqual(1);
  }
  expect(new Set(runs.map(({ after }) => after))).toEqual(new Set([0, 1]));
});

test("no approval runs twice, when the power goes while it is kept, used, and used again", async () => {
  const kept = await cutAnywhere(nothing, keep);
  const used = await cutAfter(kept, useAll);
  const again = await cutAfter(used, useAll);
  const runs = await runsFrom(again);
  expect(runs.length).toBeGreaterThan(50);
  for (const { before, after } of runs) expect(before + after).toBeLessThanOrEqual(1);
  expect(runs.some(({ before, after }) => before === 1 && after === 0)).toBe(true);
  expect(runs.some(({ before, after }) => before === 0 && after === 1)).toBe(true);
}, 300_000);

test("no approval that was given back runs twice, and none that was is lost", async () => {
  const back = await cutAnywhere(await liveIn(nothing, keep), giveBack);
  const found = await runsFrom(back);
  for (const { after } of found) expect(after).toBeLessThanOrEqual(1);
  for (const { marks, after } of found) if (marks.includes("kept")) expect(after).toBe(1);
  expect(found.some(({ marks }) => marks.includes("kept"))).toBe(true);
  const runs = await runsFrom(await cutAfter(back, useAll));
  expect(runs.length).toBeGreaterThan(20);
  for (const { before, after } of runs) expect(before + after).toBeLessThanOrEqual(1);
}, 300_000);

test("a yes that is kept a second time, by whoever did not see the first, runs no second time", async () => {
  const kept = (await cutAnywhere(nothing, keep)).filter(({ marks }) => marks.includes("kept"));
  const used = await cutAfter(kept, useAll);
  const runs = await runsFrom(await cutAfter(used, keep));
  for (const { before, after } of runs) expect(before + after).toBeLessThanOrEqual(1);
  expect(runs.some(({ before }) => before === 1)).toBe(true);
}, 300_000);

test("a place that is made anew, because it was lost, brings nothing back that ran", async () => {
  const used = await cutAfter(await cutAnywhere(nothing, keep), useAll);
  const ran = used.filter(({ marks }) => count(marks) === 1);
  expect(ran.length).toBeGreaterThan(5);
  for (const found of ran) {
    const steps = await stepsOf(await liveIn(found, keepOther), useAll);
    // That is the other one.
    expect(steps.filter(isRun)).toHaveLength(1);
  }
}, 300_000);

test("no approval runs twice when what was spent is gone, and the place for it is made anew", async () => {
  const kept = await liveIn(nothing, keep);
  // As a process leaves it that dies right after it has used it; then somebody removes `spent/`.
  const lost = [...kept.disk.now()].filter(([path]) => !path.startsWith("keys/spent"));
  const found: Found = { disk: Disk.of(new Map(lost)), marks: ["ran"] };
  for (const life of [keepOther, keepRule]) {
    for (const one of await cutAnywhere(found, life)) {
      const steps = await stepsOf(one, useYes);
      expect(steps.filter(isRun)).toEqual([]);
    }
  }
  expect((await stepsOf(kept, useYes)).filter(isRun)).toHaveLength(1);
}, 300_000);

test("what was revoked where what was spent is gone never runs", async () => {
  const kept = await liveIn(nothing, keep);
  const lost = [...kept.disk.now()].filter(([path]) => !path.startsWith("keys/spent"));
  const revoked = await cutAnywhere({ disk: Disk.of(new Map(lost)), marks: [] }, revoke);
  expect(revoked.some(({ marks }) => marks.includes("revoked"))).toBe(true);
  for (const found of revoked.filter(({ marks }) => marks.includes("revoked"))) {
    const steps = await stepsOf(await liveIn(found, keepOther), useYes);
    expect(steps.filter(isRun)).toEqual([]);
  }
});

test("what was revoked never runs", async () => {
  const runs = await runsFrom(await cutAnywhere(await liveIn(nothing, keep), revoke));
  for (const { marks, after } of runs) if (marks.includes("revoked")) expect(after).toBe(0);
  expect(runs.some(({ after }) => after === 1)).toBe(true);
});

test("no state of a dialog is used twice", async () => {
  const consume: Life = async (path) => {
    if (await openConsumedStates(sharedAt(path)).consume(yes.request.nonce, 60_000)) mark("ran");
  };
  const once = await cutAnywhere(nothing, consume);
  const twice = await cutAfter(once, consume);
  for (const { marks } of twice) expect(count(marks)).toBeLessThanOrEqual(1);
  expect(twice.some(({ marks }) => count(marks) === 1)).toBe(true);
});

test("the model loses what was not synced, and nothing else", () => {
  const disk = Disk.of(new Map());
  const steps: readonly Step[] = [
    { kind: "mkdir", path: "a" },
    { kind: "sync", path: "" },
    { kind: "create", path: "a/b" },
    { kind: "write", path: "a/b", bytes: Buffer.from("x") },
  ];
  for (const step of steps) disk.apply(step);
  const texts = () =>
    disk.cuts().map((tree) => [...tree].map(([path, content]) => `${path}=${content ?? ""}`).join(" "));
  expect(texts().sort()).toEqual(["a=", "a= a/b=", "a= a/b=x"]);
  for (const path of ["a/b", "a"]) disk.apply({ kind: "sync", path });
  expect(texts()).toEqual(["a= a/b=x"]);
  disk.apply({ kind: "link", from: "a/b", path: "a/c" });
  disk.apply({ kind: "unlink", path: "a/b" });
  expect(texts().sort()).toEqual(["a=", "a= a/b=x", "a= a/b=x a/c=x", "a= a/c=x"]);
});
