/** Whether decisions can be written down: what cannot be recorded is not allowed, whatever the person says. */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import {
  type Home,
  headDoubt,
  isNobodysLock,
  lockPathIn,
  type RootSecret,
  shownText,
  verifyLog,
} from "../../broker/index.js";
import { quoted, wispLine } from "../../face/quote.js";
import type { Terminal } from "../terminal.js";
import { type Check, failure, ok, warning } from "./check.js";
import { unusable } from "./unusable.js";

/** Of a longer one `wisp audit verify` tells: doctor is to answer at once, and this takes a fifth of a second. */
const longestVerified = 64 * 1024 * 1024;

/**
 * Judges the audit log as the server does before it writes a line, and whether what it says is what was written into it;
 * makes nothing.
 */
export function checkLog(
  home: Home,
  keys: Pick<RootSecret, "existingKey">,
  { environment }: Pick<Terminal, "environment">,
  longest: number = longestVerified,
): Check {
  const path = join(home.path, "audit", "log.jsonl");
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const fault = stats === undefined ? null : faultOf(stats, path);
  const lock = lockPathIn(join(home.path, "audit"));
  if (fault === null && isNobodysLock(join(home.path, "audit"))) {
    const detail = `${shownText(lock)} does not say which process holds it, so no yes can be written down and nothing runs. If no wisp program runs, remove it`;
    return failure("audit", detail, `rm -f ${quoted(lock)}`);
  }
  if (fault === null) {
    const written = `decisions are written down in ${shownText(path)}`;
    const verify = wispLine(environment, ["audit", "verify"]);
    if (sizeOfLog(home) > longest) return endOf(home, keys, written, verify);
    return chainOf(home, keys, written, verify);
  }
  const detail = `${shownText(path)} ${fault.what}, so no yes can be written down and nothing runs`;
  return failure("audit", detail, fault.fix);
}

function chainOf(home: Home, keys: Pick<RootSecret, "existingKey">, written: string, verify: string): Check {
  try {
    const found = verifyLog(home.path, keys);
    const { ok: isGood, records, firstBad, fault } = found;
    if (isGood) return ok("audit", `${written}${unchangedText(records)}`);
    const where = firstBad.seq === null ? firstBad.file : `${firstBad.file}:${firstBad.line}`;
    const begin = beginAnew(home);
    return failure(
      "audit",
      `${written}, but audit/${shownText(where)}: ${found.says} (${fault}). ${verify} tells more; the fix keeps all of it aside and begins another log`,
      begin,
    );
  } catch (error) {
    return unusable("audit", error);
  }
}

function unchangedText(records: number): string {
  if (records === 0) return "";
  return records === 1 ? "; its one record was not changed" : `; none of its ${records} records was changed`;
}

/** What was written, and what it is measured by, go together: a new log would be measured by the old one otherwise. */
function beginAnew({ path }: Home): string {
  const aside = [join(path, "audit"), join(path, "keys", "audit-anchor")]
    .filter((one) => lstatSync(one, { throwIfNoEntry: false }) !== undefined)
    .map((one) => `mv ${quoted(one)} ${quoted(freeName(one))}`);
  return aside.join(" && ");
}

/** A directory that is moved onto another would be moved into it. */
function freeName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.old${count === 1 ? "" : count}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** Of a long one its end alone: the head, and what came after it. */
function endOf(home: Home, keys: Pick<RootSecret, "existingKey">, written: string, verify: string): Check {
  try {
    const doubt = headDoubt(home.path, keys);
    if (doubt !== null) {
      return warning("audit", `${written}, but it does not verify: ${shownText(doubt)}`, verify);
    }
    return ok("audit", `${written}; its end is good, it is long, and ${verify} tells of the rest`);
  } catch (error) {
    return unusable("audit", error);
  }
}

function sizeOfLog({ path }: Home): number {
  const audit = join(path, "audit");
  try {
    return readdirSync(audit)
      .filter((name) => name.startsWith("log"))
      .reduce((sum, name) => sum + (lstatSync(join(audit, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    // None was ever written, or it cannot be listed: then the checks before tell why.
    return 0;
  }
}

interface Fault {
  readonly what: string;
  readonly fix: string;
}

function faultOf(stats: Stats, path: string): Fault | null {
  const aside = `mv ${quoted(path)} ${quoted(`${path}.old`)}`;
  if (stats.isSymbolicLink()) return { what: "is a symbolic link", fix: aside };
  if (!stats.isFile()) return { what: "is not a regular file", fix: aside };
  const own = process.geteuid?.();
  if (own !== undefined && stats.uid !== own) return { what: "belongs to another account", fix: aside };
  return (stats.mode & 0o077) === 0 ? null : { what: "is open to others", fix: `chmod 600 ${quoted(path)}` };
}
