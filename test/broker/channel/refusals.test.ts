/** `rejected/<hash>.reason.json`: what a face reads about its answer, and how little hangs on it. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { notTakenIn, rejectedIds } from "../../../src/broker/channel/rejected.js";
import { sweep } from "../../../src/broker/channel/sweep.js";
import { ensureSafeDirectory } from "../../../src/broker/files/safe-directory.js";
import { type Answer, answerFileName } from "../../../src/broker/request/answer.js";
import { refusalFileName } from "../../../src/broker/request/assurance.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { answerTo, approvalDraft } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { expectGoodAnswerWorks } from "../../support/slot-by-hand.js";
import { openAsker, openFace, tempDirectory, tempHome } from "../../support/temp-home.js";
import { watchedWitness } from "../../support/witness-contract.js";
import { finds, takesAll } from "../../support/witnesses.js";

let home: Home;
beforeEach(() => {
  home = tempHome();
});

/** A server that finds every answer wanting until it is told to take them. */
function strictServer() {
  const watched = watchedWitness();
  watched.finds = finds("no_terminal");
  const { channel, refused } = openAsker(home, { witness: watched.witness });
  const request = channel.file(approvalDraft(), []);
  /** Gives a yes that is not taken, and returns it. */
  const refuse = (note: string): Answer => {
    const answer = answerTo(request, { note });
    openFace(home).answer(answer);
    expect(channel.take(request.id)).toBeNull();
    return answer;
  };
  const expectStillAnswerable = (): void => {
    watched.finds = takesAll;
    expectGoodAnswerWorks(home, channel, request);
  };
  return { channel, refused, request, refuse, expectStillAnswerable };
}

const isAnswer = /\.answer\.json$/;

function pathOf(answer: Answer): string {
  return join(home.rejected, refusalFileName(answerHash(answer)));
}

const refusalNames = (): readonly string[] =>
  readdirSync(home.rejected).filter((name) => name.endsWith(".reason.json"));

