/** `wisp facts show ID`: all that this home knows of a fact that was decided, and where it comes from. */
import type { DroppedFact, FactRequest, FactStore, KeptFact } from "../../broker/index.js";
import { factCard } from "../../face/fact-card.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { drawCard, paintFor } from "../render.js";
import type { Terminal } from "../terminal.js";
import { chooseFact, knownWords } from "./choose-fact.js";
import { jsonOf, scopeOf } from "./fact-list.js";

/** Shows the one that `typed` means, also one that is forgotten; `waiting` are those that nobody has decided. */
export async function showDecided(
  typed: string,
  isJson: boolean,
  facts: Pick<FactStore, "list" | "forgotten">,
  waiting: readonly FactRequest[],
  terminal: Terminal,
): Promise<number> {
  const { kept, dropped } = facts.list();
  const forgotten = facts.forgotten();
  const known = [...kept, ...dropped, ...forgotten];
  const choosing = { facts: known, waiting, are: knownWords, instead: ["approvals", "show"] };
  const fact = chooseFact(typed, choosing, terminal);
  if (typeof fact === "number") return fact;
  const { out, environment } = terminal;
  const isForgotten = forgotten.includes(fact);
  if (isJson) {
    out.write(
      jsonLine({ schemaVersion: 1, fact: { ...jsonOf(fact), decision: decisionOf(fact), isForgotten } }),
    );
    return exits.done;
  }
  const card = factCard(fact, stateOf(fact, isForgotten));
  out.write((await drawCard(card, out, paintFor(out, environment))).text);
  return exits.done;
}

function decisionOf(fact: KeptFact | DroppedFact): "kept" | "dropped" {
  return "scope" in fact ? "kept" : "dropped";
}

function stateOf(fact: KeptFact | DroppedFact, isForgotten: boolean): string {
  const decided = `${decisionOf(fact)} (${scopeOf(fact)})`;
  return isForgotten ? `forgotten; it was ${decided}` : decided;
}
