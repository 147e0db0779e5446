/** `wisp facts show ID`: all that this home knows of a fact that was decided, and where it comes from. */
import type { DroppedFact, FactStore, KeptFact } from "../../broker/index.js";
import { factCard } from "../../face/fact-card.js";
import { exits } from "../exits.js";
import { drawCard, paintFor } from "../render.js";
import type { Terminal } from "../terminal.js";
import { chooseFact, knownWords } from "./choose-fact.js";
import { scopeOf } from "./fact-list.js";

/** Shows the one that `typed` means, also one that is forgotten. */
export async function showDecided(
  typed: string,
  facts: Pick<FactStore, "list" | "forgotten">,
  terminal: Terminal,
): Promise<number> {
  const { kept, dropped } = facts.list();
  const forgotten = facts.forgotten();
  const fact = chooseFact(typed, [...kept, ...dropped, ...forgotten], knownWords, terminal);
  if (typeof fact === "number") return fact;
  const { out, environment } = terminal;
  const card = factCard(fact, stateOf(fact, forgotten.includes(fact)));
  out.write((await drawCard(card, out, paintFor(out, environment))).text);
  return exits.done;
}

function stateOf(fact: KeptFact | DroppedFact, isForgotten: boolean): string {
  const decided = `${"scope" in fact ? "kept" : "dropped"} (${scopeOf(fact)})`;
  return isForgotten ? `forgotten; it was ${decided}` : decided;
}
