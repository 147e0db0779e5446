import { type ChildProcess, fork } from "node:child_process";
import { expect, inject, onTestFinished, test } from "vitest";
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
/**
 * When the server claims, against the instant of the others: each of them can come first. Once it claims before anybody
 * is told what to answer: however busy the machine is, it has won some rounds, and has been answered too late in them.
 */
const serverLeads = [15, "untold", 2, 1, 0] as const;

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
  for (let round = 0; round < rounds; round += 1) {
    const request = channel.file(approvalDraft(), []);
    const ending = endingOf(round);
    const claimed = ending?.lead === "untold" ? channel.withdraw(request.id, ending.decision, null) : null;
    const at = Date.now() + 25;
    const reports = racers.map((racer, index) => raceOne(racer, round, request, index, at));
    const taken = await takenAt(at, channel, request, ending, claimed);
    const serverWon = taken.answer.via === "server";
    if (claimed !== null) expect(serverWon).toBe(true);
    const outcome = ending !== null && serverWon ? ending.decision : "answered";
    channel.settle(request.id, { outcome, taken, ran: ending === null ? null : false });
    const all = await Promise.all(reports);
    expect(all.filter((report) => report.isFirst && report.hash === taken.hash)).toHaveLength(
      serverWon ? 0 : 1,
    );
    expect(new Set(all.map((report) => report.taken))).toEqual(new Set([taken.hash]));
    expect(new Set(all.map((report) => report.outcome)).size).toBe(1);
  }
}, 600_000);

interface Ending {
  readonly decision: ServerDecision;
  readonly lead: (typeof serverLeads)[number];
}

/** How the server ends the wait in this round; null where it does not. */
function endingOf(round: number): Ending | null {
  if (round % serverRounds !== 0) return null;
  const turn = round / serverRounds;
  const lead = serverLeads[turn % serverLeads.length] ?? 0;
  return { decision: turn % 2 === 0 ? "timed_out" : "withdrawn", lead };
}

type Asker = ReturnType<typeof openAsker>["channel"];

/** Takes the first answer, or claims the slot for the server around `at` unless that is done; returns what was taken. */
async function takenAt(
  at: number,
  channel: Asker,
  request: Request,
  ending: Ending | null,
  claimed: Taken | null,
): Promise<Taken> {
  if (ending !== null) {
    const leadMs = ending.lead === "untold" ? 0 : ending.lead;
    while (Date.now() < at - leadMs) await new Promise((resolve) => setImmediate(resolve));
    return claimed ?? channel.withdraw(request.id, ending.decision, null);
  }
  return new Promise<Taken>((resolve) => {
    const stop = channel.changes(look);
    look();
    function look(): void {
      const news = channel.take(request.id);
      if (news?.kind !== "answer") return;
      stop();
      resolve(news.taken);
    }
  });
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
  const env = { ...process.env, WISP_TEST_DOOR: inject("door") };
  const racers = Array.from({ length: processes }, () => fork(program, [home], { stdio: "inherit", env }));
  onTestFinished(() => {
    for (const racer of racers) racer.kill("SIGKILL");
  });
  await Promise.all(racers.map((racer) => new Promise((resolve) => racer.once("message", resolve))));
  return racers;
}
