/** What lies in a slot and may not decide: it is moved away, and a good answer still works. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { type Request, requestFileName } from "../../../src/broker/request/request.js";
import { answerTo, approvalDraft } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { expectGoodAnswerWorks, plantInSlot, slotOf } from "../../support/slot-by-hand.js";
import { madeHome, openAsker, openFace, tempHome } from "../../support/temp-home.js";

let home: Home;
beforeEach(() => {
  home = tempHome();
});

test.each([
  ["bound to something else", (request: Request) => answerTo({ ...request, binding: "0".repeat(64) })],
  ["for another request", (request: Request) => answerTo({ ...request, id: "zzzzzzzz" })],
  ["of a kind that does not fit", (request: Request) => answerTo(request, { decision: "keep", scope: null })],
  ["with a scope that was not offered", (request: Request) => answerTo(request, { scope: "always" })],
  ["with an unknown key", (request: Request) => ({ ...answerTo(request), extra: 1 })],
  ["without a decision", (request: Request) => ({ ...answerTo(request), decision: undefined })],
  ["of a newer version", (request: Request) => ({ ...answerTo(request), v: 2 })],
  ["that claims to be the server's own", (request: Request) => answerTo(request, { via: "elicitation" })],
  [
    "that claims to be a time-out",
    (request: Request) => answerTo(request, { via: "server", decision: "timed_out", scope: null }),
  ],
  ["that is no object", () => "[]"],
  ["that is half written", () => '{"v":1,'],
  ["that is empty", () => ""],
  ["with a byte order mark", (request: Request) => `\ufeff${JSON.stringify(answerTo(request))}`],
  ["that is not UTF-8", () => new Uint8Array([0x7b, 0xff, 0x7d])],
  [
    "with a key given twice",
    (request: Request) =>
      JSON.stringify(answerTo(request)).replace(
        '"decision":"approve"',
        '"decision":"deny","decision":"approve"',
      ),
  ],
  [
    "with a prototype",
    (request: Request) =>
      JSON.stringify(answerTo(request)).replace("{", '{"__proto__":{"decision":"approve"},'),
  ],
])("an answer %s is moved away and a good one still decides", (_what, forge) => {
  const { channel, refused } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  plantInSlot(home, request, forge(request));
  expect(channel.take(request.id)).toBeNull();
  expect(existsSync(slotOf(home, request))).toBe(false);
  expect(refused).toMatchObject([{ id: request.id, movedTo: `${request.id}.1.json` }]);
  expect(readdirSync(home.rejected)).toEqual([`${request.id}.1.json`]);
  expectGoodAnswerWorks(home, channel, request);
});

test.each([
  ["a FIFO", (path: string) => void execFileSync("mkfifo", ["-m", "600", path])],
  ["a directory", (path: string) => void mkdirSync(path, { mode: 0o700 })],
  ["a symbolic link", (path: string) => symlinkSync("/etc/hostname", path)],
  ["a link to itself", (path: string) => symlinkSync(path, path)],
  [
    "a file of 1 GB",
    (path: string) => {
      writeFileSync(path, "", { mode: 0o600 });
      truncateSync(path, 2 ** 30);
    },
  ],
  [
    "a file open to others",
    (path: string) => {
      writeFileSync(path, "{}", { mode: 0o600 });
      chmodSync(path, 0o644);
    },
  ],
])("%s in the slot is moved away and a good answer still decides", (_what, make) => {
  const { channel, refused } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  make(slotOf(home, request));
  expect(channel.take(request.id)).toBeNull();
  expect(lstatSync(slotOf(home, request), { throwIfNoEntry: false })).toBeUndefined();
  expect(refused).toHaveLength(1);
  expectGoodAnswerWorks(home, channel, request);
});

test("a good answer that is itself a link to another file is not taken", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  const elsewhere = join(home.path, "elsewhere");
  writeFileSync(elsewhere, JSON.stringify(answerTo(request)), { mode: 0o600 });
  symlinkSync(elsewhere, slotOf(home, request));
  expect(channel.take(request.id)).toBeNull();
  expectGoodAnswerWorks(home, channel, request);
});

test("an answer of an earlier request does not decide a later one that looks the same", () => {
  const { channel, refused } = openAsker(home);
  const first = channel.file(approvalDraft(), []);
  const replayed = answerTo(first);
  openFace(home).answer(replayed);
  const news = channel.take(first.id);
  if (news?.kind !== "answer") throw new Error("the first answer was not taken");
  channel.settle(first.id, { outcome: "answered", taken: news.taken, ran: null });
  const second = channel.file(approvalDraft(), []);
  plantInSlot(home, second, replayed);
  expect(channel.take(second.id)).toBeNull();
  plantInSlot(home, second, { ...replayed, id: second.id });
  expect(channel.take(second.id)).toBeNull();
  expect(refused).toHaveLength(2);
  expectGoodAnswerWorks(home, channel, second);
});

test("a request that was changed after filing ends, and nothing bound to the change is taken", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  const path = join(home.pending, requestFileName(request));
  const altered = { ...request, says: "harmless" };
  writeFileSync(path, JSON.stringify(altered));
  plantInSlot(home, request, answerTo({ id: request.id, binding: "1".repeat(64) }));
  expect(channel.take(request.id)).toEqual({ kind: "broken", why: "its request file was altered" });
  expect(channel.withdraw(request.id, "failed", null).answer.decision).toBe("failed");
});

test("a request whose file another process removed cannot be decided any more", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  unlinkSync(join(home.pending, requestFileName(request)));
  expect(channel.take(request.id)).toEqual({ kind: "broken", why: "its request file was removed" });
});

test("a slot that is filled again as often as it is cleared holds the server up for a moment, and settles nothing", () => {
  const planting: { request: Request | null } = { request: null };
  const { channel, refused } = openAsker(home, {
    onRefused: () => {
      refused.push({ id: "", reason: "", movedTo: null, testimony: null });
      if (planting.request !== null) plantInSlot(home, planting.request, "junk");
    },
  });
  const request = channel.file(approvalDraft(), []);
  planting.request = request;
  plantInSlot(home, request, "junk");
  expect(channel.take(request.id)).toBeNull();
  expect(refused.length).toBeLessThan(20);
  planting.request = null;
  expect(channel.take(request.id)).toBeNull();
  expectGoodAnswerWorks(home, channel, request);
});

test("only the newest 20 rejected answers are kept", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  for (let n = 0; n < 25; n += 1) {
    plantInSlot(home, request, "junk");
    channel.take(request.id);
  }
  expect(readdirSync(home.rejected)).toHaveLength(20);
});

test("an answer that lies there before its request does not meet it: the request takes another id", () => {
  const { id } = openAsker(home, { clock: new FakeClock() }).channel.file(approvalDraft(), []);
  const early = madeHome();
  const forged = JSON.stringify(answerTo({ id, binding: "0".repeat(64) }));
  writeFileSync(join(early.pending, `${id}.answer.json`), forged, { mode: 0o600 });
  // The same clock draws the same ids.
  const { channel } = openAsker(early, { clock: new FakeClock() });
  const request = channel.file(approvalDraft(), []);
  expect(request.id).not.toBe(id);
  expect(channel.take(request.id)).toBeNull();
});
