import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { heartbeatMs, isDetached, readServerRecord } from "../../../src/broker/channel/server-record.js";
import { serverPresence } from "../../../src/broker/channel/servers.js";
import { approvalRequest, testServer } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { madeHome, tempDirectory } from "../../support/temp-home.js";

function presenceIn(home = madeHome()) {
  const clock = new FakeClock();
  const presence = serverPresence({
    home,
    clock,
    record: () => ({
      v: 1,
      ...testServer,
      namespace: "1",
      parent: null,
      client: { name: "c", version: "1" },
      home: home.path,
    }),
  });
  onTestFinished(() => presence.end(false));
  const path = join(home.servers, `${testServer.instance}.json`);
  return { home, clock, presence, path };
}

test("nothing is written before the first request", () => {
  const { home, clock, presence } = presenceIn();
  presence.waiting(() => ["abcdefgh"]);
  expect(readdirSync(home.servers)).toEqual([]);
  expect(clock.timers).toBe(0);
});

test("the record says who serves and, with the next heartbeat, what waits", () => {
  const { home, clock, presence } = presenceIn();
  presence.begin();
  presence.begin();
  expect(clock.timers).toBe(1);
  presence.waiting(() => ["abcdefgh"]);
  clock.advance(heartbeatMs);
  expect(readServerRecord(home, testServer.instance)?.record).toMatchObject({
    ...testServer,
    waiting: ["abcdefgh"],
  });
});

test("what no call waits for any more is named at once, and no more than a thousand of it", () => {
  const { home, clock, presence } = presenceIn();
  const named = () => readServerRecord(home, testServer.instance)?.record.detached;
  presence.detached(["abcdefgh"]);
  expect(readdirSync(home.servers)).toEqual([]);
  presence.begin();
  expect(named()).toEqual(["abcdefgh"]);
  presence.detached([]);
  expect(named()).toEqual([]);
  presence.detached(Array.from({ length: 5_000 }, (_, index) => String(index)));
  expect([named()?.length, named()?.at(-1)]).toEqual([1_000, "4999"]);
  clock.advance(heartbeatMs);
  expect(named()).toHaveLength(1_000);
});

test("a record that cannot be written when a call leaves is written with a later heartbeat", () => {
  const { home, clock, presence } = presenceIn();
  presence.begin();
  rmSync(home.servers, { recursive: true });
  writeFileSync(home.servers, "");
  presence.detached(["abcdefgh"]);
  rmSync(home.servers);
  clock.advance(heartbeatMs);
  expect(readServerRecord(home, testServer.instance)?.record.detached).toEqual(["abcdefgh"]);
});

test("whoever reads believes only the record of the very server that asked", () => {
  const { home, presence } = presenceIn();
  presence.begin();
  const request = approvalRequest();
  presence.detached([request.id]);
  const found = readServerRecord(home, testServer.instance);
  expect(isDetached(request, found)).toBe(true);
  expect(isDetached({ ...request, id: "zzzzzzzz" }, found)).toBe(false);
  expect(isDetached(request, null)).toBe(false);
  for (const other of [{ pid: 1 }, { startedAt: "another" }, { boot: "another" }]) {
    expect(isDetached({ ...request, server: { ...request.server, ...other } }, found)).toBe(false);
  }
});

test("a heartbeat touches the record and writes nothing when nothing changed", () => {
  const { clock, presence, path } = presenceIn();
  presence.begin();
  const { ino } = statSync(path);
  utimesSync(path, 1, 1);
  clock.advance(heartbeatMs);
  expect(statSync(path).mtimeMs).toBe(clock.now());
  expect(statSync(path).ino).toBe(ino);
});

