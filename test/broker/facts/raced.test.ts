/** Whoever may write where the facts lie changes what stands under the name of one while it is written. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import type { KeptFact } from "../../../src/broker/facts/fact-store.js";
import { failsWith, once, rightBefore } from "../../support/between-steps.js";
import { decidedBy, droppedFact, keptFact } from "../../support/facts.js";
import { FactsHome } from "../../support/facts-home.js";
import { tempDirectory } from "../../support/temp-home.js";

const dayMs = 24 * 3_600_000;

let home: FactsHome;
let fact: KeptFact;
let file: string;
beforeEach(async () => {
  home = new FactsHome(tempDirectory());
  fact = keptFact();
  file = home.file("project", fact.id);
  // All that is to be there is there.
  await home.open().keep(keptFact());
  await home.open().forget((home.open().list().kept[0] as KeptFact).id);
});

const junk = (path: string, text = "junk"): void => {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600 });
};
const keptIds = () =>
  home
    .open()
    .list()
    .kept.map(({ id }) => id);

it("junk that other junk replaces just before it is put aside stays, and that is said; the next try keeps the fact", async () => {
  junk(file);
  const swap = once(() => junk(file, "other junk"));
  const raced = rightBefore("renameSync", file, swap, () => home.open().keep(fact));
  await expect(raced).rejects.toMatchObject({ code: "channel_unavailable" });
  expect([readFileSync(file, "utf8"), keptIds()]).toEqual(["other junk", []]);
  expect(await home.open().keep(fact)).toBe(true);
  expect(keptIds()).toEqual([fact.id]);
});

it("junk that goes by itself keeps no fact from being written down", async () => {
  junk(file);
  const gone = once(() => rmSync(file));
  expect(await rightBefore("lstatSync", file, gone, () => home.open().keep(fact))).toBe(true);
  expect(keptIds()).toEqual([fact.id]);
});

it("a fact that another process writes in the stead of junk is theirs, and is not put aside", async () => {
  await home.open().keep(fact);
  const whole = readFileSync(file, "utf8");
  junk(file);
  const theirs = once(() => junk(file, whole));
  expect(await rightBefore("lstatSync", file, theirs, () => home.open().keep(fact))).toBe(false);
  expect([readFileSync(file, "utf8"), keptIds()]).toEqual([whole, [fact.id]]);
});

it("a fact whose name among the forgotten is kept from it stays kept, and the next try forgets it", async () => {
  await home.open().keep(fact);
  const forgotten = home.file("forgotten", fact.id);
  junk(forgotten);
  const swap = once(() => junk(forgotten, "other junk"));
  const raced = rightBefore("renameSync", forgotten, swap, () => home.open().forget(fact.id));
  await expect(raced).rejects.toMatchObject({ code: "channel_unavailable" });
  expect(keptIds()).toEqual([fact.id]);
  expect(await home.open().forget(fact.id)).toBe(true);
  expect(keptIds()).toEqual([]);
});

it("a drop that is over stays as long as what it hides cannot be removed", async () => {
  const dropped = droppedFact({ droppedBy: decidedBy({ at: home.clock.now() }) });
  const hidden = keptFact({ id: dropped.id });
  const path = home.file("project", hidden.id);
  await home.open().keep(hidden);
  const text = readFileSync(path, "utf8");
  rmSync(path);
  await home.open().drop(dropped);
  junk(path, text);
  home.clock.advance(30 * dayMs + 1);
  const held = failsWith("EBUSY");
  await rightBefore("unlinkSync", path, held, () => home.open().sweep());
  expect(keptIds()).toEqual([]);
  home.open().sweep();
  expect(home.open().list()).toMatchObject({ kept: [], dropped: [] });
  expect(await home.open().keep(hidden)).toBe(true);
});
