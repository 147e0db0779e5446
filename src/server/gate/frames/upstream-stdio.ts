/**
 * An upstream server as a process of its own group, on pipes. Invariant: however the gate ends, short of SIGKILL, the
 * upstream is told to end, then made to; what it prints to standard error is always read.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Clock, Timer } from "../../../broker/index.js";
import { signalGroup } from "../../command/group.js";
import { type LineListener, lookingSplitter } from "./lines.js";
import type { Handed } from "./passage.js";
import { lookAtUpstream, type UpstreamFrame } from "./upstream-frame.js";

/** What is started, and who hears of it. */
export interface UpstreamOptions {
  /** The program and its arguments, unchanged. */
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly clock: Clock;
  /** The longest line that is read. */
  readonly mostBytes: number;
  readonly lines: LineListener<UpstreamFrame>;
  /** False when it takes no more for now, so that nothing further is to be sent; true when it does again. */
  readonly onFlow: (isFlowing: boolean) => void;
  /** Hears what it prints to standard error. */
  readonly onComplaint: (chunk: Buffer) => void;
  /** It is gone, and everything that it printed was read. */
  readonly onEnd: (end: UpstreamEnd) => void;
}

/** How it ended: the status that the gate ends with, and in words. */
export interface UpstreamEnd {
  readonly status: number;
  readonly why: string;
}

/** A running upstream. */
export interface Upstream {
  /** Hands over one message, newline included. False once it cannot be reached any more. */
  send(line: Buffer | string): Handed;
  /** Nothing more is read from it, or everything again: what it prints waits in its pipe. */
  pause(): void;
  resume(): void;
  /** Ends it: the end of its input, then TERM to its group, then KILL. Idempotent. */
  stop(): void;
  /** Ends its group at once. */
  kill(): void;
}

/** From the end of its input on. */
const termAfterMs = 300;
const killAfterMs = 1_200;

const notStarted = 127;
const bySignal = 128;

/** Starts it. What it cannot be started for is told to `onEnd`. */
export function startUpstream(options: UpstreamOptions): Upstream {
  const { argv, clock, mostBytes, lines, onFlow, onComplaint, onEnd } = options;
  const [program] = argv;
  const spawning = spawned(options);
  if (spawning instanceof Error) {
    clock.after(0, () => onEnd(unstarted(program, spawning)), true);
    const nothing = (): void => undefined;
    return { send: () => false, pause: nothing, resume: nothing, stop: nothing, kill: nothing };
  }
  const child = spawning;
  const timers: Timer[] = [];
  const splitter = lookingSplitter(mostBytes, lines, lookAtUpstream);
  let end: UpstreamEnd | null = null;
  let isOver = false;
  let isStopping = false;
  /** Its two outputs. */
  let unread = 2;

  function finish(): void {
    if (isOver || end === null || unread > 0) return;
    isOver = true;
    for (const timer of timers) timer.cancel();
    // Something that it started may have stayed in its group.
    killOf(child);
    onEnd(end);
  }

  /** What it started may hold the pipe for as long as it likes; what the upstream itself wrote is in it by now. */
  function endReading(): void {
    timers.push(
      clock.after(termAfterMs, () => {
        // Whoever takes nothing more of it is waited for while there is a client.
        if (isStopping || !child.stdout.isPaused()) child.stdout.destroy();
        child.stderr.destroy();
      }),
    );
  }

  function readToEnd(): void {
    unread -= 1;
    finish();
  }

  child.stdout.on("data", (chunk: Buffer) => splitter.push(chunk));
  child.stdout.on("close", () => {
    splitter.end();
    readToEnd();
  });
  child.stderr.on("data", onComplaint).on("close", readToEnd);
  child.stdin.on("drain", () => onFlow(true));
  // It went away while something was written: its end says so.
  child.stdin.on("error", () => undefined);
  child.on("error", (error: NodeJS.ErrnoException) => {
    end ??= unstarted(program, error);
    unread = 0;
    finish();
  });
  child.on("exit", (status, signal) => {
    end ??= endOf(status, signal);
    endReading();
    finish();
  });

  return {
    send(line) {
      if (isStopping || end !== null || !child.stdin.writable) return false;
      if (!child.stdin.write(line)) onFlow(false);
      return true;
    },
    pause: () => void child.stdout.pause(),
    resume() {
      child.stdout.resume();
      if (end !== null) endReading();
    },
    stop() {
      if (isStopping) return;
      isStopping = true;
      child.stdin.end();
      timers.push(
        clock.after(termAfterMs, () => signalOf(child, "SIGTERM"), true),
        clock.after(killAfterMs, () => killOf(child), true),
      );
      if (end !== null) endReading();
    },
    kill: () => killOf(child),
  };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Or why not: some faults are thrown, others come as an event. */
function spawned({ argv, environment, directory }: UpstreamOptions): Child | NodeJS.ErrnoException {
  const [program, ...rest] = argv;
  try {
    return spawn(program, rest, {
      cwd: directory,
      env: forUpstream(environment),
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function unstarted(program: string, { code }: NodeJS.ErrnoException): UpstreamEnd {
  const why = `${program} could not be started (${code ?? "no reason given"})`;
  return { status: notStarted, why: code === "ENOENT" ? `${why}: ${missing(program)}` : why };
}

function missing(program: string): string {
  if (program.includes("/")) return "nothing is there, or what its first line names is not";
  return "the PATH that this was started with does not lead to it; give its whole path";
}

/** Which home is asked through, and how we log, is between the client and us. */
function forUpstream(environment: UpstreamOptions["environment"]): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("WISP_")));
}

function endOf(status: number | null, signal: NodeJS.Signals | null): UpstreamEnd {
  if (status !== null) return { status, why: `the upstream server ended with ${status}` };
  return { status: bySignal + numberOf(signal), why: `the upstream server was ended by ${signal}` };
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : (constants.signals[signal] ?? 0);
}

function killOf(child: Child): void {
  signalOf(child, "SIGKILL");
}

function signalOf({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalGroup(pid, signal);
}
