/** `wisp facts forget ID`: a fact is kept no longer, or a drop counts no longer. Only a person does that. */
import { type AuditLog, type FactStore, shortestPrefix, shownText } from "../../broker/index.js";
import { matching } from "../../face/find.js";
import { quoted, wispLine } from "../../face/quote.js";
import { reportMissing } from "../choose.js";
import { exits } from "../exits.js";
import { refuse } from "../report.js";
import type { Terminal } from "../terminal.js";
import { scopeOf } from "./fact-list.js";

/** What is forgotten, and where that is written down. */
export interface Forgetting {
  readonly facts: Pick<FactStore, "list" | "forget">;
  readonly audit: AuditLog;
}

/**
 * Forgets the one that `typed` means: its id, or four or more characters that begin it alone. Rejects where the log cannot be
 * written; then nothing is forgotten.
 */
export async function forgetOne(
  typed: string,
  { facts, audit }: Forgetting,
  terminal: Terminal,
): Promise<number> {
  const { kept, dropped } = facts.list();
  const all = [...kept, ...dropped];
  const isPrefix = new RegExp(`^[a-z0-9]{${shortestPrefix},32}$`).test(typed);
  if (!isPrefix) return reportMissing(typed, { kind: "no id", ids: [] }, terminal);
  const ids = matching(
    all.map(({ id }) => id),
    typed,
  );
  if (ids.length > 1) return reportMissing(typed, { kind: "ambiguous", ids }, terminal);
  const fact = all.find(({ id }) => id === ids[0]);
  const list = wispLine(terminal.environment, ["facts", "list"]);
  if (fact === undefined) {
    return refuse("request_unknown", terminal, {
      what: `No fact that is called ${quoted(typed)} is kept or dropped.`,
      why: "It was forgotten, or it never was.",
      fix: list,
    });
  }
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
