/** Whether what yeses left behind can be used, which nothing can while it is not known what was used before. */
import { join } from "node:path";
import { type Home, shownText, uncertainGrants } from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import type { Terminal } from "../terminal.js";
import { type Check, ok, warning } from "./check.js";

/** Looks into `grants/`; reads none of the files there. */
export function checkGrants(home: Home, { environment }: Pick<Terminal, "environment">): Check {
  const grants = join(home.path, "grants");
  const ids = uncertainGrants(grants);
  if (ids.length === 0) return ok("grants", "what was used of them is known");
  const gone = `${shownText(join(home.path, "keys", "spent"))} is gone, so nobody can say what was used, and nothing is`;
  const detail = `${gone}: ${ids.join(", ")}; to remove them makes their calls ask, as they do now`;
  return warning("grants", detail, wispLine(environment, ["doctor", "--fix"]));
}
