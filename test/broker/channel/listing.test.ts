import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Listing } from "../../../src/broker/channel/channel.js";
import { ensureHome, type Home } from "../../../src/broker/channel/home.js";
import { byAge, judgeRequest, PendingList } from "../../../src/broker/channel/listing.js";
import { sweep } from "../../../src/broker/channel/sweep.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { type AttackCase, attackCases, named } from "../../support/attack-cases.js";
import { answerTo, approvalRequest } from "../../support/builders.js";
import { madeHome, openAsker, openFace } from "../../support/temp-home.js";

const minute = 60_000;

function list(home: Home, now = systemClock.now() + minute): Listing {
  return new PendingList().read(home.pending, now);
}

function plantGood(home: Home, createdAt: number): string {
  const request = approvalRequest({}, { createdAt });
  writeFileSync(join(home.pending, requestFileName(request)), JSON.stringify(request), { mode: 0o600 });
  return request.id;
}

function plant(home: Home, name: string, content: string | Uint8Array): string {
  const path = join(home.pending, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

test("requests are listed oldest first; answers, temporaries and strangers' files are not requests", () => {
  const home = madeHome();
  const second = plantGood(home, 2_000);
  const first = plantGood(home, 1_000);
  plant(home, `${first}.answer.json`, "{}");
  plant(home, ".tmp.abc.request.json", "{}");
  plant(home, "notes.txt", "mine");
  const { requests, newer, unreadable } = list(home);
  expect(requests.map((request) => request.id)).toEqual([first, second]);
  expect([newer, unreadable]).toEqual([[], []]);
});

test("a request of a newer version is listed as such and stays", () => {
  const home = madeHome();
  plant(home, "newer123.request.json", '{"v":2,"id":"newer123","shape":"unknown"}');
  expect(list(home)).toEqual({ requests: [], newer: ["newer123"], unreadable: [] });
  expect(readdirSync(home.pending)).toEqual(["newer123.request.json"]);
});

test("every kind of junk is counted, costs nothing, and the good request beside it is listed", () => {
  const home = madeHome();
  const good = plantGood(home, 1_000);
  const at = (name: string): string => join(home.pending, `${name}.request.json`);
  const request = approvalRequest();
  execFileSync("mkfifo", ["-m", "600", at("fifo2345")]);
  symlinkSync("/etc/hostname", at("link2345"));
  symlinkSync(at("loop2345"), at("loop2345"));
  mkdirSync(at("dir23456"));
  truncateSync(plant(home, "huge2345.request.json", ""), 2 ** 30);
  chmodSync(plant(home, "open2345.request.json", "{}"), 0o644);
  plant(home, "dup23456.request.json", '{"v":1,"v":1}');
  plant(home, "deep2345.request.json", "[".repeat(40) + "]".repeat(40));
  plant(home, "utf82345.request.json", new Uint8Array([0x22, 0xff, 0x22]));
  plant(home, "bom23456.request.json", "\ufeff{}");
  plant(home, "proto234.request.json", '{"__proto__":{}}');
  plant(home, "other234.request.json", JSON.stringify(request));
  plant(home, "extra234.request.json", JSON.stringify({ ...request, id: "extra234", extra: 1 }));
  plant(home, "kind2345.fact.json", JSON.stringify({ ...request, id: "kind2345" }));
  plant(home, "short.request.json", JSON.stringify({ ...request, id: "short" }));
  const { requests, unreadable } = list(home);
  expect(requests.map((one) => one.id)).toEqual([good]);
  expect(Object.fromEntries(unreadable.map((file) => [file.name.split(".")[0], file.reason]))).toEqual({
    fifo2345: "not a regular file",
    link2345: "symbolic link",
    loop2345: "symbolic link",
    dir23456: "not a regular file",
    huge2345: "too large",
    open2345: "open to others",
    dup23456: "duplicate key",
    deep2345: "nested too deep",
    utf82345: "not valid UTF-8",
    bom23456: "byte order mark",
    proto234: "forbidden key",
    other234: "its id is not its name",
    extra234: 'unknown key "extra"',
    kind2345: "its kind is not its name's",
    short: "bad id",
  });
});

test("junk is not opened twice while it stays the same, and is looked at again when it changes", () => {
  const home = madeHome();
  const request = JSON.stringify(approvalRequest({}, { id: "abcdefgh" }));
  const path = plant(home, "abcdefgh.request.json", "x".repeat(Buffer.byteLength(request)));
  utimesSync(path, 1_000, 1_000);
  const reader = new PendingList();
  const now = systemClock.now();
  expect(reader.read(home.pending, now).unreadable).toHaveLength(1);
  // A request by now, but with the inode, time and size of the junk: only opening it could tell.
  writeFileSync(path, request);
  utimesSync(path, 1_000, 1_000);
  expect(reader.read(home.pending, now).unreadable).toHaveLength(1);
  utimesSync(path, 2_000, 2_000);
  expect(reader.read(home.pending, now).requests.map((one) => one.id)).toEqual(["abcdefgh"]);
});

test("a half-written file is waited for and reported after two seconds", () => {
  const home = madeHome();
  const path = plant(home, "abcdefgh.request.json", '{"id":"a1","comm');
  utimesSync(path, 1_000, 1_000);
  expect(list(home, 1_001_999).unreadable).toEqual([]);
  expect(list(home, 1_002_001).unreadable).toEqual([{ name: "abcdefgh.request.json", reason: "not JSON" }]);
  expect(existsSync(path)).toBe(true);
});

test("a place that cannot be listed is unavailable, one that is not there holds nothing", () => {
  const home = madeHome();
  const file = plant(home, "file", "");
  expect(() => new PendingList().read(file, 0)).toThrow(
    expect.objectContaining({ code: "channel_unavailable" }),
  );
  expect(new PendingList().read(join(home.path, "no"), 0)).toEqual({
    requests: [],
    newer: [],
    unreadable: [],
  });
});

test("an answer to nothing that is none is counted, one that is an answer is left to the sweep", () => {
  const home = madeHome();
  utimesSync(plant(home, "abcdefgh.answer.json", "junk"), 1_000, 1_000);
  plant(home, "bbcdefgh.answer.json", JSON.stringify(answerTo({ id: "bbcdefgh", binding: "0".repeat(64) })));
  plant(home, "cbcdefgh.answer.json", JSON.stringify(answerTo({ id: "zzzzzzzz", binding: "0".repeat(64) })));
  const good = plantGood(home, 1_000);
  plant(home, `${good}.answer.json`, "junk");
  expect(list(home).unreadable).toEqual([
    { name: "abcdefgh.answer.json", reason: "not JSON" },
    { name: "cbcdefgh.answer.json", reason: "its id is not its name" },
  ]);
});

/** The given cases that end in a listing or in a slot. */
const cases = attackCases.filter(({ issue }) => issue <= 1);

/** Those of them that a table runs, each with its name. */
function casesOf(table: Readonly<Record<string, unknown>>): readonly (readonly [string, AttackCase])[] {
  return cases.filter((one) => one.class in table).map((one) => [named(one.id), one]);
}

function partOf({ input }: AttackCase, name: "bytes" | "id"): string {
  return typeof input === "string" ? "" : (input[name] ?? "");
}

const makers: Record<string, (home: Home, one: AttackCase) => void> = {
  "fs/fifo": (home) => {
    for (const n of [1, 2, 3, 4])
      execFileSync("mkfifo", ["-m", "600", join(home.pending, `a${n}.request.json`)]);
  },
  "fs/symlink-request": (home) => symlinkSync("/etc/hostname", join(home.pending, "a1.request.json")),
  "fs/huge": (home) => truncateSync(plant(home, "a1.request.json", ""), 2 ** 30),
  "fs/partial": (home, one) => void plant(home, "a1.request.json", partOf(one, "bytes")),
  "fs/dup-keys": (home, one) => void plant(home, "a1.request.json", partOf(one, "bytes")),
  "fs/id-traversal": (home, one) =>
    void plant(
      home,
      "abcdefgh.request.json",
      JSON.stringify({ ...approvalRequest(), id: partOf(one, "id") }),
    ),
};

test.each(casesOf(makers))("%s is listed as nothing but a count", (_named, one) => {
  const home = madeHome();
  ensureHome(home, systemClock);
  const good = plantGood(home, 1_000);
  makers[one.class]?.(home, one);
  const planted = readdirSync(home.pending).filter((name) => !name.startsWith(good));
  const heldBefore = process.memoryUsage().arrayBuffers;
  const { requests, unreadable } = list(home);
  // Nothing of a huge file is read: what it would need is never asked for.
  const most = Number(one.expected.rss_growth_mib_max ?? 8) * 1024 * 1024;
  expect(process.memoryUsage().arrayBuffers - heldBefore).toBeLessThan(most);
  expect(requests.map((request) => request.id)).toEqual([good]);
  expect(unreadable.map((file) => file.name).sort()).toEqual(planted.sort());
  expect(readdirSync(home.pending)).toEqual(expect.arrayContaining(planted));
  for (const file of unreadable) expect(file.reason).toContain(String(one.expected.reported ?? "not JSON"));
});

const answerCases: Record<string, (one: AttackCase) => void> = {
  "fs/proto": (one) => {
    const home = madeHome();
    const { channel, refused } = openAsker(home);
    const request = channel.file(approvalRequestDraft(), []);
    const given = partOf(one, "bytes").replace('"a1"', `"${request.id}"`).replace("<right>", request.binding);
    const whole = JSON.stringify(answerTo(request)).replace("{", '{"__proto__":{"decision":"approve"},');
    for (const forged of [given, whole]) {
      plant(home, `${request.id}.answer.json`, forged);
      expect(channel.take(request.id)).toBeNull();
      expect(refused.at(-1)?.reason).toBe("forbidden key");
    }
    expect(refused).toHaveLength(2);
  },
  "fs/early-answer": () => {
    const home = madeHome();
    const early = { id: "abcdefgh", binding: "0".repeat(64) };
    plant(home, "a1.answer.json", JSON.stringify(answerTo(early)));
    plant(home, "abcdefgh.answer.json", JSON.stringify(answerTo(early)));
    const { channel } = openAsker(home);
    const request = channel.file(approvalRequestDraft(), []);
    expect([request.id === early.id, channel.slot(request.id)]).toEqual([false, { kind: "free" }]);
    // Whoever sweeps writes what the sweep tells into the audit log; what is no answer of ours is counted instead.
    const clock = { ...systemClock, now: () => systemClock.now() + minute + 1_000 };
    const listing = openFace(home, { clock }).pending();
    expect(listing.unreadable.map((file) => file.name)).toEqual(["a1.answer.json"]);
    const swept = sweep(
      { home, clock, instance: null, liveness: () => "alive", onDecidedFact: () => {} },
      listing,
    );
    expect(swept).toEqual([{ id: early.id, what: "orphan answer" }]);
  },
  "fs/dir-mode": () => {
    const home = madeHome();
    chmodSync(home.pending, 0o755);
    expect(() => openAsker(home).channel.file(approvalRequestDraft(), [])).toThrow(
      expect.objectContaining({
        code: "channel_unsafe",
        message: expect.stringContaining(home.pending),
        fix: `chmod 700 ${home.pending}`,
      }),
    );
  },
  "fs/dir-symlink": () => {
    const home = madeHome();
    const elsewhere = { ...home, pending: join(home.path, "linked") };
    symlinkSync(home.pending, elsewhere.pending);
    expect(() => openAsker(elsewhere).channel.file(approvalRequestDraft(), [])).toThrow(
      expect.objectContaining({ code: "channel_unsafe", message: expect.stringContaining("symbolic link") }),
    );
  },
};

test.each(casesOf(answerCases))("%s is refused as the case says", (_named, one) => {
  answerCases[one.class]?.(one);
});

function approvalRequestDraft() {
  const { v, id, createdAt, server, nonce, receiptCommit, binding, ...draft } = approvalRequest();
  return { ...draft, kind: "approval" } as const;
}

test("requests of one instant wait in the order of their ids, and older ones before them", () => {
  const at = (id: string, createdAt: number) => approvalRequest({}, { id, createdAt });
  const [a, b, old] = [at("aaaaaaaa", 2_000), at("bbbbbbbb", 2_000), at("cccccccc", 1_000)];
  for (const order of [
    [a, b, old],
    [b, a, old],
    [old, b, a],
  ]) {
    expect(order.sort(byAge).map(({ id }) => id)).toEqual(["cccccccc", "aaaaaaaa", "bbbbbbbb"]);
  }
});

test("a request that goes while it is read is none, and junk that goes is told no more", () => {
  const name = requestFileName(approvalRequest());
  expect(judgeRequest(name, { kind: "missing" })).toEqual({ kind: "unreadable", reason: "it is gone" });
  const home = madeHome();
  ensureHome(home, systemClock);
  const pending = new PendingList();
  const junk = join(home.pending, name);
  writeFileSync(junk, "junk", { mode: 0o600 });
  const read = () => pending.read(home.pending, systemClock.now() + minute).unreadable.length;
  expect([read(), read()]).toEqual([1, 1]);
  rmSync(junk);
  expect(read()).toBe(0);
});
