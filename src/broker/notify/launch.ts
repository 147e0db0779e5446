/**
 * Starts the programs that post banners. Invariant: whatever a program does, the launch resolves within seconds, its
 * whole group is ended unless it ended well, and nothing of it keeps this process alive.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { errnoOf } from "../request/errors.js";
import type { Clock, Timer } from "../system/clock.js";

/** A program with its words, never a line for a shell. */
export interface Program {
  /** Absolute. */
  readonly path: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads; null for nothing. */
  readonly input: string | null;
}

/** How it ended. The texts are what it printed, at most 4,096 bytes each, as it printed them. */
export type LaunchEnding =
  | { readonly ending: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly ending: "died"; readonly signal: string }
  /** It did not end in time. */
  | { readonly ending: "hung" }
  | { readonly ending: "cancelled" }
  /** `errno` is the system's word for why. */
  | { readonly ending: "not_started"; readonly errno: string };

/** Runs one program to its end; never rejects. Handed in, so that tests need no desktop. */
export type Launch = (program: Program, signal: AbortSignal) => Promise<LaunchEnding>;

/** A program that posts does so in milliseconds; one that waits for the person's click must not be waited for. */
export const longestLaunchMs = 5_000;

/** After its end a program's last words are still read, unless something it started keeps them open. */
const graceMs = 250;

/** Of what a program prints only its beginning is looked at. */
const mostBytesHeard = 4_096;

/** Launches on this machine. Programs run in `/`: what lies in an agent's directory is nothing to them. */
export function createLaunch(clock: Clock): Launch {
  return async (program, signal) => {
    if (signal.aborted) return { ending: "cancelled" };
    const child = start(program);
    if (typeof child === "string") return { ending: "not_started", errno: child };
    return watch(child, program.input, signal, clock);
  };
}

/** The child, or the system's word for why there is none. */
function start({ path, args, environment, input }: Program): ChildProcess | string {
  try {
    return spawn(path, args, {
      cwd: "/",
      env: environment,
      // A group of its own, which can be ended whole, and no terminal: a banner is never written into a client's.
      detached: true,
      stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    return errnoOf(error) ?? "unknown error";
  }
}

function watch(
  child: ChildProcess,
  input: string | null,
  signal: AbortSignal,
  clock: Clock,
): Promise<LaunchEnding> {
  return new Promise((resolve) => {
    const stdout = heardOf(child.stdout);
    const stderr = heardOf(child.stderr);
    const timers: Timer[] = [];
    let isOver = false;

    const end = (ending: LaunchEnding): void => {
      if (isOver) return;
      isOver = true;
      for (const timer of timers) timer.cancel();
      signal.removeEventListener("abort", cancel);
      if (ending.ending !== "exited" || ending.code !== 0) killGroup(child.pid);
      for (const stream of child.stdio) stream?.destroy();
      resolve(ending);
    };
    const cancel = (): void => end({ ending: "cancelled" });
    const ended = (code: number | null, by: NodeJS.Signals | null): void => {
      if (code === null) end({ ending: "died", signal: by ?? "unknown signal" });
      else end({ ending: "exited", code, stdout: stdout(), stderr: stderr() });
    };

    child.on("error", (error) => end({ ending: "not_started", errno: errnoOf(error) ?? "unknown error" }));
    child.once("close", ended);
    child.once("exit", (code, by) => {
      if (!isOver) timers.push(clock.after(graceMs, () => ended(code, by)));
    });
    timers.push(clock.after(longestLaunchMs, () => end({ ending: "hung" })));
    signal.addEventListener("abort", cancel);
    feed(child, input);
    letGo(child);
  });
}

/** Collects the beginning of what comes, and lets the rest pass: a program that prints must not be held up. */
function heardOf(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (bytes < mostBytesHeard) chunks.push(chunk);
    bytes += chunk.length;
  });
  stream?.on("error", ignoreBrokenPipe);
  return () => Buffer.concat(chunks).subarray(0, mostBytesHeard).toString("utf8");
}

function feed({ stdin }: ChildProcess, input: string | null): void {
  if (stdin === null || input === null) return;
  stdin.on("error", ignoreBrokenPipe);
  stdin.end(input);
}

/** A program may end without reading, or close what it prints to: how it ended says whether that is wrong. */
function ignoreBrokenPipe(): void {}

/** A server that ends does not wait for a banner. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
}

function killGroup(id: number | undefined): void {
  if (id === undefined) return;
  try {
    process.kill(-id, "SIGKILL");
  } catch {
    // ESRCH: all of it is gone already.
  }
}
