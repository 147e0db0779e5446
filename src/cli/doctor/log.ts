/** Whether decisions can be written down: what cannot be recorded is not allowed, whatever the person says. */
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { type Home, shownText } from "../../broker/index.js";
import { quoted } from "../../face/quote.js";
import { type Check, failure, ok } from "./check.js";

/** Judges the audit log as the server does before it writes a line; makes nothing. */
export function checkLog(home: Home): Check {
  const path = join(home.path, "audit", "log.jsonl");
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const fault = stats === undefined ? null : faultOf(stats, path);
  if (fault === null) return ok("audit", `decisions are written down in ${shownText(path)}`);
  const detail = `${shownText(path)} ${fault.what}, so no yes can be written down and nothing runs`;
  return failure("audit", detail, fault.fix);
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
