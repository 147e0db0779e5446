/** What it costs to start the MCP server until it has introduced itself. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { blocksOfTime, type Row } from "../row.js";
import { cpuMsOf } from "../support/cpu.js";
import { benchProgram, newPlace, type Place, wisp } from "../support/places.js";
import { alternate, ratioOf } from "../verdict.js";

const rounds = 15;

export const mcpStartRow: Row = {
  name: "mcp-start",
  what: "`wisp mcp`: start → answer to `initialize`, CPU",
  against: "a bare server of the same SDK, bundled",
  unit: "×",
  gate: { bar: 1.3, goal: 1.1, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "it loads commander and the whole of zod",
  async open({ fault }) {
    const place = newPlace();
    const heavy = fault ? ["--import", benchProgram("faults/heavy-import")] : [];
    const floor = [benchProgram("workers/bare-mcp-server")];
    const subject = [...heavy, wisp, "mcp"];
    return {
      block: async () =>
        ratioOf(
          await alternate(
            rounds,
            () => cpuMsOfStart(floor, "bare", place),
            () => cpuMsOfStart(subject, "wisp", place),
          ),
        ),
      close: async () => place.remove(),
    };
  },
};

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  },
};

/** Milliseconds of CPU that `node` with `words` has taken when its answer is there; it must call itself `name`. */
async function cpuMsOfStart(words: readonly string[], name: string, place: Place): Promise<number> {
  const child = spawn(process.execPath, words, {
    cwd: place.path(""),
    env: { PATH: process.env.PATH ?? "", WISP_HOME: place.home.path },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const answer = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.on("close", (code) => reject(new Error(`${name} ended with ${code} before it answered.`)));
  });
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  const { result } = JSON.parse(await answer);
  const cpuMs = cpuMsOf(child.pid ?? 0);
  child.stdin.end();
  const code = await ended;
  if (result?.serverInfo?.name !== name || code !== 0) {
    throw new Error(`${name} answered ${JSON.stringify(result)} and ended with ${code}.`);
  }
  return cpuMs;
}
