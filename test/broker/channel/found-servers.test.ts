import { mkdirSync, readFileSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FoundServers, serverRecords } from "../../../src/broker/channel/found-servers.js";
import type { Home } from "../../../src/broker/channel/home.js";
import { approvalDraft, testServer } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { madeHome, openAsker, ownServer, tempHome } from "../../support/temp-home.js";

/** Lays the record of the `n`th server there, which says `name` and beat `ageSeconds` ago. */
function lay(home: Home, clock: FakeClock, n: number, ageSeconds = 0, name = `c${n}`): string {
  const instance = `${n}`.padStart(16, "a");
  const path = join(home.servers, `${instance}.json`);
  const record = {
    v: 1,
    ...testServer,
    instance,
    namespace: "1",
    parent: null,
    home: home.path,
    waiting: [],
    detached: [],
  };
  writeFileSync(path, JSON.stringify({ ...record, client: { name, version: "1" } }), { mode: 0o600 });
  const beatAt = clock.now() / 1_000 - ageSeconds;
  utimesSync(path, beatAt, beatAt);
  return path;
}

function namesOf({ servers }: FoundServers): readonly unknown[] {
  return servers.map(({ record }) => record.client?.name).toSorted();
}

test("the records of servers are found, living or not, and junk beside them is passed over", () => {
  const home = tempHome();
  openAsker(home).channel.file(approvalDraft(), []);
  writeFileSync(join(home.servers, "junkjunkjunkjunk.json"), "junk", { mode: 0o600 });
  writeFileSync(join(home.servers, "notes.txt"), "junk", { mode: 0o600 });
  mkdirSync(join(home.servers, "dirdirdirdirdird.json"));
  const { servers, unread } = serverRecords(home, new FakeClock())();
  expect(servers.map(({ record }) => record.instance)).toEqual([ownServer.instance]);
  expect(unread).toBe(0);
  rmSync(home.servers, { recursive: true });
  expect(serverRecords(home, new FakeClock())()).toEqual({ servers: [], unread: 0 });
});

test("of very many records those that beat last are read, and the others are counted", () => {
  const home = madeHome();
  const clock = new FakeClock();
  for (let n = 0; n < 300; n += 1) lay(home, clock, n, 60 + n);
  lay(home, clock, 999, 1, "live");
  const found = serverRecords(home, clock)();
  expect(found.servers).toHaveLength(256);
  expect(found.unread).toBe(45);
  expect(namesOf(found)).toContain("live");
  expect(namesOf(found)).not.toContain("c299");
});

test("a time to come is no heartbeat: such records are read last", () => {
  const home = madeHome();
  const clock = new FakeClock();
  for (let n = 0; n < 300; n += 1) lay(home, clock, n, -3_600);
  lay(home, clock, 999, 1, "live");
  expect(namesOf(serverRecords(home, clock)())).toContain("live");
});

test("a record is read again only when it has changed, whatever its time says", () => {
  const home = madeHome();
  const clock = new FakeClock();
  const [first = "", second = ""] = [1, 2, 3].map((n) => lay(home, clock, n));
  const records = serverRecords(home, clock);
  const before = records();
  expect(namesOf(before)).toEqual(["c1", "c2", "c3"]);
  writeFileSync(first, readFileSync(first, "utf8").replace('"c1"', '"x1"'));
  utimesSync(first, clock.now() / 1_000, clock.now() / 1_000);
  unlinkSync(second);
  lay(home, clock, 4);
  const after = records();
  expect(namesOf(after)).toEqual(["c3", "c4", "x1"]);
  expect(before.servers.filter((one) => after.servers.includes(one))).toHaveLength(1);
  expect(records()).toEqual(after);
});
