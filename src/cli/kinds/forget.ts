/** `wisp facts forget ID`: a fact is kept no longer, or a drop counts no longer. Only a person does that. */
import { type AuditLog, type FactRequest, type FactStore, shownText } from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { exits } from "../exits.js";
import { refuse } from "../report.js";
import type { Terminal } from "../terminal.js";
import { chooseFact } from "./choose-fact.js";
import { scopeOf } from "./fact-list.js";

/** What is forgotten, and where that is written down. */
export interface Forgetting {
  readonly facts: Pick<FactStore, "list" | "forget">;
  readonly audit: AuditLog;
  /** Those that nobody has decided yet: there is nothing to forget. */
  readonly waiting: readonly FactRequest[];
}

/**
 * Forgets the one that `typed` means: its id, or four or more characters that begin it alone. Rejects where the log cannot be
 * written; then nothing is forgotten.
 */
export async function forgetOne(
  typed: string,
  { facts, audit, waiting }: Forgetting,
  terminal: Terminal,
): Promise<number> {
  const { kept, dropped } = facts.list();
  const choosing = {
    facts: [...kept, ...dropped],
    waiting,
    are: "kept or dropped",
    instead: ["facts", "drop"],
  };
  const fact = chooseFact(typed, choosing, terminal);
  if (typeof fact === "number") return fact;
  const list = wispLine(terminal.environment, ["facts", "list"]);
  const scope = scopeOf(fact);
  const was = "scope" in fact ? `kept: ${scope}` : `dropped: ${scope}`;
  // Written down before it is done: what nobody can look up later is not forgotten.
  await audit.append([{ kind: "fact.forgotten", call: fact.id, details: { was } }], "durable");
  if (!(await facts.forget(fact.id))) {
    return refuse("answer_exists", terminal, {
      what: `${fact.id} was forgotten elsewhere, in this moment.`,
      why: null,
      fix: list,
    });
  }
  terminal.out.write(`forgotten (${was}): ${shownText(`${fact.subject} · ${fact.name}`)}\n`);
  return exits.done;
}
