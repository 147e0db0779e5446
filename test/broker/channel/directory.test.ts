import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { readServerRecord } from "../../../src/broker/channel/server-record.js";
import { readSpooled } from "../../../src/broker/channel/spool.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { type Request, requestFileName } from "../../../src/broker/request/request.js";
import { answerTo, approvalDraft, commandSubject, denialOf } from "../../support/builders.js";
import { expectGoodAnswerWorks, slotOf } from "../../support/slot-by-hand.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

let home: Home;
beforeEach(() => {
  home = tempHome();
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof WispError ? error.code : String(error);
  }
  return "nothing was thrown";
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
    expectGoodAnswerWorks(home, channel, request);
  } finally {
    process.umask(before);
  }
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
  expectGoodAnswerWorks(home, channel, request);
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
  expectGoodAnswerWorks(home, channel, channel.file(approvalDraft(), []));
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
  expect(existsSync(slotOf(home, request))).toBe(true);
  face.retract(late);
  expect(existsSync(slotOf(home, request))).toBe(false);
  expectGoodAnswerWorks(home, channel, request);
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
  linkSync(other, slotOf(home, request));
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

test("what this process did not ask it neither takes, withdraws nor settles; a face asks nothing", () => {
  const { channel } = openAsker(home);
  const request = openAsker(home).channel.file(approvalDraft(), []);
  const unknown = expect.objectContaining({ code: "request_unknown" });
  expect(channel.take(request.id)).toBeNull();
  expect(() => channel.withdraw(request.id, "failed", null)).toThrow(unknown);
  expect(() => channel.settle(request.id, { outcome: "failed", taken: null, ran: false })).toThrow(unknown);
  expect(() => openFace(home).file(approvalDraft(), [])).toThrow(TypeError);
  expect(openFace(home).receipt("../../etc")).toBeNull();
});

test("events of files that belong to nothing wake neither servers nor faces", async () => {
  const { channel } = openAsker(home, { startWatch: watching });
  const face = openFace(home, { startWatch: watching });
  const told: unknown[] = [];
  channel.changes((id) => told.push(["server", id]));
  const request = channel.file(approvalDraft(), []);
  await Promise.resolve();
  face.changes((id) => told.push(["face", id]));
  told.length = 0;
  for (const event of events.splice(0)) {
    for (const name of ["notes.txt", ".hidden.json", "zzzzzzzz.answer.json", `${request.id}.answer.json`])
      event(name);
  }
  expect(told.filter((one) => JSON.stringify(one).includes("server"))).toEqual([["server", request.id]]);
  expect(new Set(told.map((one) => (one as string[])[1]))).toEqual(new Set([request.id, "zzzzzzzz"]));
});

const events: ((name: string | null) => void)[] = [];
const watching = (_directory: string, onEvent: (name: string | null) => void): { close(): void } => {
  events.push(onEvent);
  return { close: () => {} };
};

test("what no call waits for any more is told to faces, until a call comes again or it is settled", () => {
  const { channel } = openAsker(home);
  const [one, two] = [channel.file(approvalDraft(), []), channel.file(approvalDraft(), [])];
  const named = () => readServerRecord(home, one.server.instance)?.record.detached;
  expect(named()).toEqual([]);
  channel.detached(one.id, true);
  channel.detached(two.id, true);
  channel.detached(two.id, true);
  expect(named()).toEqual([one.id, two.id]);
  channel.detached(one.id, false);
  expect(named()).toEqual([two.id]);
  channel.settle(two.id, { outcome: "timed_out", taken: null, ran: false });
  expect(named()).toEqual([]);
  // It is over, or somebody else's.
  for (const id of [two.id, "zzzzzzzz"]) channel.detached(id, true);
  expect(named()).toEqual([]);
});