describe("a refusal", () => {
  it("is a private file of the format beside the answer that was moved away, and no answer is counted for it", () => {
    const { request, refuse } = strictServer();
    const answer = refuse("first");
    expect(JSON.parse(readFileSync(pathOf(answer), "utf8"))).toEqual({
      v: 1,
      id: request.id,
      answer: answerHash(answer),
      shortfall: "no_terminal",
    });
    expect(readdirSync(home.rejected).sort()).toEqual(
      [refusalFileName(answerHash(answer)), `${request.id}.1.json`].sort(),
    );
    expect(rejectedIds(home)).toEqual([request.id]);
  });

  it("is published before its answer leaves the slot, so that its face never looks in vain", () => {
    const stood: boolean[] = [];
    // Each publishing draws a name for its temporary.
    const randomBytes = (size: number): Uint8Array => {
      stood.push(existsSync(home.pending) && readdirSync(home.pending).some((name) => isAnswer.test(name)));
      return systemClock.randomBytes(size);
    };
    const watched = watchedWitness();
    const clock = { ...systemClock, randomBytes };
    const { channel } = openAsker(home, { clock, witness: watched.witness });
    const request = channel.file(approvalDraft(), []);
    watched.finds = finds("no_terminal");
    const answer = answerTo(request);
    openFace(home).answer(answer);
    stood.length = 0;
    expect(channel.take(request.id)).toBeNull();
    expect(stood).toEqual([true]);
    expect(openFace(home).refusal(answer)).toBe("no_terminal");
  });

  it("is kept as long as it is one of the newest 20, and pushes no answer out", () => {
    const { refuse, expectStillAnswerable } = strictServer();
    const old = ["a", "b", "c"].map(refuse);
    waitForTheNextTick(home);
    const newest = Array.from({ length: 20 }, (_, index) => refuse(`${index}`));
    const face = openFace(home);
    expect(old.map((answer) => face.refusal(answer))).toEqual([null, null, null]);
    expect(newest.map((answer) => face.refusal(answer))).toEqual(Array(20).fill("no_terminal"));
    expect(refusalNames()).toHaveLength(20);
    expect(rejectedIds(home)).toHaveLength(20);
    expectStillAnswerable();
  });

  it.each<[string, (answer: Answer, other: Answer) => string]>([
    ["that names another answer", (answer, other) => refusal(answer, { answer: answerHash(other) })],
    ["that names another request", (answer) => refusal(answer, { id: "zzzzzzzz" })],
    ["with an unknown shortfall", (answer) => refusal(answer, { shortfall: "\u001b[2J" })],
    ["with an unknown key", (answer) => refusal(answer, { why: "because" })],
    ["of a newer version", (answer) => refusal(answer, { v: 2 })],
    ["that lacks a key", (answer) => refusal(answer, { id: undefined })],
    ["that is half written", (answer) => refusal(answer).slice(0, -1)],
    ["with a key given twice", (answer) => refusal(answer).replace("{", '{"v":1,')],
    ["that is too large", (answer) => refusal(answer).padEnd(300 * 1024)],
  ])("%s says nothing", (_what, forge) => {
    const { request, expectStillAnswerable } = strictServer();
    const [answer, other] = [answerTo(request), answerTo(request, { note: "other" })];
    ensureSafeDirectory(home.rejected);
    writeFileSync(pathOf(answer), forge(answer, other), { mode: 0o600 });
    const face = openFace(home);
    expect(face.refusal(answer)).toBeNull();
    writeFileSync(pathOf(answer), refusal(answer));
    expect(face.refusal(answer)).toBe("within_client");
    expectStillAnswerable();
  });

  it.each<[string, (path: string, elsewhere: string) => void]>([
    ["a link", (path, elsewhere) => symlinkSync(elsewhere, path)],
    ["a FIFO", (path) => void execFileSync("mkfifo", ["-m", "600", path])],
    ["a directory", (path) => mkdirSync(path)],
    ["open to others", (path, elsewhere) => writeFileSync(path, readFileSync(elsewhere), { mode: 0o644 })],
  ])("that is %s says nothing, keeps nobody waiting, and refuses nothing by itself", (_what, make) => {
    const { request, refuse, expectStillAnswerable } = strictServer();
    const answer = answerTo(request, { note: "mine" });
    const elsewhere = join(tempDirectory(), "refusal");
    writeFileSync(elsewhere, refusal(answer), { mode: 0o600 });
    ensureSafeDirectory(home.rejected);
    make(pathOf(answer), elsewhere);
    const face = openFace(home);
    expect(face.refusal(answer)).toBeNull();
    // The server does not write over it: the face learns less, and the answer is refused all the same.
    expect(refuse("mine")).toEqual(answer);
    expect(face.refusal(answer)).toBeNull();
    expectStillAnswerable();
  });
});

/** File systems put down times by a coarse clock: only past its next tick is a file newer than those before. */
function waitForTheNextTick({ path }: Home): void {
  const probe = join(path, "probe");
  const touched = (): bigint => {
    writeFileSync(probe, "");
    return statSync(probe, { bigint: true }).ctimeNs;
  };
  const first = touched();
  while (touched() === first);
  rmSync(probe);
}

function refusal(answer: Answer, changes: Record<string, unknown> = {}): string {
  const good = { v: 1, id: answer.id, answer: answerHash(answer), shortfall: "within_client" };
  return JSON.stringify({ ...good, ...changes });
}

