/**
 * What a person decided about a fact, carried out: by its server, by a face, or by a sweep. Invariants: the answer is in
 * the audit log, on disk, before anything is kept or dropped; what was decided before is not decided anew.
 */

import type { Taken } from "../channel/channel.js";
import type { FactScope, FactStore, ProposedBy } from "../facts/fact-store.js";
import type { Answer } from "../request/answer.js";
import type { FactRequest } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { factAnsweredEvent } from "./fact-record.js";
import type { Write } from "./journal.js";
import { oneLine, reasonOf } from "./reason.js";

/** What a decision is carried out with. */
export interface ApplyingParts {
  readonly write: Write;
  readonly facts: FactStore;
  readonly clock: Clock;
}

/**
 * Keeps or drops what `request` asks about, as the answer in `taken` says, which may decide it (`objectionTo`). Resolves
 * with why nothing came of it, safe to show, or with null when it is on disk. `isRecorded`: the log holds the answer.
 */
export async function applyFact(
  request: FactRequest,
  taken: Taken,
  isRecorded: boolean,
  { write, facts, clock }: ApplyingParts,
): Promise<string | null> {
  if (!isRecorded) {
    const fault = await write([factAnsweredEvent(request, taken, clock.now())], "durable");
    if (fault !== null) return fault;
  }
  try {
    const isNew =
      taken.answer.decision === "keep"
        ? await keep(request, taken, facts)
        : await drop(request, taken, facts);
    return isNew ? null : otherwise(request.id, taken.answer, facts);
  } catch (error) {
    return oneLine(reasonOf(error));
  }
}

function keep(request: FactRequest, taken: Taken, facts: FactStore): Promise<boolean> {
  const scope = scopeOf(request, taken.answer);
  return facts.keep({ ...common(request), scope, keptBy: decidedBy(taken) });
}

function drop(request: FactRequest, taken: Taken, facts: FactStore): Promise<boolean> {
  const isForGood = taken.answer.scope === "always";
  return facts.drop({ ...common(request), isForGood, droppedBy: decidedBy(taken) });
}

/** The same decision is carried out already, by whoever got further; another one stands. */
function otherwise(id: string, { decision }: Answer, facts: FactStore): string | null {
  const { kept, dropped } = facts.list();
  const others = decision === "keep" ? dropped : kept;
  if (!others.some((fact) => fact.id === id)) return null;
  return decision === "keep" ? "it was dropped before" : "it was kept before";
}

/** Without a word about it, no further than where it was proposed. */
function scopeOf({ fact }: FactRequest, { scope }: Answer): FactScope {
  return scope === "always" || fact.directory === null ? "global" : "project";
}

function common({ id, fact, client, caller, thread, server, createdAt }: FactRequest) {
  const { subject, name, value, source, directory } = fact;
  const proposedBy: ProposedBy = { client, caller, thread, session: server.instance, at: createdAt };
  return { id, subject, name, value, source, directory, proposedBy };
}

function decidedBy({ answer: { via, answeredAt }, hash }: Taken) {
  return { via, answer: hash, at: answeredAt };
}
