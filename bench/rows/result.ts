/** From `link()` of an answer to the call's result at the client: decision on disk, receipt, clearing. */
import { blocksOfTime, type Row } from "../row.js";
import { startAskingServer } from "../support/asking-server.js";
import { startLeastServer } from "../support/least-server.js";
import { alternate, ratioOf } from "../verdict.js";

const rounds = 60;

export const resultRow: Row = {
  name: "result",
  what: "`link()` → the call's result at the client (a look at the answering process, durable record, receipt, clearing included)",
  against: "the least server: watch, check, one fdatasync, receipt, result",
  unit: "×",
  gate: { bar: 2.5, goal: 1.5, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "each decision is written to disk four times",
  async open({ fault }) {
    const server = await startAskingServer(fault ? "writes four times" : "none");
    const least = await startLeastServer();
    await alternate(rounds, least.answerOne, server.answerOne);
    return {
      block: async () => ratioOf(await alternate(rounds, least.answerOne, server.answerOne)),
      async close() {
        await server.close();
        await least.close();
      },
    };
  },
};
