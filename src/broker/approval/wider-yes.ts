/**
 * What a yes for the project or for always leaves: one rule, the one that was shown before it. Invariant: only the
 * process that asked writes it, once, after it took the answer and wrote the decision down.
 */
import type { Taken } from "../channel/channel.js";
import type { Bound } from "../grants/grant-store.js";
import type { RememberedRules } from "../policy/remembered.js";
import { isWider } from "../request/answer.js";
import { expectWispError, WispError } from "../request/errors.js";
import type { OutcomeRule } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";
import type { Ask } from "./approver.js";
import { rememberedEvent, takenBackEvent } from "./grant-record.js";
import type { Write } from "./journal.js";
import { oneLine, reasonOf } from "./reason.js";
import { assuranceOfTaken } from "./record.js";
import type { PreparedRule } from "./rules.js";

/** Between its yes and its rule. */
export interface WiderYes {
  readonly kind: "wider";
  /** Call once, when the decision is on disk: the rule is in force when this resolves, or it says why not. Never rejects. */
  leave(): Promise<Extract<OutcomeRule, { kind: "left" | "lost" }>>;
  /** The yes counts for nobody after all. Never rejects: a rule that cannot be taken back stays for a person to revoke. */
  takeBack(): Promise<void>;
}

/** What a yes is to leave for calls beyond those that waited for it; null for a yes for once. */
export type Lasting = PreparedRule | WiderYes | null;

/** Where rules are remembered, and where that is written down; without `remembered` none is. */
export interface WiderYesParts {
  readonly remembered: Pick<RememberedRules, "remember" | "revoke"> | null;
  readonly write: Write;
  readonly clock: Clock;
}

/** A yes that was taken, and what it answered. */
export interface WiderAnswer {
  readonly ask: Pick<Ask, "remember">;
  readonly bound: Bound;
  readonly request: string;
  readonly taken: Taken;
}

const dayMs = 24 * 3_600_000;

/** The rule that `answer` is to leave; null where it is for once or for the session. */
export function widerYesOf(answer: WiderAnswer, parts: WiderYesParts): WiderYes | null {
  const { ask, bound, request, taken } = answer;
  const { remembered, write, clock } = parts;
  const { scope = null, rule: named = null, via } = taken.answer;
  const rule = named ?? ask.remember?.offers[0]?.rule;
  if (!isWider(scope) || ask.remember === null || rule === undefined) return null;
  const where = { rule, scope, directory: scope === "project" ? bound.directory : null };
  const { days, program, programIdentity, askedBy } = ask.remember;
  let id: string | null = null;

  async function remember(): Promise<number> {
    if (remembered === null) throw new WispError("channel_unavailable", "There is nowhere to remember it.");
    const createdAt = clock.now();
    const expiresAt = createdAt + days * dayMs;
    const what = { program, programIdentity, askedBy };
    const who = { client: bound.client, request, via, assurance: assuranceOfTaken(taken) };
    const kept = await remembered.remember({ ...where, ...what, ...who, createdAt, expiresAt });
    id = kept.id;
    await write([rememberedEvent(taken.answer, kept)], "plain");
    return expiresAt;
  }

  return {
    kind: "wider",
    async leave() {
      try {
        return { kind: "left", text: rule, expiresAt: await remember() };
      } catch (error) {
        return { kind: "lost", text: rule, why: oneLine(reasonOf(expectWispError(error))) };
      }
    },
    async takeBack() {
      if (id === null || remembered === null) return;
      try {
        if (await remembered.revoke(id)) await write([takenBackEvent(id, request)], "plain");
      } catch (error) {
        expectWispError(error);
      }
    },
  };
}
