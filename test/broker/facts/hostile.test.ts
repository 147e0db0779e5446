import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeptFact } from "../../../src/broker/facts/fact-store.js";
import type { FactPlace } from "../../../src/broker/facts/filed.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { droppedFact, keptFact, proposal } from "../../support/facts.js";
import { FactsHome } from "../../support/facts-home.js";
import { looksBelow } from "../../support/fs-counter.js";
import { tempDirectory } from "../../support/temp-home.js";

type File = Readonly<Record<string, unknown>>;

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}

function edit(path: string, change: (file: File) => object): void {
  write(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")) as File)));
}

/** A home in which two facts are kept. */
async function left() {
  const home = new FactsHome(join(tempDirectory(), "home"));
  const [fact, other] = [keptFact(), keptFact({ scope: "global" })];
  for (const one of [fact, other]) await home.open().keep(one);
  return { home, fact, other, path: home.file("project", fact.id) };
}

/** Returns when a change is given another time than the last one of the file `path`. */
function nextTick(path: string): void {
  const probe = join(tempDirectory(), "probe");
  const changedAt = (one: string): bigint => statSync(one, { bigint: true }).ctimeNs;
  do write(probe, "");
  while (changedAt(probe) === changedAt(path));
}

const byTime = (one: KeptFact, two: KeptFact): number => one.keptBy.at - two.keptBy.at;

/** Whatever lies there, another fact can be kept and read. */
async function expectGoodOneWorks(home: FactsHome): Promise<void> {
  const good = keptFact();
  expect(await home.open().keep(good)).toBe(true);
  expect(home.open().list().kept).toContainEqual(good);
}

const hostile: Readonly<Record<string, (path: string, fact: KeptFact) => void>> = {
  "half written": (path) => truncateSync(path, 200),
  empty: (path) => truncateSync(path, 0),
  huge: (path) => truncateSync(path, 400 * 1024),
  "a link": (path) => {
    renameSync(path, join(path, "../../../away.json"));
    symlinkSync(join(path, "../../../away.json"), path);
  },
  "a FIFO": (path) => {
    rmSync(path);
    execFileSync("mkfifo", ["-m", "600", path]);
  },
  "a directory": (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  "open to others": (path) => chmodSync(path, 0o644),
  "under a key twice": (path) => write(path, readFileSync(path, "utf8").replace("{", '{"v":1,')),
  "with a key more": (path) => edit(path, (file) => ({ ...file, more: 1 })),
  "of a newer version": (path) => edit(path, (file) => ({ ...file, v: 2 })),
  "of no kind": (path) => edit(path, (file) => ({ ...file, kind: "maybe" })),
  "sealed by nobody": (path) => edit(path, (file) => ({ ...file, mac: "0".repeat(64) })),
  "without its seal": (path) => edit(path, ({ mac: _mac, ...file }) => file),
  "no JSON": (path) => write(path, "npm test"),
};

describe("a fact that was tampered with", () => {
  it.each(Object.entries(hostile))(
    "does not count when it is %s, is counted, and hides no other",
    async (_what, tamper) => {
      const { home, fact, other, path } = await left();
      // Of this one no file is young: it remembers what it read.
      const store = home.open({ clock: { ...systemClock, now: () => Date.now() + 1_000 } });
      expect(store.list().kept).toHaveLength(2);
      nextTick(path);
      tamper(path, fact);
      for (const one of [store, home.open()]) {
        expect(one.list()).toEqual({ kept: [other], dropped: [], unreadable: 1 });
        expect(await one.forget(fact.id)).toBe(false);
      }
      // Whoever put it there keeps nobody from deciding; it stays, for a person to look at.
      expect(await store.keep(fact)).toBe(true);
      expect(home.open().list()).toEqual({ kept: [fact, other].sort(byTime), dropped: [], unreadable: 1 });
      await expectGoodOneWorks(home);
    },
  );

  it("does not count when any value in it was changed", async () => {
    const { home, fact, other, path } = await left();
    const whole = JSON.parse(readFileSync(path, "utf8")) as File;
    const store = home.open();
    fc.assert(
      fc.property(fc.constantFrom(...leavesOf(whole)), fc.string({ minLength: 1 }), (place, more) => {
        write(path, JSON.stringify(changedAt(whole, place, more)));
        expect(store.list()).toMatchObject({ kept: [other], unreadable: 1 });
      }),
      { numRuns: 150 },
    );
    write(path, JSON.stringify(whole));
    expect(store.list().kept).toContainEqual(fact);
  });

  it("is none of ours in a home with another secret, or with none", async () => {
    const { home, fact, path } = await left();
    const stranger = new FactsHome(join(tempDirectory(), "home"));
    const own = keptFact();
    await stranger.open().keep(own);
    copyFileSync(path, stranger.file("project", fact.id));
    expect(stranger.open().list()).toEqual({ kept: [own], dropped: [], unreadable: 1 });
    renameSync(join(home.path, "keys"), join(home.path, "away"));
    expect(home.open().list()).toEqual({ kept: [], dropped: [], unreadable: 2 });
    renameSync(join(home.path, "away"), join(home.path, "keys"));
    expect(home.open().list()).toMatchObject({ kept: { length: 2 }, unreadable: 0 });
  });

  it("is not told at all where others can read the secret: nobody could say what is our own", async () => {
    const { home } = await left();
    const secret = join(home.path, "keys/root");
    chmodSync(secret, 0o644);
    const unsafe = expect.objectContaining({ code: "channel_unsafe" });
    expect(() => home.open().list()).toThrow(unsafe);
    await expect(home.open().keep(keptFact())).rejects.toEqual(unsafe);
    chmodSync(secret, 0o600);
    await expectGoodOneWorks(home);
  });
});

describe("a copy of a fact", () => {
  it("is none under another name, or in the other scope", async () => {
    const { home, fact, other, path } = await left();
    copyFileSync(path, home.file("project", "zzzzzzzz"));
    copyFileSync(path, home.file("global", fact.id));
    copyFileSync(path, join(home.place("project"), "copy.txt"));
    const listing = home.open().list();
    expect(listing.kept).toHaveLength(2);
    expect(listing.kept).toEqual(expect.arrayContaining([fact, other]));
    expect(listing.unreadable).toBe(3);
    rmSync(path);
    expect(home.open().list()).toEqual({ kept: [other], dropped: [], unreadable: 3 });
    await expectGoodOneWorks(home);
  });

  it("neither makes kept what was dropped nor drops what was kept", async () => {
    const { home, fact, path } = await left();
    const dropped = droppedFact();
    await home.open().drop(dropped);
    copyFileSync(home.file("dropped", dropped.id), home.file("project", dropped.id));
    copyFileSync(path, home.file("dropped", fact.id));
    expect(home.open().list()).toMatchObject({ kept: { length: 2 }, dropped: [dropped], unreadable: 2 });
    expect(home.open().dropAgainst(proposal())).toEqual(dropped);
    await expectGoodOneWorks(home);
  });

  it("does not bring back what was forgotten: it counts first", async () => {
    const { home, fact, other, path } = await left();
    const text = readFileSync(path, "utf8");
    expect(await home.open().forget(fact.id)).toBe(true);
    write(path, text);
    expect(home.open().list()).toEqual({ kept: [other], dropped: [], unreadable: 0 });
    expect(await home.open().keep(fact)).toBe(false);
    home.open().sweep();
    expect(() => readFileSync(path)).toThrow("ENOENT");
    await expectGoodOneWorks(home);
  });
});

it("junk among the forgotten hides nothing, and is put aside by what is forgotten", async () => {
  const { home, fact, other } = await left();
  await home.open().forget(other.id);
  write(home.file("forgotten", fact.id), "{}");
  expect(home.open().list()).toEqual({ kept: [fact], dropped: [], unreadable: 1 });
  expect(await home.open().forget(fact.id)).toBe(true);
  expect(home.open().list()).toEqual({ kept: [], dropped: [], unreadable: 1 });
  await expectGoodOneWorks(home);
});

it("what was forgotten does not come back when its file is moved back, and a copy among the forgotten forgets nothing", async () => {
  const { home, fact, other } = await left();
  const dropped = droppedFact({ isForGood: true });
  await home.open().drop(dropped);
  await home.open().forget(fact.id);
  renameSync(home.file("forgotten", fact.id), home.file("project", fact.id));
  copyFileSync(home.file("dropped", dropped.id), home.file("forgotten", dropped.id));
  copyFileSync(home.file("global", other.id), home.file("forgotten", other.id));
  expect(home.open().list()).toEqual({ kept: [other], dropped: [dropped], unreadable: 3 });
  expect(await home.open().forget(dropped.id)).toBe(true);
  expect(home.open().list().dropped).toEqual([]);
  await expectGoodOneWorks(home);
});

it("junk is read once, and again only when it changed", async () => {
  const { home, fact, path } = await left();
  const store = home.open({ clock: { ...systemClock, now: () => Date.now() + 10_000 } });
  const before = readFileSync(path, "utf8");
  for (const [index, junk] of ["{}", "junk"].entries())
    write(home.file("global", `junk000${index + 2}`), junk);
  write(path, "junk");
  const listed = (): number => looksBelow(home.facts, () => expect(store.list().unreadable).toBe(3)).opened;
  expect([listed(), listed()]).toEqual([4, 0]);
  nextTick(path);
  write(path, "other junk");
  expect([listed(), listed()]).toEqual([1, 0]);
  nextTick(path);
  write(path, before);
  expect(store.list()).toMatchObject({ kept: expect.arrayContaining([fact]), unreadable: 2 });
});

describe("a directory that others can reach", () => {
  const all: readonly (FactPlace | ".")[] = [".", "project", "global", "dropped", "forgotten"];

  it.each(all)("is refused, and nothing in any other is told or decided: facts/%s", async (name) => {
    const { home, fact, other } = await left();
    const dropped = droppedFact();
    await home.open().drop(dropped);
    await home.open().forget(other.id);
    const directory = join(home.facts, name);
    const attacks: readonly [() => void, () => void][] = [
      [() => chmodSync(directory, 0o755), () => chmodSync(directory, 0o700)],
      [
        () => {
          renameSync(directory, join(home.path, "away"));
          symlinkSync(join(home.path, "away"), directory);
        },
        () => {
          rmSync(directory);
          renameSync(join(home.path, "away"), directory);
        },
      ],
    ];
    const unsafe = expect.objectContaining({ code: "channel_unsafe" });
    for (const [attack, repair] of attacks) {
      attack();
      const store = home.open();
      expect(() => store.list()).toThrow(unsafe);
      await expect(store.keep(keptFact())).rejects.toEqual(unsafe);
      await expect(store.drop(droppedFact())).rejects.toEqual(unsafe);
      store.sweep();
      repair();
      expect(store.list()).toEqual({ kept: [fact], dropped: [dropped], unreadable: 0 });
    }
    await expectGoodOneWorks(home);
  });
});

type Place = readonly string[];

function leavesOf(value: unknown, place: Place = []): readonly Place[] {
  if (typeof value !== "object" || value === null) return [place];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...place, key]));
}

function changedAt(value: unknown, [key, ...rest]: Place, more: string): unknown {
  if (key !== undefined) {
    const inner = value as File;
    return { ...inner, [key]: changedAt(inner[key], rest, more) };
  }
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return `${value ?? ""}${more}`;
}
