/** From what a person typed to a request that has ended and may still be answered. */
import type { LateRequest } from "../../broker/index.js";
import { findRequest, lateIds, matching } from "../../face/find.js";
import type { Kept } from "../../face/kept.js";
import { reportMissing } from "../choose.js";
import { reportTooLate } from "../report-ended.js";
import type { Terminal } from "../terminal.js";

/** The one that `typed` means, or the exit code after telling why there is none. */
export function chooseLate(
  typed: string,
  { home, late, waiting }: Kept,
  terminal: Terminal,
  isAnswer: boolean,
): LateRequest | number {
  const ids = matching(lateIds(home), typed);
  if (ids.length > 1) return reportMissing(typed, { kind: "ambiguous", ids }, terminal);
  const [id] = ids;
  const found = id === undefined ? null : late.read(id);
  if (found !== null) return found;
  // Its time is over, or what lies there is none of ours: then it is a request that has ended, like any other.
  const ended = findRequest(typed, waiting);
  if (ended.kind === "settled" && isAnswer) return reportTooLate(ended.receipt, "request gone", terminal);
  return reportMissing(typed, ended.kind === "request" ? { kind: "unknown" } : ended, terminal);
}
