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

/** Hands every record from `since` on to `use`; tells what could not be read, and why the log would not verify. */
export function readLog(
  home: Home,
  since: number | null,
  terminal: Terminal,
  use: (record: LogRecord) => void,
): LogReading {
  const { err, environment, clock } = terminal;
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const doubt = headDoubt(home.path, keys);
  if (doubt !== null) {
    const line = wispLine(environment, ["audit", "verify"]);
    err.write(`wisp: The audit log does not verify: ${shownText(doubt)}.\n  ${line}\n`);
  }
  const reading = eachRecord(home.path, (record) => {
    if (since === null || record.at >= since) use(record);
  });
  const { unreadable, refused } = reading;
  if (unreadable > 0) err.write(`Lines that are no records: ${unreadable}\n`);
  for (const file of refused) err.write(`Not read: ${shownText(file)}\n`);
  return reading;
}
