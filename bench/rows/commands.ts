/** What the commands cost that people and scripts type: whole processes, in CPU. */
import { blocksOfTime, type Row } from "../row.js";
import { approvedResult, startAskingServer } from "../support/asking-server.js";
import { cpuMsOfRun } from "../support/command.js";
import { benchProgram, wisp } from "../support/places.js";
import { alternate, ratioOf } from "../verdict.js";

const rounds = 15;
const listingRounds = 3;
const crowd = 10_000;

const gate = { bar: 2, goal: 1.6, holds: "at most" } as const;
const heavy = ["--import", benchProgram("faults/heavy-import")];
const nothing = [process.execPath, "-e", "0"];

export const pendingRow: Row = {
  name: "cli-pending",
  what: "`wisp approvals pending`, 5 waiting: whole process, CPU",
  against: "`node -e 0`",
  unit: "×",
  gate,
  mostBlocks: blocksOfTime,
  fault: "it loads commander and the whole of zod",
  async open({ fault }) {
    const server = await startAskingServer("none");
    const asked = await server.ask(5);
    const run = {
      argv: [process.execPath, ...(fault ? heavy : []), wisp, "approvals", "pending"],
      environment: { WISP_HOME: server.home.path },
      says: asked.map(({ id }) => id),
    };
    const floor = { argv: nothing, says: [] };
    return {
      block: async () =>
        ratioOf(
          await alternate(
            rounds,
            () => cpuMsOfRun(floor),
            () => cpuMsOfRun(run),
          ),
        ),
      close: server.close,
    };
  },
};

export const approveRow: Row = {
  name: "cli-approve",
  what: "`wisp approvals approve ID` on a terminal, until the receipt: whole process, CPU",
  against: "`node -e 0` on a terminal",
  unit: "×",
  gate,
  // Nearest to its bar of all, and two processes and a terminal take part: more blocks see it undisturbed.
  mostBlocks: blocksOfTime + 4,
  fault: "it loads commander and the whole of zod",
  async open({ fault }) {
    const server = await startAskingServer("none");
    async function approveOne(): Promise<number> {
      const [asked] = await server.ask(1);
      if (asked === undefined) throw new Error("Nothing was asked.");
      const cpuMs = await cpuMsOfRun({
        argv: [process.execPath, ...(fault ? heavy : []), wisp, "approvals", "approve", asked.id],
        environment: { WISP_HOME: server.home.path },
        onTerminal: true,
        says: ["approved (once, ", "): git push origin"],
      });
      const { text } = await server.result();
      if (text !== approvedResult(asked)) throw new Error(`The call ended with ${text}.`);
      return cpuMs;
    }
    const floor = { argv: nothing, onTerminal: true, says: [] };
    return {
      block: async () => ratioOf(await alternate(rounds, () => cpuMsOfRun(floor), approveOne)),
      close: server.close,
    };
  },
};

export const listingRow: Row = {
  name: "listing",
  what: "listing 10,000 waiting, `approvals pending --json`: whole process, CPU",
  against: "readdir, read and JSON.parse of the same files in a process of their own",
  unit: "×",
  gate: { bar: 4, goal: 2.5, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "every file is read ten times over",
  async open({ fault }) {
    const server = await startAskingServer("none");
    const asked = await server.ask(crowd);
    const wasteful = fault ? ["--import", benchProgram("faults/reads-again")] : [];
    const run = {
      argv: [process.execPath, ...wasteful, wisp, "approvals", "pending", "--json"],
      environment: { WISP_HOME: server.home.path },
      says: ['"schemaVersion":1', ...asked.filter((_, index) => index % 999 === 0).map(({ id }) => id)],
    };
    const floor = {
      argv: [process.execPath, benchProgram("workers/least-listing"), server.home.pending],
      says: [`${crowd} requests`],
    };
    return {
      block: async () =>
        ratioOf(
          await alternate(
            listingRounds,
            () => cpuMsOfRun(floor),
            () => cpuMsOfRun(run),
          ),
        ),
      close: server.close,
    };
  },
};
