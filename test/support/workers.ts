/** Starts the worker programs of test/e2e/workers, alone or with a fault at one file-system step. */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import type { Request } from "../../src/broker/request/request.js";
import { tempDirectory } from "./temp-home.js";

/** Which step fails, and how. */
export interface FaultAt {
  /**
   * The name of a step, as the process that counted them reported it: it comes in every run, in whatever order things that
   * wait for one another happen to go on. Or a number, for the one that comes so many-th, from 1; 0 only counts.
   */
  readonly step: number | string;
  readonly fault: string;
}

export interface Worker {
  readonly child: ChildProcess;
  /** The first message that holds `key`; null when the worker ended without one. */
  told<T>(key: string): Promise<T | null>;
  /** Exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** The names of the steps that were counted; only for step 0. */
  steps(): readonly string[];
}

export function startWorker(
  name:
    | "asker"
    | "answerer"
    | "auditor"
    | "fact-face"
    | "fact-keeper"
    | "fact-sweeper"
    | "granter"
    | "keeper"
    | "rule-keeper",
  home: string,
  environment: Readonly<Record<string, string>>,
  faultAt: FaultAt | null,
): Worker {
  const report = join(tempDirectory(), "steps");
  const directory = new URL("../e2e/workers/", import.meta.url);
  const preload = faultAt === null ? [] : ["--require", new URL("fault-at.cjs", directory).pathname];
  const child = fork(new URL(`${name}.mjs`, directory), {
    execArgv: preload,
    stdio: ["ignore", "inherit", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH ?? "",
      WISP_TEST_DOOR: inject("door"),
      WISP_TEST_HOME: home,
      WISP_TEST_REPORT: report,
      WISP_TEST_STEP: String(faultAt?.step ?? 0),
      WISP_TEST_FAULT: faultAt?.fault ?? "",
      ...environment,
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const messages: object[] = [];
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
  });
  child.on("message", (message) => messages.push(message as object));
  return {
    child,
    ended,
    told: (key) => firstWith(child, messages, key),
    steps: () => (existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as string[]) : []),
  };
}

function firstWith<T>(child: ChildProcess, messages: readonly object[], key: string): Promise<T | null> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = messages.find((message) => key in message) as Record<string, T> | undefined;
      if (found !== undefined) resolve(found[key] ?? null);
    };
    child.on("message", look);
    // Messages still in the pipe come before `close`, not before `exit`.
    child.on("close", () => {
      look();
      resolve(null);
    });
    look();
  });
}

/** So many victims live at a time: while some wait for their disk, others start. */
const mostVictims = 4;

/**
 * Calls `run` with the number, from 1 on, and the name of each of `steps` that leaves something else than the one before it.
 * Several run at a time.
 */
export async function atEachStep(
  steps: readonly string[],
  run: (step: number, where: string, name: string) => Promise<void>,
): Promise<void> {
  const left = steps.entries();
  const runAll = async (): Promise<void> => {
    // All share what is left.
    for (const [index, name] of left) {
      if (leavesTheSame(name, steps[index - 1])) continue;
      await run(index + 1, `step ${index + 1} ${name}`, name);
    }
  };
  await Promise.all(Array.from({ length: mostVictims }, runAll));
}

/**
 * Who dies before it closes a file that it has just synced leaves what one leaves that dies before the syncing: every reader
 * sees what was written at once, and what a process has open is closed with it. Only deaths come before a closing.
 */
function leavesTheSame(step: string, before: string | undefined): boolean {
  const [, closed] = /^closeSync (.+?)(?: \(\d+\))?$/.exec(step) ?? [];
  const [, synced] = /^f(?:data)?sync (.+?)(?: \(\d+\))?$/.exec(before ?? "") ?? [];
  return closed !== undefined && closed === synced;
}

/** The request that an asker filed, or null when it died before. */
export function filedBy(worker: Worker): Promise<Request | null> {
  return worker.told<Request>("filed");
}
