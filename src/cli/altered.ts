/** A request that is not as its server filed it is neither answered nor believed. */
import { isUnaltered, type Request } from "../broker/index.js";
import type { Objection } from "../face/view.js";
import { lineForDoctor } from "./line-to-type.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/** Refuses to go on with what may not be what its server holds, and returns the exit code. `not` begins the line. */
export function refusedAltered(
  { id, kind }: Pick<Request, "id" | "kind">,
  objection: Objection,
  terminal: Terminal,
  not: Not = "Not answered",
): number {
  return refuse("request_altered", terminal, {
    what: `${not}: ${objection} (${id}).`,
    why: `What would be shown is not what its server ${kind === "approval" ? "would run" : "filed"}.`,
    fix: lineForDoctor(terminal),
  });
}

/** The same where `request` is not what its server filed, whatever is shown of it; null where it is. */
export function refusedIfAltered(
  request: Request,
  terminal: Terminal,
  not: Not = "Not answered",
): number | null {
  return isUnaltered(request)
    ? null
    : refusedAltered(request, "the request was changed after it was filed", terminal, not);
}

type Not = "Not answered" | "Not waited for";
