/** From a typed id to a fact that was decided, or to the reason why not. */
import { type DroppedFact, type KeptFact, shortestPrefix } from "../../broker/index.js";
import { matching } from "../../face/find.js";
import { quoted, wispLine } from "../../face/quote.js";
import { reportMissing } from "../choose.js";
import { refuse } from "../report.js";
import type { Terminal } from "../terminal.js";

/**
 * The one among `facts` that `typed` means: its id, or four or more characters that begin it alone. Otherwise tells why
 * not, `are` completing "No fact that is called … is", and returns the exit code.
 */
export function chooseFact<Fact extends KeptFact | DroppedFact>(
  typed: string,
  facts: readonly Fact[],
  are: string,
  terminal: Terminal,
): Fact | number {
  const isPrefix = new RegExp(`^[a-z0-9]{${shortestPrefix},32}$`).test(typed);
  if (!isPrefix) return reportMissing(typed, { kind: "no id", ids: [] }, terminal);
  const ids = matching(
    facts.map(({ id }) => id),
    typed,
  );
  if (ids.length > 1) return reportMissing(typed, { kind: "ambiguous", ids }, terminal);
  const fact = facts.find(({ id }) => id === ids[0]);
  if (fact !== undefined) return fact;
  return refuse("request_unknown", terminal, {
    what: `No fact that is called ${quoted(typed)} is ${are}.`,
    why: are === knownWords ? "It waits still, or it never was." : "It was forgotten, or it never was.",
    fix: wispLine(terminal.environment, ["facts", "list"]),
  });
}

/** Of what has a file at all. */
export const knownWords = "kept, dropped or forgotten";
