/** From `link()` of an answer, by another process, to its validation in the waiting server. */

import { blocksOfTime, type Row } from "../row.js";
import { startPollingServer } from "../support/polling-server.js";
import { startSocketServer } from "../support/socket-server.js";
import { startWaitingServer, type WaitingServer } from "../support/waiting-server.js";
import { alternate, median, ratioOf } from "../verdict.js";

const rounds = 60;
/** A poll answers somewhere in its 200 ms: enough rounds for its median, few enough to wait for. */
const pollRounds = 15;
const crowd = 10_000;

export const answerRow: Row = {
  name: "answer",
  what: "answer: `link()` → read and validated in the waiting server",
  against: "Unix-socket round trip",
  unit: "×",
  gate: { bar: 1, goal: 0.4, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "the server polls instead of watching",
  async open({ fault }) {
    const server = await startWaitingServer(fault ? "polls" : "none");
    const socket = await startSocketServer();
    await warmUp(server, socket);
    return {
      block: async () => ratioOf(await alternate(rounds, socket.answerOne, server.answerOne)),
      async close() {
        await server.close();
        await socket.close();
      },
    };
  },
};

export const answerAgainstPollRow: Row = {
  name: "answer-poll",
  what: "the same",
  against: "a 200 ms poll (times faster)",
  unit: "×",
  gate: { bar: 100, goal: 500, holds: "at least" },
  mostBlocks: blocksOfTime,
  fault: "the server polls instead of watching",
  async open({ fault }) {
    const server = await startWaitingServer(fault ? "polls" : "none");
    const poll = await startPollingServer();
    await warmUp(server);
    return {
      async block() {
        const { floor, subject } = await alternate(pollRounds, poll.answerOne, server.answerOne);
        return median(floor) / median(subject);
      },
      async close() {
        await server.close();
        await poll.close();
      },
    };
  },
};

export const answerInCrowdRow: Row = {
  name: "answer-crowd",
  what: "the same with 10,000 requests waiting",
  against: "itself with 1 waiting",
  unit: "×",
  gate: { bar: 2, goal: 1.2, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "events come without names, so that each makes the server read the directory",
  async open({ fault }) {
    const watching = fault ? "rescans" : "none";
    const alone = await startWaitingServer(watching);
    const crowded = await startWaitingServer(watching);
    await warmUp(alone, crowded);
    await fileCrowd(crowded);
    return {
      block: async () => ratioOf(await alternate(rounds, alone.answerOne, crowded.answerOne)),
      async close() {
        await alone.close();
        await crowded.close();
      },
    };
  },
};

/** The compiler has seen the path before anything is measured, as in a server that has run for a while. */
async function warmUp(...servers: readonly Pick<WaitingServer, "answerOne">[]): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    for (const server of servers) await server.answerOne();
  }
}

/** A few at a time: nobody files thousands at once, and a queue of events that overflows is another story. */
async function fileCrowd(server: WaitingServer): Promise<void> {
  const batch = 100;
  for (let left = crowd - 1; left > 0; left -= batch) await server.file(Math.min(left, batch));
}
