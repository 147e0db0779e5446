/**
 * What a person decided about a fact, carried out: by its server, by a face, or by a sweep. Invariants: the answer is in
 * the audit log, on disk, before anything is kept or dropped; what was decided before is not decided anew.
 */

import type { Taken } from "../channel/channel.js";
import type { DecidedBy, FactScope, FactStore, ProposedBy } from "../facts/fact-store.js";
import type { Answer } from "../request/answer.js";
import { assuranceOf } from "../request/assurance.js";
import type { FactRequest } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { factAnsweredEvent } from "./fact-record.js";
import type { Write } from "./journal.js";
import { oneLine, reasonOf } from "./reason.js";

/** What a decision is carried out with. */
interface ApplyingParts {
  readonly write: Write;
  readonly facts: FactStore;
  readonly clock: Clock;
  /** In whose name: as it stands in the audit log. */
  readonly session: string;
}

/**
 * Keeps or drops what `request` asks about, as the answer in `taken` says, which may decide it (`objectionTo`). Resolves
 * with why nothing came of it, safe to show, or with null when it is on disk. `isRecorded`: the log holds the answer.
 */
export async function applyFact(
  request: FactRequest,
  taken: Taken,
  isRecorded: boolean,
  { write, facts, clock, session }: ApplyingParts,
): Promise<string | null> {
  if (!isRecorded) {
    const fault = await write([factAnsweredEvent(request, taken, clock.now())], "durable");
    if (fault !== null) return fault;
  }
  try {
    const by = decidedBy(taken, session, clock.now());
    const { answer } = taken;
    const isNew =
      answer.decision === "keep"
        ? await facts.keep({ ...common(request), scope: scopeOf(request, answer), keptBy: by })
        : await facts.drop({ ...common(request), isForGood: answer.scope === "always", droppedBy: by });
    return isNew ? null : otherwise(request.id, answer, facts);
  } catch (error) {
    return oneLine(reasonOf(error));
  }
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

/** Whoever answers may say any time; `at` is the time of this process. */
function decidedBy({ answer, hash, testimony }: Taken, session: string, at: number): DecidedBy {
  const { via, by } = answer;
  const assurance = assuranceOf(via, testimony?.verified ?? null);
  return { via, answer: hash, assurance, by: { pid: by.pid, tty: by.tty }, session, at };
}
