import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { factFileSchema } from "../../../src/broker/facts/fact-file.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { decidedBy, droppedFact, keptFact, proposal } from "../../support/facts.js";
import { FactsHome } from "../../support/facts-home.js";
import { looksBelow, whileUnopenable } from "../../support/fs-counter.js";
import { tempDirectory } from "../../support/temp-home.js";

const dayMs = 24 * 3_600_000;

/** To this clock no file is young. */
const later = { ...systemClock, now: () => Date.now() + 1_000 };

function newHome(): FactsHome {
  return new FactsHome(join(tempDirectory(), "home"));
}

test("nothing is made before something is kept or dropped, whatever is asked", async () => {
  const home = newHome();
  const store = home.open();
  store.list();
  store.sweep();
  store.changes(() => {})();
  expect([store.dropAgainst(proposal()), await store.forget("abcdefgh")]).toEqual([null, false]);
  expect(readdirSync(home.path)).toEqual([]);
  await store.keep(keptFact());
  expect(readdirSync(home.facts)).toEqual(["project"]);
});

test("a fact is one private file under its id, of the shape of the format, and nothing lies beside it", async () => {
  const home = newHome();
  const [here, everywhere, dropped] = [keptFact(), keptFact({ scope: "global" }), droppedFact()];
  await home.open().keep(here);
  await home.open().keep(everywhere);
  await home.open().drop(dropped);
  await home.open().forget(everywhere.id);
  const files = {
    project: [here.id],
    global: [],
    dropped: [dropped.id],
    forgotten: [everywhere.id],
  } as const;
  for (const [place, ids] of Object.entries(files)) {
    expect(readdirSync(join(home.facts, place))).toEqual(ids.map((id) => `${id}.json`));
  }
  expect(statSync(home.file("project", here.id)).mode & 0o7777).toBe(0o600);
  const file: unknown = JSON.parse(readFileSync(home.file("dropped", dropped.id), "utf8"));
  expect(factFileSchema.safeParse(file).success).toBe(true);
  expect(file).toMatchObject({
    ...dropped,
    v: 1,
    kind: "dropped",
    mac: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

describe("what no file may hold", () => {
  const wrong = {
    "an id that is a path": { id: "../../format" },
    "an id that is too short": { id: "abc" },
    "a project without a directory": { directory: null },
    "NUL characters": { value: "a\0b" },
    "half a character": { value: "\ud800" },
    "more than a request": { value: "x".repeat(300 * 1024) },
    "no hash of an answer": { keptBy: decidedBy({ answer: "yes" }) },
  };

  it.each(Object.entries(wrong))("is not kept: %s", async (_what, overrides) => {
    const home = newHome();
    await expect(home.open().keep(keptFact(overrides))).rejects.toThrow();
    expect([existsSync(home.facts), home.open().list().kept]).toEqual([false, []]);
    expect(await home.open().keep(keptFact())).toBe(true);
  });
});

test("only what belongs to a fact is kept of what a caller's object holds", async () => {
  const home = newHome();
  const fact = keptFact();
  await home.open().keep({ ...fact, more: 1, keptBy: { ...fact.keptBy, tty: "/dev/pts/1" } } as typeof fact);
  expect(home.open().list().kept).toEqual([fact]);
});

test("a listing of many facts reads the ones that came since the last one, and forgets those that went", async () => {
  const home = newHome();
  const store = home.open({ clock: later });
  const facts = Array.from({ length: 50 }, (_, at) => keptFact({ keptBy: decidedBy({ at }) }));
  for (const fact of facts) await store.keep(fact);
  const opened = (run: () => unknown): number => looksBelow(home.facts, () => void run()).opened;
  expect(opened(() => store.list())).toBe(50);
  expect(opened(() => store.list())).toBe(0);
  await home.open().keep(keptFact());
  await home.open().forget(facts[7]?.id ?? "");
  // The new one, and the one under its new name.
  expect(opened(() => store.list())).toBe(2);
  expect(opened(() => store.list())).toBe(0);
  expect(store.list().kept).toHaveLength(50);
  expect(opened(() => home.open().dropAgainst(proposal()))).toBe(1);
});

test("where nothing can be opened that is said; it does not look as if nothing were kept or dropped", async () => {
  const home = newHome();
  const [fact, dropped] = [keptFact(), droppedFact()];
  await home.open().keep(fact);
  await home.open().drop(dropped);
  const unavailable = expect.objectContaining({ code: "channel_unavailable" });
  for (const errno of ["EMFILE", "ENFILE"]) {
    whileUnopenable(home.facts, errno, () => {
      expect(() => home.open().list()).toThrow(unavailable);
      expect(() => home.open().dropAgainst(proposal())).toThrow(unavailable);
      home.open().sweep();
    });
  }
  whileUnopenable(home.facts, "EIO", () => {
    expect(home.open().list()).toEqual({ kept: [], dropped: [], unreadable: 2 });
  });
  expect(home.open().list()).toEqual({ kept: [fact], dropped: [dropped], unreadable: 0 });
});

describe("a sweep", () => {
  it("removes old temporaries, and nothing that is not ours", async () => {
    const home = newHome();
    await home.open().keep(keptFact());
    for (const name of [".tmp.old", ".tmp.new", "junk"]) writeFileSync(join(home.place("project"), name), "");
    const seconds = home.clock.now() / 1_000;
    utimesSync(join(home.place("project"), ".tmp.old"), seconds - 61, seconds - 61);
    utimesSync(join(home.place("project"), ".tmp.new"), seconds, seconds);
    home.open().sweep();
    expect(readdirSync(home.place("project"))).toEqual(expect.arrayContaining([".tmp.new", "junk"]));
    expect(readdirSync(home.place("project"))).toHaveLength(3);
  });

  it("removes what a process left under two names that died while it forgot, and junk under neither", async () => {
    const home = newHome();
    const [fact, dropped] = [keptFact(), droppedFact()];
    await home.open().keep(fact);
    await home.open().drop(dropped);
    await home.open().forget(dropped.id);
    const file = home.file("project", fact.id);
    linkSync(file, `${home.path}/away`);
    await home.open().forget(fact.id);
    renameSync(`${home.path}/away`, file);
    writeFileSync(home.file("dropped", dropped.id), "{}", { mode: 0o600 });
    expect(home.open().list()).toEqual({ kept: [], dropped: [], unreadable: 1 });
    home.open().sweep();
    expect([readdirSync(home.place("project")), readdirSync(home.place("dropped"))]).toEqual([
      [],
      [`${dropped.id}.json`],
    ]);
    expect(await home.open().keep(fact)).toBe(false);
  });

  it("brings back no fact that a drop hides when that drop is over", async () => {
    const home = newHome();
    const dropped = droppedFact({ droppedBy: decidedBy({ at: home.clock.now() }) });
    const fact = keptFact({ id: dropped.id });
    // Two processes that decided at one instant and differently: a drop counts first.
    await home.open().keep(fact);
    const file = home.file("project", fact.id);
    renameSync(file, `${home.path}/away`);
    await home.open().drop(dropped);
    renameSync(`${home.path}/away`, file);
    expect(home.open().list()).toEqual({ kept: [], dropped: [dropped], unreadable: 0 });
    home.clock.advance(30 * dayMs + 1);
    home.open().sweep();
    expect(home.open().list()).toEqual({ kept: [], dropped: [], unreadable: 0 });
    expect([existsSync(file), await home.open().keep(keptFact())]).toEqual([false, true]);
  });
});

test("of two processes that forget at once, where one died half-way, one is told that it did", async () => {
  const home = newHome();
  const fact = keptFact();
  await home.open().keep(fact);
  const file = home.file("project", fact.id);
  linkSync(file, `${home.path}/away`);
  await home.open().forget(fact.id);
  renameSync(`${home.path}/away`, file);
  const both = await Promise.all([home.open().forget(fact.id), home.open().forget(fact.id)]);
  expect(both.sort()).toEqual([false, true]);
  expect(existsSync(home.file("project", fact.id))).toBe(false);
  rmSync(home.file("forgotten", fact.id));
  expect(await home.open().keep(fact)).toBe(true);
});
