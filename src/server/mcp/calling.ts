/**
 * The signal that a call asks with. It tells a caller that gave up waiting, after which its request waits on, from one
 * that does not want it any more.
 */
import { SdkError } from "@modelcontextprotocol/server";
import { type Clock, Detach } from "../../broker/index.js";
import type { Peer } from "./peer.js";

/** A call while it asks. */
export interface Calling {
  readonly signal: AbortSignal;
  /** Ends the call alone. Nothing happens once it has ended. In `Detach` it says what `away` is. */
  detach(why: Detach["why"], away?: AbortSignal): void;
  /** It asks no more: what the caller does from here on is not heard. */
  stop(): void;
}

/** Nobody waits so long to change their mind, and no client gives up sooner: the shortest limit measured is 30 s. */
const longestSecondThoughtMs = 20_000;

/** `peer` began to ask just now. */
export function callingOf({ signal }: Pick<Peer, "signal">, clock: Clock): Calling {
  const startedAt = clock.monotonic();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(reasonOf(signal.reason, clock.monotonic() - startedAt));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  return {
    signal: controller.signal,
    detach: (why, away) => controller.abort(new Detach(why, away)),
    stop: () => signal.removeEventListener("abort", onAbort),
  };
}

function reasonOf(reason: unknown, afterMs: number): unknown {
  // The connection is over: nobody can come back for the answer.
  if (reason instanceof SdkError) return reason;
  const gaveUp = /timed out/i.test(String(reason)) || afterMs >= longestSecondThoughtMs;
  return gaveUp ? new Detach("timed out") : reason;
}
