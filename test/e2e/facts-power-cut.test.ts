/** Facts, when a process dies or the power goes at any moment, and any names that were not yet put on disk are lost, or come back. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decidedBy, droppedFact, keptFact } from "../support/facts.js";

// What is watched must be loaded after who watches it.
const { mark } = await import("../support/fs-recorder.js");
const { cutAfter, cutAnywhere, liveIn, nothing } = await import("../support/cut-lives.js");
const { onDisk } = await import("../support/power-cut.js");
const { openFactStore } = await import("../../src/broker/facts/store.js");
const { rootSecretOf } = await import("../../src/broker/identity/root-secret.js");
const { systemClock } = await import("../../src/broker/system/clock.js");

type Found = import("../support/cut-lives.js").Found;
type Life = import("../support/cut-lives.js").Life;

const fact = keptFact();
const dropped = droppedFact();
const old = droppedFact({ droppedBy: decidedBy({ at: 1 }) });

/** As a process sees them that has just started. */
function open(path: string) {
  const place = { path, ensureHome: () => path, clock: systemClock };
  return openFactStore({ ...place, keys: rootSecretOf(place) });
}

const keep: Life = async (path) => {
  await open(path).keep(fact);
  // Whoever was first: both are told that it is kept.
  mark("kept");
};

const drop: Life = async (path) => {
  await open(path).drop(dropped);
  mark("dropped");
};

const forget: Life = async (path) => {
  await open(path).forget(fact.id);
  mark("forgotten");
};

const sweep: Life = async (path) => open(path).sweep();

type Standing = "kept" | "dropped" | "forgotten" | "open";

/** What a process that looks afterwards says of an id. */
function standingOf({ disk }: Found, id: string): Promise<Standing> {
  return onDisk(disk.now(), async (path) => {
    const store = open(path);
    const { kept, dropped: no, unreadable } = store.list();
    expect(unreadable).toBe(0);
    const [isKept, isDropped] = [kept, no].map((facts) => facts.filter((one) => one.id === id).length);
    expect((isKept ?? 0) + (isDropped ?? 0)).toBeLessThanOrEqual(1);
    if (isKept === 1) return "kept";
    if (isDropped === 1) return "dropped";
    return existsSync(join(path, "facts", "forgotten", `${id}.json`)) ? "forgotten" : "open";
  });
}

async function standingsOf(founds: readonly Found[], id: string) {
  const all: { readonly marks: readonly string[]; readonly standing: Standing }[] = [];
  for (const found of founds) all.push({ marks: found.marks, standing: await standingOf(found, id) });
  return all;
}

test("a fact whose keeping was told is kept after every cut; else it is whole or not there, and the next try keeps it", async () => {
  const cuts = await cutAnywhere(nothing, keep);
  const seen = await standingsOf(cuts, fact.id);
  expect(seen.length).toBeGreaterThan(10);
  for (const { marks, standing } of seen) if (marks.includes("kept")) expect(standing).toBe("kept");
  expect(new Set(seen.map(({ standing }) => standing))).toEqual(new Set(["open", "kept"]));
  for (const found of cuts) expect(await standingOf(await liveIn(found, keep), fact.id)).toBe("kept");
});

test("a second process that is told that it is kept already may rely on it as the first", async () => {
  const cuts = await cutAfter(await cutAnywhere(nothing, keep), keep);
  for (const { marks, standing } of await standingsOf(cuts, fact.id)) {
    if (marks.includes("kept")) expect(standing).toBe("kept");
  }
}, 300_000);

test("a fact whose dropping was told is dropped after every cut, and never kept", async () => {
  const cuts = await cutAnywhere(await liveIn(nothing, keep), drop);
  const keepDropped: Life = async (path) => {
    if (await open(path).keep({ ...fact, id: dropped.id })) mark("kept");
  };
  for (const { marks, standing } of await standingsOf(cuts, dropped.id)) {
    if (marks.includes("dropped")) expect(standing).toBe("dropped");
    else expect(["open", "dropped"]).toContain(standing);
  }
  const told = cuts.filter(({ marks }) => marks.includes("dropped"));
  expect(told.length).toBeGreaterThan(0);
  for (const { marks, standing } of await standingsOf(await cutAfter(told, keepDropped), dropped.id)) {
    expect([standing, marks.includes("kept")]).toEqual(["dropped", false]);
  }
  for (const { standing } of await standingsOf(cuts, fact.id)) expect(standing).toBe("kept");
}, 300_000);

test("a fact that is forgotten is kept or forgotten after every cut, and stays forgotten once that was told", async () => {
  const cuts = await cutAnywhere(await liveIn(nothing, keep), forget);
  const seen = await standingsOf(cuts, fact.id);
  for (const { marks, standing } of seen) {
    if (marks.includes("forgotten")) expect(standing).toBe("forgotten");
    else expect(["kept", "forgotten"]).toContain(standing);
  }
  expect(new Set(seen.map(({ standing }) => standing))).toEqual(new Set(["kept", "forgotten"]));
  const swept = await standingsOf(await cutAfter(cuts, sweep), fact.id);
  for (const { marks, standing } of swept) {
    if (marks.includes("forgotten")) expect(standing).toBe("forgotten");
    else expect(["kept", "forgotten"]).toContain(standing);
  }
}, 300_000);

test("nothing that a drop hides is kept, whenever a sweep is cut that removes both", async () => {
  const both = await liveIn(nothing, async (path) => {
    const { renameSync } = await import("node:fs");
    const file = `${path}/facts/project/${old.id}.json`;
    await open(path).keep({ ...fact, id: old.id });
    renameSync(file, `${path}/away`);
    await open(path).drop(old);
    renameSync(`${path}/away`, file);
  });
  const cuts = await cutAfter(await cutAnywhere(both, sweep), sweep);
  const seen = await standingsOf(cuts, old.id);
  expect(new Set(seen.map(({ standing }) => standing))).toEqual(new Set(["dropped", "open"]));
}, 300_000);
