/** What happens to requests that wait while their directory is broken, replaced or opened to others. */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { readReceipt, unprovedReceipt } from "../../../src/broker/channel/receipts.js";
import { rejectSlot } from "../../../src/broker/channel/rejected.js";
import { readSlot } from "../../../src/broker/channel/slot.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import type { Request } from "../../../src/broker/request/request.js";
import { answerTo, approvalDraft, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

let home: Home;
beforeEach(() => {
  home = tempHome();
});

function plantAnswer(directory: string, request: Request): void {
  writeFileSync(join(directory, `${request.id}.answer.json`), JSON.stringify(answerTo(request)), {
    mode: 0o600,
  });
}

const breakages: Record<string, (home: Home) => void> = {
  "pending is a file": ({ pending }) => {
    renameSync(pending, `${pending}.old`);
    writeFileSync(pending, "");
  },
  "the home is a file": ({ path }) => {
    renameSync(path, `${path}.old`);
    writeFileSync(path, "");
  },
  "the home is a link to itself": ({ path }) => {
    renameSync(path, `${path}.old`);
    symlinkSync(path, path);
  },
  "pending is a link to itself": ({ pending }) => {
    renameSync(pending, `${pending}.old`);
    symlinkSync(pending, pending);
  },
  "pending is a link to where the files are": ({ pending }) => {
    renameSync(pending, `${pending}.old`);
    symlinkSync(`${pending}.old`, pending);
  },
  "pending is open to others": ({ pending }) => chmodSync(pending, 0o777),
  "the home is open to others": ({ path }) => chmodSync(path, 0o755),
  "pending is closed to its owner": ({ pending }) => chmodSync(pending, 0o000),
  "pending is gone": ({ pending }) => rmSync(pending, { recursive: true }),
  "the home is gone": ({ path }) => rmSync(path, { recursive: true }),
};

describe.each(Object.keys(breakages))("while %s", (what) => {
  test("nothing is taken, the request ends, and no timer or watch throws", () => {
    const clock = new FakeClock();
    const { channel } = openAsker(home, { clock });
    const request = channel.file(approvalDraft(), []);
    const told: unknown[] = [];
    channel.changes((id) => told.push(id));
    plantAnswer(home.pending, request);
    breakages[what]?.(home);
    clock.advance(5_000);
    expect(channel.take(request.id)).toMatchObject({ kind: "broken" });
    expect(channel.withdraw(request.id, "failed", null).answer.decision).toBe("failed");
  });
});

test("a request outlives the repair of its directory, when nobody looked in between", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  chmodSync(home.pending, 0o755);
  chmodSync(home.pending, 0o700);
  plantAnswer(home.pending, request);
  expect(channel.take(request.id)?.kind).toBe("answer");
});

test("a receipt that somebody else wrote gives way to the server's own", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  mkdirSync(home.settled, { mode: 0o700 });
  const forged = unprovedReceipt(request, { outcome: "timed_out", taken: null, ran: false }, 0);
  writeFileSync(join(home.settled, `${request.id}.json`), JSON.stringify(forged), { mode: 0o600 });
  plantAnswer(home.pending, request);
  const news = channel.take(request.id);
  if (news?.kind !== "answer") throw new Error("nothing was taken");
  channel.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
  const receipt = readReceipt(home, request.id);
  expect(receipt).toMatchObject({ outcome: "answered", answer: news.taken.hash });
  expect(receipt !== null && isReceiptVerified(receipt, request)).toBe(true);
});

test("a receipt's name that cannot be cleared is an error: nobody would learn how the request ended", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  mkdirSync(home.settled, { mode: 0o700 });
  mkdirSync(join(home.settled, `${request.id}.json`));
  writeFileSync(home.rejected, "");
  const settle = () => channel.settle(request.id, { outcome: "withdrawn", taken: null, ran: false });
  expect(settle).toThrow(expect.objectContaining({ code: "channel_unavailable" }));
});

