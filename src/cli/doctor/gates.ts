/** Whether what is known of the servers behind gates can be trusted: until it can, what was allowed for them asks. */
import { join } from "node:path";
import { gatesIn, type Home, type RootSecret, shownText } from "../../broker/index.js";
import { type Check, ok, warning } from "./check.js";

/** Reads what lies in `gates/`; makes nothing. */
export function checkGates({ path }: Home, keys: Pick<RootSecret, "existingKey">): Check {
  const gates = gatesIn(path, keys);
  const untrusted = gates.flatMap(({ name, now }) =>
    now.kind === "untrusted" ? [`${name} (${shownText(now.reason)})`] : [],
  );
  if (untrusted.length > 0) {
    const where = shownText(join(path, "gates"));
    const detail = `what is known of these servers cannot be trusted, in ${where}: ${untrusted.join(", ")}; each of their tools asks until you approve a call of it`;
    return warning("gates", detail, null);
  }
  if (gates.length === 0) return ok("gates", "nothing was let through one yet");
  return ok("gates", `known: ${gates.map(({ name }) => name).join(", ")}`);
}
