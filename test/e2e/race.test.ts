import { type ChildProcess, fork } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import type { Taken } from "../../src/broker/channel/channel.js";
import type { ServerDecision } from "../../src/broker/request/answer.js";
import { answerHash } from "../../src/broker/request/binding.js";
import type { Request } from "../../src/broker/request/request.js";
import { answerTo, approvalDraft, denialOf } from "../support/builders.js";
import { openAsker, tempHome } from "../support/temp-home.js";

const processes = 64;
const rounds = 200;
/** Every fourth round the server ends the wait too: a time-out and a withdrawal in turn. */
const serverRounds = 4;
/** When the server claims, against the instant of the others: each of them can come first. */
const serverLeadsMs = [15, 2, 1, 0];

interface Report {
  readonly round: number;
  readonly isFirst: boolean;
  readonly hash: string;
  readonly taken: string | null;
  readonly outcome: string;
}

test("of 64 processes and the server, answering at one instant, exactly one decides and all read the same", async () => {
  const home = tempHome();
  const { channel } = openAsker(home);
  // Made before anybody looks at it.
  channel.settle(channel.file(approvalDraft(), []).id, { outcome: "withdrawn", taken: null, ran: false });
  const racers = await startRacers(home.path);
  let serverWins = 0;
  for (let round = 0; round < rounds; round += 1) {
    const request = channel.file(approvalDraft(), []);
    const at = Date.now() + 25;
    const reports = racers.map((racer, index) => raceOne(racer, round, request, index, at));
    const decision = round % serverRounds === 0 ? (round % 8 === 0 ? "timed_out" : "withdrawn") : null;
    const leadMs = serverLeadsMs[(round / serverRounds) % serverLeadsMs.length] ?? 0;
    const taken = await decide(channel, request, decision, at - leadMs);
    const all = await Promise.all(reports);
    const serverWon = taken.answer.via === "server";
    if (serverWon) serverWins += 1;
    expect(all.filter((report) => report.isFirst && report.hash === taken.hash)).toHaveLength(
      serverWon ? 0 : 1,
    );
    expect(new Set(all.map((report) => report.taken))).toEqual(new Set([taken.hash]));
    expect(new Set(all.map((report) => report.outcome)).size).toBe(1);
  }
  // A race that the server never won would prove nothing about its time-outs.
  expect(serverWins).toBeGreaterThan(0);
}, 600_000);

type Asker = ReturnType<typeof openAsker>["channel"];

/** Takes the first answer, or claims the slot for the server at `at`; settles; returns what was taken. */
async function decide(channel: Asker, request: Request, decision: ServerDecision | null, at: number) {
  if (decision !== null) {
    while (Date.now() < at) await new Promise((resolve) => setImmediate(resolve));
    const taken = channel.withdraw(request.id, decision, null);
    const outcome = taken.answer.via === "server" ? decision : "answered";
    channel.settle(request.id, { outcome, taken, ran: false });
    return taken;
  }
  const taken = await new Promise<Taken>((resolve) => {
    const stop = channel.changes(look);
    look();
    function look(): void {
      const news = channel.take(request.id);
      if (news?.kind !== "answer") return;
      stop();
      resolve(news.taken);
    }
  });
  channel.settle(request.id, { outcome: "answered", taken, ran: null });
  return taken;
}

function raceOne(
  racer: ChildProcess,
  round: number,
  request: Request,
  index: number,
  at: number,
): Promise<Report> {
  const by = { pid: racer.pid ?? 1, startedAt: String(index), tty: null, version: "0.1.0" };
  const answer = { ...(index % 2 === 0 ? answerTo(request) : denialOf(request, `no ${index}`)), by };
  expect(answerHash(answer)).toMatch(/^[0-9a-f]{64}$/);
  return new Promise((resolve) => {
    racer.once("message", (message) => resolve(message as Report));
    racer.send({ round, answer, at });
  });
}

async function startRacers(home: string): Promise<readonly ChildProcess[]> {
  const program = new URL("./workers/racer.mjs", import.meta.url);
  const racers = Array.from({ length: processes }, () => fork(program, [home], { stdio: "inherit" }));
  onTestFinished(() => {
    for (const racer of racers) racer.kill("SIGKILL");
  });
  await Promise.all(racers.map((racer) => new Promise((resolve) => racer.once("message", resolve))));
  return racers;
}
