import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { DirectoryChannel } from "../../../src/broker/channel/directory.js";
import type { Home } from "../../../src/broker/channel/home.js";
import { readSpooled } from "../../../src/broker/channel/spool.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { type Request, requestFileName } from "../../../src/broker/request/request.js";
import { answerTo, approvalDraft, commandSubject, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { madeHome, openAsker, openFace, tempHome } from "../../support/temp-home.js";

let home: Home;
beforeEach(() => {
  home = tempHome();
});

function slotOf(request: Request): string {
  return join(home.pending, `${request.id}.answer.json`);
}

function plant(request: Request, content: unknown, mode = 0o600): void {
  const text =
    typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);
  writeFileSync(slotOf(request), text, { mode });
  chmodSync(slotOf(request), mode);
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof WispError ? error.code : String(error);
  }
  return "nothing was thrown";
}

/** After whatever was tried, a good answer still decides and the receipt says so. */
function expectGoodAnswerWorks(channel: DirectoryChannel, request: Request): void {
  const answer = answerTo(request);
  expect(openFace(home).answer(answer)).toBe(true);
  const news = channel.take(request.id);
  expect(news?.kind === "answer" && news.taken.hash).toBe(answerHash(answer));
  if (news?.kind !== "answer") return;
  const receipt = channel.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
  expect(isReceiptVerified(receipt, request)).toBe(true);
  expect(readdirSync(home.pending)).toEqual([]);
}

test("opening makes nothing; the first ask makes every place private", () => {
  const { channel } = openAsker(home);
  openFace(home);
  expect(existsSync(home.path)).toBe(false);
  expect(openFace(home).pending().requests).toEqual([]);
  expect(existsSync(home.path)).toBe(false);
  const request = channel.file(approvalDraft(), []);
  for (const path of [home.path, home.pending, home.servers]) {
    expect(statSync(path).mode & 0o7777).toBe(0o700);
  }
  expect(statSync(join(home.pending, requestFileName(request))).mode & 0o7777).toBe(0o600);
  expect(readFileSync(join(home.path, "format"), "utf8")).toBe("wisp-broker 1\n");
});

test.each([0o000, 0o777])("under umask %i the places are 0700 and the files 0600", (umask) => {
  const before = process.umask(umask);
  try {
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    expect(statSync(home.pending).mode & 0o7777).toBe(0o700);
    expect(statSync(join(home.pending, requestFileName(request))).mode & 0o7777).toBe(0o600);
    expectGoodAnswerWorks(channel, request);
  } finally {
    process.umask(before);
  }
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
  plant(request, forge(request));
  expect(channel.take(request.id)).toBeNull();
  expect(existsSync(slotOf(request))).toBe(false);
  expect(refused).toMatchObject([{ id: request.id, movedTo: `${request.id}.1.json` }]);
  expect(readdirSync(home.rejected)).toEqual([`${request.id}.1.json`]);
  expectGoodAnswerWorks(channel, request);
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
  make(slotOf(request));
  expect(channel.take(request.id)).toBeNull();
  expect(lstatSync(slotOf(request), { throwIfNoEntry: false })).toBeUndefined();
  expect(refused).toHaveLength(1);
  expectGoodAnswerWorks(channel, request);
});

test("a good answer that is itself a link to another file is not taken", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  const elsewhere = join(home.path, "elsewhere");
  writeFileSync(elsewhere, JSON.stringify(answerTo(request)), { mode: 0o600 });
  symlinkSync(elsewhere, slotOf(request));
  expect(channel.take(request.id)).toBeNull();
  expectGoodAnswerWorks(channel, request);
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
  plant(second, replayed);
  expect(channel.take(second.id)).toBeNull();
  plant(second, { ...replayed, id: second.id });
  expect(channel.take(second.id)).toBeNull();
  expect(refused).toHaveLength(2);
  expectGoodAnswerWorks(channel, second);
});

