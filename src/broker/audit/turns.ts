/** Whose turn it is to write: the lock, and waiting for it. */

import { WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { Clock } from "../system/clock.js";
import { type Holder, type Lock, lockPathIn } from "./lock.js";

/** Runs things under the lock, one at a time over all processes. Nothing that runs there may be awaited. */
export interface Turns {
  /** Runs `run` if the lock is free; null where it must be waited for. Throws what `run` throws, and the system error. */
  now<T>(run: () => T): T | null;
  /** Waits for the lock, and runs `run`. Rejects with the same, and with audit_unavailable where another keeps it. */
  later<T>(run: () => T): Promise<T>;
  /** Clears away what dead processes left. Rejects as above. */
  clear(): Promise<void>;
  /** This process has no more turns, until it takes one. */
  close(): void;
}

/**
 * A lock is held for the time of a few file-system calls, so whoever finds it taken looks again soon. A watch would take
 * longer than that to set up, and would not hear of a process that died.
 */
const retryMs = 2;
/** After so long it is looked up whether whoever holds it lives. */
const patienceMs = 20;
/** No process holds it nearly as long, unless it is stopped. */
const longestWaitMs = 5_000;

/** For the log in `directory`. `enter` says there who this process is: once, and again where that was removed. */
export function createTurns(directory: string, enter: () => Promise<Lock>, clock: Clock): Turns {
  let lock: Lock | null = null;

  function held<T>(by: Lock, run: () => T): { readonly value: T } {
    try {
      return { value: run() };
    } finally {
      by.release();
    }
  }

  async function later<T>(run: () => T): Promise<T> {
    const since = clock.monotonic();
    for (;;) {
      lock ??= await enter();
      const waitedMs = clock.monotonic() - since;
      const taking = lock.take(waitedMs >= patienceMs);
      if (taking.kind === "taken") return held(lock, run).value;
      if (taking.kind === "unknown") lock = null;
      if (waitedMs >= longestWaitMs) throw keptBy(taking.kind === "held" ? taking.by : null, directory);
      await new Promise<void>((resolve) => void clock.after(retryMs, resolve, true));
    }
  }

  return {
    now: (run) => (lock?.take(false).kind === "taken" ? held(lock, run).value : null),
    later,
    clear: () => later(() => lock?.clear()),
    close() {
      lock?.close();
      lock = null;
    },
  };
}

function keptBy(holder: Holder, directory: string): WispError {
  const path = lockPathIn(directory);
  if (holder === null) {
    return new WispError("audit_unavailable", `${path} does not say which process holds it.`, {
      why: "Two processes that write at once would spoil the chain of the log.",
      fix: `If no wisp program runs: rm -f ${shellQuoted(path)}`,
    });
  }
  const { pid } = holder;
  return new WispError("audit_unavailable", `Process ${pid} holds ${path} and does not give it back.`, {
    why: "Two processes that write at once would spoil the chain of the log. It may be stopped.",
    fix: `Let it go on (kill -CONT ${pid}) or end it (kill -KILL ${pid}); in a container, there.`,
  });
}
