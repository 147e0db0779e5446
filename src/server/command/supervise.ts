/** Watches over one running command: its time, the caller's cancellation, and what it leaves behind. */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { Clock, Timer } from "../../broker/index.js";
import { signalGroup } from "./group.js";

/** A command that has started, and how long it may take. */
export interface Supervised {
  readonly child: ChildProcess;
  /** Its process id, which is that of its group. */
  readonly id: number;
  /** Our ends of its output. */
  readonly streams: readonly Readable[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** By a code, by a signal, or by neither: then it could not be ended and was left. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was ended from here, or null when it ended by itself. */
  readonly stopped: Stop | null;
}

/** `left_behind`: the command ended, and something it started went on holding its output. */
type Stop = "timed_out" | "cancelled" | "left_behind";

/** How long what a command started may hold its output once the command itself has ended. */
const graceMs = 500;
/** Between asking a group to end and ending it. */
const termMs = 1_000;
/** Nothing tells us when the last process of a group is gone. */
const lookMs = 25;
/** After the second signal only processes out of our reach can be left; nobody waits for those. */
const lastMs = 250;

/** A command that is told to end is over by then, whatever it does, and what it did can be written down. */
export const longestStopMs = termMs + lastMs;

/** Resolves once the command has ended, its output was read, and, if it was stopped, its group is gone. */
export function supervise(supervised: Supervised): Promise<Ending> {
  const { child, id, streams, timeoutMs, clock, signal } = supervised;
  return new Promise((resolve) => {
    const timers: Timer[] = [];
    let open = streams.length;
    let exit: Omit<Ending, "stopped"> | null = null;
    let stopped: Stop | null = null;
    let isKilled = false;
    let isOver = false;

    const end = (): void => {
      isOver = true;
      for (const timer of timers) timer.cancel();
      signal.removeEventListener("abort", cancel);
      for (const stream of streams) stream.destroy();
      // A process that cannot be ended must not keep the server from ending.
      child.unref();
      resolve({ exitCode: exit?.exitCode ?? null, signal: exit?.signal ?? null, stopped });
    };
    const endWhenOver = (): void => {
      if (isOver) return;
      // Who was only asked to let go of the output may go on; who was stopped may not.
      const mayGoOn = stopped === null || stopped === "left_behind";
      const isGroupOver = mayGoOn || isKilled || !signalGroup(id, 0);
      if (exit !== null && open === 0 && isGroupOver) end();
    };
    const stop = (why: Stop): void => {
      if (stopped !== null) return;
      stopped = why;
      signalGroup(id, "SIGTERM");
      // Held: where only the group is left nothing else keeps a server that ends from ending before this.
      timers.push(clock.after(termMs, kill, true), clock.every(lookMs, endWhenOver));
    };
    const kill = (): void => {
      isKilled = true;
      signalGroup(id, "SIGKILL");
      timers.push(clock.after(lastMs, end, true));
      endWhenOver();
    };
    const cancel = (): void => stop("cancelled");

    const timeout = clock.after(timeoutMs, () => stop("timed_out"));
    timers.push(timeout);
    signal.addEventListener("abort", cancel, { once: true });
    child.once("exit", (exitCode, exitSignal) => {
      if (isOver) return;
      exit = { exitCode, signal: exitSignal };
      timeout.cancel();
      timers.push(clock.after(graceMs, () => stop("left_behind")));
      endWhenOver();
    });
    for (const stream of streams) {
      // An error closes the stream as well; what came before it is kept.
      stream.once("error", () => undefined);
      stream.once("close", () => {
        open -= 1;
        endWhenOver();
      });
    }
  });
}