test.each<[string, (path: string) => void]>([
  ["was removed", (path) => rmSync(path)],
  ["was emptied", (path) => truncateSync(path)],
  ["says another client", (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"c"', '"d"'))],
  ["says so at the time that it had", (path) => rewriteInPlace(path)],
  ["is open to others", (path) => chmodSync(path, 0o644)],
  ["is a link to the same", (path) => replaceBy(path, (kept) => symlinkSync(kept, path))],
  ["is a link to nothing", (path) => replaceBy(path, () => symlinkSync("/nowhere", path))],
  ["is an empty directory", (path) => replaceBy(path, () => mkdirSync(path, { mode: 0o700 }))],
  [
    "is a directory that holds something",
    (path) => replaceBy(path, () => mkdirSync(join(path, "in"), { recursive: true })),
  ],
])("a record that %s is written anew with the next heartbeat", (_what, change) => {
  const { home, clock, presence, path } = presenceIn();
  presence.begin();
  const written = readFileSync(path, "utf8");
  change(path);
  clock.advance(heartbeatMs);
  expect(readServerRecord(home, testServer.instance)?.record.client?.name).toBe("c");
  expect(readFileSync(path, "utf8")).toBe(written);
  expect(lstatSync(path).isFile()).toBe(true);
  const { ino } = statSync(path);
  clock.advance(heartbeatMs);
  expect([statSync(path).ino, statSync(path).mtimeMs]).toEqual([ino, clock.now()]);
});

test("a link in the record's place is not written through", () => {
  const { clock, presence, path } = presenceIn();
  presence.begin();
  const other = join(tempDirectory(), "other");
  writeFileSync(other, "mine");
  replaceBy(path, () => symlinkSync(other, path));
  clock.advance(heartbeatMs);
  expect(readFileSync(other, "utf8")).toBe("mine");
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ client: { name: "c" } });
});

test("a record larger than any server writes is none", () => {
  const { home, presence, path } = presenceIn();
  presence.begin();
  const record = JSON.parse(readFileSync(path, "utf8")) as object;
  const sized = (home: string) => writeFileSync(path, JSON.stringify({ ...record, home }));
  sized("x".repeat(20_500));
  expect(readServerRecord(home, testServer.instance)).toBeNull();
  sized("x".repeat(20_000));
  expect(readServerRecord(home, testServer.instance)).not.toBeNull();
});

/** The record with as many bytes and the same time of writing, which anybody can set. */
function rewriteInPlace(path: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, readFileSync(path, "utf8").replace('"c"', '"d"'));
  utimesSync(path, atime, mtime);
}

/** Moves the record away, and puts what `make` makes in its place. */
function replaceBy(path: string, make: (kept: string) => void): void {
  const kept = join(tempDirectory(), "kept");
  renameSync(path, kept);
  make(kept);
}

test("of very many that wait the newest thousand are named", () => {
  const { clock, presence, path } = presenceIn();
  presence.begin();
  presence.waiting(() => Array.from({ length: 5_000 }, (_, index) => String(index)));
  clock.advance(heartbeatMs);
  const { waiting } = JSON.parse(readFileSync(path, "utf8")) as { waiting: string[] };
  expect([waiting.length, waiting.at(-1)]).toEqual([1_000, "4999"]);
});

test("the end removes the record and the timer, once", () => {
  const { home, clock, presence } = presenceIn();
  presence.begin();
  presence.end(false);
  presence.end(false);
  expect(readdirSync(home.servers)).toEqual([]);
  expect(clock.timers).toBe(0);
});

test("a record under another name than its own, or in another shape, is none", () => {
  const { home, presence, path } = presenceIn();
  presence.begin();
  const record = JSON.parse(readFileSync(path, "utf8")) as object;
  const other = join(home.servers, "zzzzzzzzzzzzzzzz.json");
  writeFileSync(other, JSON.stringify(record), { mode: 0o600 });
  expect(readServerRecord(home, "zzzzzzzzzzzzzzzz")).toBeNull();
  writeFileSync(path, JSON.stringify({ ...record, extra: 1 }));
  expect(readServerRecord(home, testServer.instance)).toBeNull();
});

test("a servers directory that cannot be had makes filing fail, not the heartbeat", () => {
  const { home, presence } = presenceIn();
  rmSync(home.servers, { recursive: true });
  writeFileSync(home.servers, "");
  expect(() => presence.begin()).toThrow(expect.objectContaining({ code: "channel_unsafe" }));
});