test("a request that was changed after filing ends, and nothing bound to the change is taken", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  const path = join(home.pending, requestFileName(request));
  const altered = { ...request, says: "harmless" };
  writeFileSync(path, JSON.stringify(altered));
  plant(request, answerTo({ id: request.id, binding: "1".repeat(64) }));
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
      refused.push({ id: "", reason: "", movedTo: null });
      if (planting.request !== null) plant(planting.request, "junk");
    },
  });
  const request = channel.file(approvalDraft(), []);
  planting.request = request;
  plant(request, "junk");
  expect(channel.take(request.id)).toBeNull();
  expect(refused.length).toBeLessThan(20);
  planting.request = null;
  expect(channel.take(request.id)).toBeNull();
  expectGoodAnswerWorks(channel, request);
});

test("only the newest 20 rejected answers are kept", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  for (let n = 0; n < 25; n += 1) {
    plant(request, "junk");
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

test.each([
  ["open to others", () => chmodSync(home.pending, 0o755)],
  [
    "a link",
    () => {
      rmSync(home.pending, { recursive: true });
      mkdirSync(`${home.pending}.real`, { mode: 0o700 });
      symlinkSync(`${home.pending}.real`, home.pending);
    },
  ],
  [
    "a file",
    () => {
      rmSync(home.pending, { recursive: true });
      writeFileSync(home.pending, "");
    },
  ],
])("a pending directory that has become %s is refused for asking, answering and listing", (_what, spoil) => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  spoil();
  const face = openFace(home);
  expect(codeOf(() => channel.file(approvalDraft(), []))).toBe("channel_unsafe");
  expect(codeOf(() => face.answer(answerTo(request)))).toBe("channel_unsafe");
  expect(codeOf(() => face.pending())).toBe("channel_unsafe");
});

test("a directory that is safe again serves again", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  chmodSync(home.pending, 0o755);
  expect(codeOf(() => openFace(home).answer(answerTo(request)))).toBe("channel_unsafe");
  chmodSync(home.pending, 0o700);
  expectGoodAnswerWorks(channel, request);
});

test("a home of another program is refused, and left as it is", () => {
  mkdirSync(home.path, { mode: 0o700 });
  mkdirSync(home.pending, { mode: 0o700 });
  writeFileSync(join(home.pending, "abcdefgh.request.json"), '{"question":"theirs"}', { mode: 0o600 });
  expect(codeOf(() => openAsker(home).channel.file(approvalDraft(), []))).toBe("channel_unsafe");
  expect(codeOf(() => openFace(home).pending())).toBe("channel_unsafe");
  expect(readdirSync(home.path)).toEqual(["pending"]);
});

test("a home of a newer format is refused", () => {
  const { channel } = openAsker(home);
  channel.file(approvalDraft(), []);
  writeFileSync(join(home.path, "format"), "wisp-broker 2\n");
  expect(codeOf(() => channel.file(approvalDraft(), []))).toBe("channel_unsafe");
  writeFileSync(join(home.path, "format"), "wisp-broker 1\n");
  channel.file(approvalDraft(), []);
});

test("a long text is filed by its hash and read back whole; a request keeps the text of another", () => {
  const { channel } = openAsker(home);
  const long = `echo ${"é".repeat(20_000)}`;
  const draft = approvalDraft({
    subject: commandSubject({ line: shortened(long), command: shortened(long) }),
  });
  const first = channel.file(draft, [long]);
  const second = channel.file(draft, [long]);
  const stand = shortened(long);
  if (typeof stand === "string") throw new Error("the text is not long");
  expect(readSpooled(home, stand)).toBe(long);
  const taken = channel.withdraw(first.id, "timed_out", null);
  channel.settle(first.id, { outcome: "timed_out", taken, ran: false });
  expect(readSpooled(home, stand)).toBe(long);
  writeFileSync(join(home.spool, sha256Hex(long)), long.replace("e", "E"));
  expect(readSpooled(home, stand)).toBeNull();
  channel.settle(second.id, {
    outcome: "timed_out",
    taken: channel.withdraw(second.id, "timed_out", null),
    ran: false,
  });
  expect(readdirSync(home.spool)).toEqual([]);
});

