/** From a typed id to a fact that was decided, or to the reason why not. */
import { type DroppedFact, type FactRequest, type KeptFact, shortestPrefix } from "../../broker/index.js";
import { matching } from "../../face/find.js";
import { quoted, wispLine } from "../../face/quote.js";
import { reportMissing, reportNoId } from "../choose.js";
import { refuse } from "../report.js";
import type { Terminal } from "../terminal.js";

/** What a verb about decided facts looks among, and what it can do about one that waits. */
export interface Choosing<Fact> {
  readonly facts: readonly Fact[];
  /** Those that nobody has decided yet. */
  readonly waiting: readonly FactRequest[];
  /** Completes "No fact that is called … is". */
  readonly are: string;
  /** The command for one that waits, without its id. */
  readonly instead: readonly string[];
}

/**
 * The one among `facts` that `typed` means: its id, or four or more characters that begin it alone. Otherwise tells why
 * not, and returns the exit code.
 */
export function chooseFact<Fact extends KeptFact | DroppedFact>(
  typed: string,
  { facts, waiting, are, instead }: Choosing<Fact>,
  terminal: Terminal,
): Fact | number {
  const lineOf = (words: readonly string[]): string => wispLine(terminal.environment, words);
  const list = lineOf(["facts", "list"]);
  if (!new RegExp(`^[a-z0-9]{${shortestPrefix},32}$`).test(typed)) {
    const why = "What was kept has the ids that list shows; what was dropped, those of list --dropped.";
    return reportNoId(typed, why, list, terminal);
  }
  const ids = matching(idsOf(facts), typed);
  if (ids.length > 1) return reportMissing(typed, { kind: "ambiguous", ids }, terminal);
  const fact = facts.find(({ id }) => id === ids[0]);
  if (fact !== undefined) return fact;
  const [open, other] = matching(idsOf(waiting), typed);
  if (open !== undefined && other === undefined) {
    return refuse("request_unknown", terminal, {
      what: `${open} waits still: it is not ${are}.`,
      why: null,
      fix: lineOf([...instead, open]),
    });
  }
  return refuse("request_unknown", terminal, {
    what: `No fact that is called ${quoted(typed)} is ${are}.`,
    why: are === knownWords ? "It never was, or its file is gone." : "It was forgotten, or it never was.",
    fix: list,
  });
}

/** Of what has a file at all. */
export const knownWords = "kept, dropped or forgotten";

function idsOf(some: readonly { readonly id: string }[]): readonly string[] {
  return some.map(({ id }) => id);
}