describe("whoever looks at what was not taken", () => {
  it("finds what was wanting of each answer to each request, beside the count of all", () => {
    expect(notTakenIn(home)).toEqual({ ids: [], refusals: [] });
    const { channel, request, refuse, expectStillAnswerable } = strictServer();
    const other = channel.file(approvalDraft(), []);
    const answers = ["first", "second"].map(refuse);
    openFace(home).answer(answerTo(other));
    expect(channel.take(other.id)).toBeNull();
    plantJunk(other.id);
    expect(channel.take(other.id)).toBeNull();
    const { ids, refusals } = notTakenIn(home);
    expect([...ids].sort()).toEqual([request.id, request.id, other.id, other.id].sort());
    expect(refusals).toHaveLength(3);
    for (const answer of answers) {
      const refusal = { v: 1, id: request.id, answer: answerHash(answer), shortfall: "no_terminal" };
      expect(refusals).toContainEqual(refusal);
    }
    expect(refusals.filter(({ id }) => id === other.id)).toHaveLength(1);
    channel.settle(other.id, { outcome: "timed_out", taken: null, ran: false });
    expectStillAnswerable();
  });

  it("reads no file where nothing fell short, and none of another shape, name or kind", () => {
    const { request, refuse } = strictServer();
    const answer = refuse("good");
    const elsewhere = pathOf(answerTo(request, { note: "elsewhere" }));
    writeFileSync(elsewhere, refusal(answer), { mode: 0o600 });
    const named = (digit: string): string => join(home.rejected, refusalFileName(digit.repeat(64)));
    writeFileSync(named("1"), "half", { mode: 0o600 });
    symlinkSync(pathOf(answer), named("2"));
    execFileSync("mkfifo", ["-m", "600", named("3")]);
    mkdirSync(named("4"));
    writeFileSync(join(home.rejected, `x${refusalFileName(answerHash(answer))}`), refusal(answer));
    expect(notTakenIn(home).refusals).toEqual([
      { v: 1, id: request.id, answer: answerHash(answer), shortfall: "no_terminal" },
    ]);
  });

  it("reads a bounded number of files, however many are planted", () => {
    const { request } = strictServer();
    ensureSafeDirectory(home.rejected);
    for (let index = 0; index < 200; index += 1) {
      const answer = answerTo(request, { note: `${index}` });
      writeFileSync(pathOf(answer), refusal(answer), { mode: 0o600 });
    }
    expect(notTakenIn(home).refusals).toHaveLength(40);
  });
});

function plantJunk(id: string): void {
  writeFileSync(join(home.pending, answerFileName(id)), "junk", { mode: 0o600 });
}

describe("where no refusal can be written", () => {
  it.each<[string, (path: string) => void]>([
    ["is a file", (path) => writeFileSync(path, "")],
    ["is a link to where others can write", (path) => symlinkSync(tempDirectory(), path)],
    [
      "is open to others",
      (path) => {
        mkdirSync(path);
        chmodSync(path, 0o777);
      },
    ],
    ["is a link to itself", (path) => symlinkSync(path, path)],
  ])("because rejected/ %s, only the words are missing", (_what, spoil) => {
    const { refuse, refused, request, expectStillAnswerable } = strictServer();
    spoil(home.rejected);
    const answer = refuse("unheard");
    expect(openFace(home).refusal(answer)).toBeNull();
    expect(refused).toMatchObject([
      {
        id: request.id,
        reason: "assurance_insufficient: no_terminal",
        movedTo: null,
        testimony: { shortfall: "no_terminal" },
      },
    ]);
    expectStillAnswerable();
  });
});

describe("a sweep", () => {
  it("removes what a crash left half published among the refusals, and leaves those", () => {
    const { channel, refuse, request } = strictServer();
    const answer = refuse("first");
    const clock = new FakeClock();
    const [old, young] = [".tmp.old", ".tmp.young"].map((name) => join(home.rejected, name));
    for (const [path, age] of [
      [old, 61],
      [young, 59],
    ] as const) {
      writeFileSync(path ?? "", "half", { mode: 0o600 });
      utimesSync(path ?? "", clock.now() / 1_000 - age, clock.now() / 1_000 - age);
    }
    sweep(
      { home, clock, instance: null, liveness: () => "alive", onDecidedFact: () => {} },
      channel.pending(),
    );
    expect(readdirSync(home.rejected).sort()).toEqual(
      [".tmp.young", refusalFileName(answerHash(answer)), `${request.id}.1.json`].sort(),
    );
  });
});
