/**
 * The record of a client's messages that went nowhere. Whoever floods a gate with them must not fill the disk with records, so
 * there is one in a second at most: of the first, and then of how many came since. Invariant: the counts add up to all of them.
 */
import { type AuditEvent, type Clock, shownText, type Timer } from "../../../broker/index.js";
import type { PassedLog } from "./passed-log.js";

/** Of one connection. */
export interface RefusedLog {
  /** One went nowhere, for the reason given in words of ours. */
  add(why: string): void;
  /** Hands on what was only counted so far. */
  close(): void;
}

const mostOftenMs = 1_000;

/** `server` is the name of the gate. */
export function createRefusedLog(log: Pick<PassedLog, "add">, server: string, clock: Clock): RefusedLog {
  /** Since the last record. */
  let count = 0;
  let firstWhy = "";
  let timer: Timer | null = null;

  function tell(): void {
    timer = null;
    if (count === 0) return;
    log.add(refusedEvent(server, firstWhy, count));
    count = 0;
    timer = clock.after(mostOftenMs, tell);
  }

  return {
    add(why) {
      if (count === 0) firstWhy = why;
      count += 1;
      if (timer === null) tell();
    },
    close() {
      timer?.cancel();
      tell();
      timer?.cancel();
    },
  };
}

function refusedEvent(server: string, why: string, count: number): AuditEvent {
  return { kind: "frame.refused", call: null, verified: { server }, details: { why: shownText(why), count } };
}