test("a receipt of a clock that was set back is still one that every reader takes", () => {
  const clock = new FakeClock();
  const { channel } = openAsker(home, { clock });
  const request = channel.file(approvalDraft(), []);
  clock.jumpWallClock(-3_600_000);
  const taken = channel.withdraw(request.id, "timed_out", null);
  channel.settle(request.id, { outcome: "timed_out", taken, ran: false });
  expect(readReceipt(home, request.id)).toMatchObject({ outcome: "timed_out", seconds: 0 });
});

test.each([
  ["a file", (slot: string) => writeFileSync(slot, "junk", { mode: 0o600 })],
  ["a directory", (slot: string) => mkdirSync(slot)],
])("junk that is %s and cannot be moved away is removed, and that is told", (_what, make) => {
  const { channel, refused } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  writeFileSync(home.rejected, "");
  make(join(home.pending, `${request.id}.answer.json`));
  expect(channel.take(request.id)).toBeNull();
  expect(refused).toMatchObject([{ id: request.id, movedTo: null }]);
  plantAnswer(home.pending, request);
  expect(channel.take(request.id)?.kind).toBe("answer");
});

test("a slot that was cleared by somebody else is not cleared again", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  expect(rejectSlot(home, request.id, null)).toEqual({ kind: "changed" });
  const slot = join(home.pending, `${request.id}.answer.json`);
  writeFileSync(slot, "junk", { mode: 0o600 });
  const junk = readSlot(home, request.id);
  if (junk.kind !== "junk") throw new Error("junk was taken for something else");
  rmSync(slot);
  writeFileSync(home.rejected, "");
  expect(rejectSlot(home, request.id, junk.stats)).toEqual({ kind: "changed" });
});

test("a good answer that comes between the look at junk and its removal stays in the slot", () => {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft(), []);
  const slot = join(home.pending, `${request.id}.answer.json`);
  writeFileSync(slot, "junk", { mode: 0o600 });
  const junk = readSlot(home, request.id);
  if (junk.kind !== "junk") throw new Error("junk was taken for something else");
  renameSync(slot, join(home.path, "junk"));
  const answer = answerTo(request);
  openFace(home).answer(answer);
  expect(rejectSlot(home, request.id, junk.stats)).toEqual({ kind: "changed" });
  const news = channel.take(request.id);
  expect(news?.kind === "answer" && news.taken.hash).toBe(answerHash(answer));
});

test("a server is told only of its own requests", async () => {
  const mine = openAsker(home).channel;
  const theirs = openAsker(home).channel;
  const told: (string | null)[] = [];
  const request = mine.file(approvalDraft(), []);
  await new Promise<void>((resolve) => {
    mine.changes((id) => {
      told.push(id);
      if (mine.take(request.id) !== null) resolve();
    });
    const other = theirs.file(approvalDraft(), []);
    openFace(home).answer(denialOf(other));
    openFace(home).answer(denialOf(request));
  });
  expect(new Set(told)).toEqual(new Set([request.id]));
});

test("no timer runs while nothing waits, also with a listener", () => {
  const clock = new FakeClock();
  const { channel } = openAsker(home, { clock });
  channel.changes(() => {});
  const request = channel.file(approvalDraft(), []);
  const waiting = clock.timers;
  channel.settle(request.id, {
    outcome: "withdrawn",
    taken: channel.withdraw(request.id, "withdrawn", null),
    ran: false,
  });
  clock.advance(1_000);
  // The heartbeat goes on: it says that the server lives.
  expect([waiting > 1, clock.timers]).toEqual([true, 1]);
});

test("a text that vanishes while its request is filed is spooled again", () => {
  const long = "x".repeat(20_000);
  const clock = new FakeClock();
  const drawn = clock.randomBytes.bind(clock);
  let isArmed = true;
  clock.randomBytes = (size) => {
    // The secret of a receipt is drawn after the text was spooled and before the request is published.
    if (isArmed && size === 32) {
      isArmed = false;
      rmSync(home.spool, { recursive: true, force: true });
    }
    return drawn(size);
  };
  const { channel } = openAsker(home, { clock });
  channel.file(approvalDraft({ says: "long" }), [long]);
  expect(isArmed).toBe(false);
  expect(readSpool()).toHaveLength(1);
});

function readSpool(): readonly string[] {
  return readdirSync(home.spool);
}
