/** What is kept of facts, and whether anything lies there that this home did not keep. */
import { join } from "node:path";
import { type FactStore, type Home, shownText } from "../../broker/index.js";
import { type Check, ok, warning } from "./check.js";

/** Reads them all. Throws channel_unsafe for a directory in which others could have put something. */
export function checkFacts(home: Home, facts: Pick<FactStore, "list">): Check {
  const { kept, dropped, unreadable } = facts.list();
  const detail = `${kept.length} kept, ${dropped.length} dropped`;
  if (unreadable === 0) return ok("facts", detail);
  const files = unreadable === 1 ? "1 file is none" : `${unreadable} files are none`;
  const where = shownText(join(home.path, "facts"));
  return warning("facts", `${detail}; ${files} that this home kept, and not used: in ${where}`, null);
}
