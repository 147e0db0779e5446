/**
 * The kept facts that hold where a server was started, as data for an agent. Invariant: nothing else of a fact is told:
 * not who proposed it, not where else it holds, not what was dropped.
 */
import * as z from "zod";
import { type FactListing, folded, holdsIn, type KeptFact, shownText } from "../../broker/index.js";

/** One kept fact as it was proposed: hostile text. */
export interface FactHere {
  /** That of the request that asked to keep it. */
  readonly id: string;
  readonly subject: string;
  readonly name: string;
  readonly value: string;
  /** Epoch milliseconds. */
  readonly keptAt: number;
}

/** The newest first. `truncated`: there are more, which are older. */
export interface FactsHere {
  readonly facts: readonly FactHere[];
  readonly truncated: boolean;
  /** How many files among the facts are none that this home kept, or cannot be read; what they say is not told. */
  readonly unreadable: number;
}

/** Which of them are sought; what is not given leaves none out. Compared as `folded`. */
export interface FactFilter {
  readonly subject?: string | undefined;
  readonly name?: string | undefined;
  /** Stands in subject, name or value. */
  readonly query?: string | undefined;
}

/** A fact as `structuredContent` holds it. */
export const factOutput = z.object({
  id: z.string(),
  subject: z.string(),
  name: z.string(),
  value: z.string(),
  keptAt: z.number(),
});

/** The same for all that is told. */
export const factsOutput = {
  facts: z.array(factOutput).optional(),
  truncated: z.boolean().optional(),
  unreadable: z.number().optional(),
};

/** More is read by no model. */
const mostFacts = 200;
/** As they are shown, in UTF-8: twice in a result, it is still what clients hand on without cutting it. */
const mostBytes = 32 * 1024;

/** The facts of `kept` that hold in `directory` and that `filter` seeks. */
export function factsHere(
  { kept, unreadable }: Pick<FactListing, "kept" | "unreadable">,
  directory: string,
  filter: FactFilter = {},
): FactsHere {
  const sought = kept.filter((fact) => holdsIn(fact, directory) && isSought(fact, filter)).reverse();
  const facts: FactHere[] = [];
  let bytes = 0;
  for (const kept of sought) {
    const fact = factHere(kept);
    bytes += Buffer.byteLength(factLine(fact));
    // The first always fits: a fact alone is no longer than its request was allowed to be.
    if (facts.length === mostFacts || (facts.length > 0 && bytes > mostBytes)) break;
    facts.push(fact);
  }
  return { facts, truncated: facts.length < sought.length, unreadable };
}

/** What is told of one. */
export function factHere({ id, subject, name, value, keptBy }: KeptFact): FactHere {
  return { id, subject, name, value, keptAt: keptBy.at };
}

/** `subject · name: value`, in one line that is safe to show: a fact cannot add a line of its own. */
export function factLine({ subject, name, value }: Pick<FactHere, "subject" | "name" | "value">): string {
  return `${shownText(subject)} · ${shownText(name)}: ${shownText(value)}`;
}

function isSought(fact: KeptFact, { subject, name, query }: FactFilter): boolean {
  const isSame = (value: string, sought: string | undefined): boolean =>
    sought === undefined || folded(value) === folded(sought);
  if (!isSame(fact.subject, subject) || !isSame(fact.name, name)) return false;
  if (query === undefined) return true;
  const part = folded(query);
  return [fact.subject, fact.name, fact.value].some((text) => folded(text).includes(part));
}
