/** What every verb that shows a log says of the log itself, on standard error. */
import {
  eachRecord,
  ensureHome,
  type Home,
  type LogReading,
  type LogRecord,
  type RootSecret,
  rootSecretOf,
  shownText,
  verifyLog,
  WispError,
} from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import type { Terminal } from "../terminal.js";
import { placeText } from "./place.js";

/**
 * Hands the records of ours from `since` on to `use`, or all where there is no secret to tell them by. Verifies the log, and
 * tells what does not hold, what was left out and what could not be read.
 */
export function readLog(
  home: Home,
  since: number | null,
  terminal: Terminal,
  use: (record: LogRecord) => void,
): LogReading {
  const { err, environment, clock } = terminal;
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const doubt = doubtOf(home, keys);
  // Each record is looked at once more: between the two somebody may have written there.
  const reading = eachRecord(home.path, keys, (record) => {
    if (since === null || record.at >= since) use(record);
  });
  const { records, foreign, isProved, unreadable, refused } = reading;
  const doubts = [
    ...(doubt === null ? [] : [doubt]),
    ...(isProved || records === 0 ? [] : ["Without keys/root nothing of it is proved."]),
    ...(foreign === 0 ? [] : [`Left out, because this home did not write them: ${foreign}`]),
  ];
  if (doubts.length > 0) {
    const lines = [
      "wisp: The audit log does not verify.",
      ...doubts,
      wispLine(environment, ["audit", "verify"]),
    ];
    err.write(`${lines.join("\n  ")}\n`);
  }
  if (unreadable > 0) err.write(`Lines that are no records: ${unreadable}\n`);
  for (const file of refused) err.write(`Not read: ${shownText(file)}\n`);
  return reading;
}

/** Where it does not hold first, and why; null where it does, and where it is not read at all. Safe to print. */
function doubtOf(home: Home, keys: Pick<RootSecret, "existingKey">): string | null {
  try {
    const found = verifyLog(home.path, keys);
    return found.ok ? null : `${shownText(placeText(found.firstBad))}: ${found.says}.`;
  } catch (error) {
    if (error instanceof WispError && error.code === "audit_unavailable") return null;
    throw error;
  }
}