test("a request over the size limit is refused and leaves nothing", () => {
  const { channel } = openAsker(home);
  const says = "x".repeat(300_000);
  expect(codeOf(() => channel.file(approvalDraft({ says }), []))).toBe("request_too_large");
  expect(readdirSync(home.pending)).toEqual([]);
  expectGoodAnswerWorks(channel, channel.file(approvalDraft(), []));
});

test("the server's own decision claims the slot, and an answer that came first keeps it", () => {
  const { channel } = openAsker(home);
  const face = openFace(home);
  const timedOut = channel.file(approvalDraft(), []);
  expect(channel.withdraw(timedOut.id, "timed_out", null).answer.decision).toBe("timed_out");
  expect(face.answer(answerTo(timedOut))).toBe(false);
  const answered = channel.file(approvalDraft(), []);
  face.answer(denialOf(answered, "no"));
  expect(channel.withdraw(answered.id, "timed_out", null).answer).toMatchObject({
    decision: "deny",
    note: "no",
  });
});

test("a server's decision stands in memory when its directory is gone", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  rmSync(home.path, { recursive: true });
  writeFileSync(home.path, "");
  expect(channel.withdraw(request.id, "withdrawn", "x").answer.decision).toBe("withdrawn");
  expect(codeOf(() => channel.settle(request.id, { outcome: "withdrawn", taken: null, ran: false }))).toMatch(
    /^channel_/,
  );
});

test("an answer published under a settled id is taken back by its face only when it is still its own", () => {
  const { channel } = openAsker(home);
  const face = openFace(home);
  const request = channel.file(approvalDraft(), []);
  const late = answerTo(request);
  face.answer(late);
  face.retract(denialOf(request));
  expect(existsSync(slotOf(request))).toBe(true);
  face.retract(late);
  expect(existsSync(slotOf(request))).toBe(false);
  expectGoodAnswerWorks(channel, request);
});

test("an answer is told to the asker by its event, and to a face by the receipt's", async () => {
  const { channel } = openAsker(home);
  const face = openFace(home);
  const request = channel.file(approvalDraft(), []);
  const answered = new Promise<string>((resolve) => {
    channel.changes((id) => {
      if (id !== null && channel.take(id) !== null) resolve(id);
    });
  });
  const settled = new Promise<string | null>((resolve) => {
    face.changes(() => {
      const receipt = face.receipt(request.id);
      if (receipt !== null) resolve(receipt.outcome);
    });
  });
  face.answer(answerTo(request));
  expect(await answered).toBe(request.id);
  const news = channel.take(request.id);
  if (news?.kind !== "answer") throw new Error("nothing was taken");
  channel.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
  expect(await settled).toBe("answered");
  expect(channel.watching).toEqual({ mode: "watch", rearms: 0 });
});

test("an answer linked before the asker listened is told all the same", async () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  linkInto(request);
  const told = new Promise<string | null>((resolve) => {
    channel.changes(resolve);
  });
  expect(await told).toBe(request.id);
  expect(channel.take(request.id)?.kind).toBe("answer");
});

function linkInto(request: Request): void {
  const other = join(home.pending, ".tmp.other");
  writeFileSync(other, JSON.stringify(answerTo(request)), { mode: 0o600 });
  linkSync(other, slotOf(request));
  unlinkSync(other);
}

test("a server record is written with the first request and removed at the end", () => {
  const { channel } = openAsker(home);
  expect(existsSync(home.servers)).toBe(false);
  const request = channel.file(approvalDraft(), []);
  expect(readdirSync(home.servers)).toEqual(["abcdefghjkmnpqrs.json"]);
  expect(statSync(join(home.servers, "abcdefghjkmnpqrs.json")).mode & 0o7777).toBe(0o600);
  channel.settle(request.id, { outcome: "withdrawn", taken: null, ran: false });
  channel.close();
  expect(readdirSync(home.servers)).toEqual([]);
});

test("a server that leaves requests behind leaves its record: it tells every sweep that it is gone", () => {
  const { channel } = openAsker(home);
  channel.file(approvalDraft(), []);
  channel.close();
  expect(readdirSync(home.servers)).toEqual(["abcdefghjkmnpqrs.json"]);
});
