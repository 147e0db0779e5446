/** The programs as they were built, run as a person or a script runs them. */
import { type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import type { Ran } from "./run-verb.js";

/** The command, as `npm run build` leaves it. */
export const wispProgram: string = fileURLToPath(new URL("../../dist/wisp.cjs", import.meta.url));

if (!existsSync(wispProgram)) throw new Error("Nothing is built: npm run build");

/** The words that start `wisp`, and the environment in which it uses `home`. */
export function wispOn(home: Home, ...words: readonly string[]): readonly string[] {
  return ["env", `WISP_HOME=${home.path}`, process.execPath, wispProgram, ...words];
}

/** Runs `words` without a terminal; by default with nothing to read. */
export function runBare(words: readonly string[], options: SpawnOptions = {}): Promise<Ran> {
  const [program = "", ...rest] = words;
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], ...options });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ exit: code ?? -1, out, err }));
  });
}
