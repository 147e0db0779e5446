/** What every verb that shows a log says of the log itself, on standard error. */
import {
  eachRecord,
  ensureHome,
  type Home,
  headDoubt,
  type LogReading,
  type LogRecord,
  rootSecretOf,
  shownText,
} from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import type { Terminal } from "../terminal.js";

/**
 * Hands the records of ours from `since` on to `use`, or all where there is no secret to tell them by. Tells what was left
 * out or could not be read, and why the log would not verify.
 */
export function readLog(
  home: Home,
  since: number | null,
  terminal: Terminal,
  use: (record: LogRecord) => void,
): LogReading {
  const { err, environment, clock } = terminal;
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const doubt = headDoubt(home.path, keys);
  const reading = eachRecord(home.path, keys, (record) => {
    if (since === null || record.at >= since) use(record);
  });
  const doubts = [...(doubt === null ? [] : [doubt]), ...doubtsOf(reading)];
  if (doubts.length > 0) {
    const line = wispLine(environment, ["audit", "verify"]);
    const text = doubts.map(shownText).join("; ");
    err.write(`wisp: The audit log does not verify: ${text}.\n  ${line}\n`);
  }
  const { unreadable, refused } = reading;
  if (unreadable > 0) err.write(`Lines that are no records: ${unreadable}\n`);
  for (const file of refused) err.write(`Not read: ${shownText(file)}\n`);
  return reading;
}

function doubtsOf({ records, foreign, breaks, isProved }: LogReading): readonly string[] {
  if (!isProved) return records === 0 ? [] : ["keys/root is missing, so nothing of it is proved"];
  const times = breaks === 1 ? "once" : `${breaks} times`;
  return [
    ...(foreign === 0 ? [] : [`left out, because this home did not write them: ${foreign}`]),
    ...(breaks === 0 ? [] : [`${times} a record does not follow the one before it`]),
  ];
}
