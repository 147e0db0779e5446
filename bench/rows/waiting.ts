/** What 10,000 waiting calls cost the server that waits: CPU while nothing happens, and memory. */
import type { Row } from "../row.js";
import { type AskingServer, startAskingServer } from "../support/asking-server.js";
import { cpuMsOf } from "../support/cpu.js";
import { sleep } from "../support/worker.js";

const crowd = 10_000;
const idleMs = 10_000;

export const idleRow: Row = {
  name: "idle",
  what: "idle CPU of a server with 10,000 waiting, over 10 s",
  against: "one core",
  unit: "%",
  gate: { bar: 0.5, goal: 0.05, holds: "at most" },
  mostBlocks: 3,
  fault: "the server looks at every waiting request every 200 ms",
  async open({ fault }) {
    const server = await startAskingServer(fault ? "polls each request" : "none");
    await server.ask(crowd);
    // What filing left to do, collecting garbage above all, is no part of being idle.
    await server.memory();
    await sleep(5_000);
    return {
      async block() {
        const before = cpuMsOf(server.pid);
        await sleep(idleMs);
        return ((cpuMsOf(server.pid) - before) / idleMs) * 100;
      },
      close: server.close,
    };
  },
};

export const heapRow = memoryRow("heap", { bar: 8, goal: 3 });
export const residentRow = memoryRow("resident", { bar: 16, goal: 16 });

function memoryRow(kind: "heap" | "resident", { bar, goal }: { bar: number; goal: number }): Row {
  return {
    name: `memory-${kind}`,
    what: `memory per waiting call in the server, ${kind}, with 10,000 waiting`,
    against: "the server before",
    unit: "KiB",
    gate: { bar, goal, holds: "at most" },
    mostBlocks: 2,
    fault: "the server keeps 32 KiB with each waiting call",
    async open({ fault }) {
      const servers: AskingServer[] = [];
      return {
        async block() {
          const server = await startAskingServer(fault ? "keeps too much" : "none");
          servers.push(server);
          const before = await server.memory();
          await server.ask(crowd);
          const after = await server.memory();
          return (after[kind] - before[kind]) / crowd / 1_024;
        },
        async close() {
          for (const server of servers) await server.close();
        },
      };
    },
  };
}
