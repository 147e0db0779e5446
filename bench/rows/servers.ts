/** What one answer costs all servers that share a directory: every one of them hears every change in it. */
import { blocksOfTime, type Row } from "../row.js";
import { cpuMsOf } from "../support/cpu.js";
import { newPlace } from "../support/places.js";
import { startWaitingServer, type WaitingServer } from "../support/waiting-server.js";
import { sleep } from "../support/worker.js";
import { alternate, ratioOf } from "../verdict.js";

const many = 50;
const batches = 3;

export const serversRow: Row = {
  name: "servers",
  what: "50 servers on one directory, CPU of all per answer",
  against: "1 server",
  unit: "×",
  gate: { bar: 25, goal: 15, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "every answer costs each server a millisecond, whoever it is for",
  async open({ fault }) {
    const watching = fault ? "hears everything" : "none";
    const place = newPlace();
    const alone = await startWaitingServer(watching);
    // One after the other: all at once they would be slow enough to doubt their watches.
    const crowd: WaitingServer[] = [];
    for (let index = 0; index < many; index += 1) crowd.push(await startWaitingServer(watching, place));
    for (const server of [alone, ...crowd]) await server.answerOne();
    return {
      block: async () =>
        ratioOf(
          await alternate(
            batches,
            () => cpuPerAnswer([alone]),
            () => cpuPerAnswer(crowd),
          ),
        ),
      async close() {
        for (const server of [alone, ...crowd]) await server.close();
        place.remove();
      },
    };
  },
};

/** Milliseconds of CPU of all `servers` for one answer: taken, settled and cleared. Filing is not counted. */
async function cpuPerAnswer(servers: readonly WaitingServer[]): Promise<number> {
  const waiting = [];
  for (const server of servers) {
    for (const asked of await server.file(many / servers.length)) waiting.push({ server, asked });
  }
  await sleep(settlingMs);
  const before = cpuOf(servers);
  for (const { server, asked } of waiting) await server.answer(asked);
  await sleep(settlingMs);
  return (cpuOf(servers) - before) / waiting.length;
}

/** Everybody has heard of everything by then. */
const settlingMs = 200;

function cpuOf(servers: readonly WaitingServer[]): number {
  return servers.reduce((sum, server) => sum + cpuMsOf(server.pid), 0);
}
