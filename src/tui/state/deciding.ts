/**
 * What the keys do that decide. Invariant: they come here after the grace alone, and nothing is approved whose end was
 * not on the screen, or that speaks against it.
 */
import type { Scope } from "../../broker/index.js";
import { isWholeFoot } from "../screen/layout.js";
import { blockOfAny, blockOfSession, blockOfYes } from "./blocked.js";
import { entryOf, givenNo } from "./giving.js";
import type { DecidingKey } from "./keys.js";
import { emptyLine } from "./line.js";
import { approvalOf, type Confirming, type Model, type OpenCard, type Stepped, still } from "./model.js";
import { advised, hinted } from "./notices.js";
import { ruleText } from "./rule-text.js";
import { approved } from "./word.js";

/** `key` on `card`, which is what is on the screen. `confirming` is the key that was to be pressed twice, if any. */
export function decided(
  model: Model,
  card: OpenCard,
  key: DecidingKey,
  confirming: Confirming | null,
  at: number,
): Stepped {
  switch (key) {
    case "D":
      return deniedAll(model, card, confirming, at);
    case "d":
    case "r":
      return denied(model, card, key, at);
    case "y":
      return approvedFor(model, card, "once", at);
    case "s":
      return approvedFor(model, card, "session", at);
    case "n":
      return noteAsked(model, card, at);
    case "p":
    case "a":
      return confirming === key
        ? approvedFor(model, card, wideScopes[key], at)
        : ruleShown(model, card, key, at);
    default:
      return key satisfies never;
  }
}

const wideScopes = { p: "project", a: "always" } as const;

function denied(model: Model, card: OpenCard, key: "d" | "r", at: number): Stepped {
  const { entry } = card;
  const block = blockOfAny(model, card);
  if (block !== null || entry.kind === "many") return still(hinted(model, block ?? "", at));
  return key === "d"
    ? givenNo(model, [entry], null)
    : still({ ...model, prompt: { kind: "reason", line: emptyLine } });
}

function deniedAll(model: Model, { entry }: OpenCard, confirming: Confirming | null, at: number): Stepped {
  if (entry.kind !== "many")
    return still(advised(model, "D denies all of a thread that asks too much; d denies this one.", at));
  const approvals = entry.requests.filter(({ kind }) => kind === "approval");
  return confirming === "D" ? givenNo(model, approvals.map(entryOf), null) : still(asked(model, "D"));
}

function approvedFor(model: Model, card: OpenCard, scope: Scope, at: number): Stepped {
  const objection = objectionTo(model, card, scope);
  return objection === null ? approved(model, card, scope, null, at) : still(hinted(model, objection, at));
}

function noteAsked(model: Model, card: OpenCard, at: number): Stepped {
  const objection = objectionTo(model, card, "once");
  return still(
    objection === null
      ? { ...model, prompt: { kind: "note", line: emptyLine } }
      : hinted(model, objection, at),
  );
}

/** A rule is shown whole or not remembered. */
function ruleShown(model: Model, card: OpenCard, key: "p" | "a", at: number): Stepped {
  const objection = objectionTo(model, card, wideScopes[key]);
  if (objection !== null) return still(hinted(model, objection, at));
  const shown = asked(model, key);
  return still(
    isWholeFoot(shown)
      ? shown
      : hinted(model, "The rule does not fit here: enlarge the window, or press v.", at),
  );
}

function objectionTo(model: Model, card: OpenCard, scope: Scope): string | null {
  const block = blockOfYes(model, card);
  const approval = approvalOf(card.entry);
  if (block !== null || approval === null) return block ?? "";
  const isOffered = card.entry.kind === "late" ? scope === "once" : approval.scopes.includes(scope);
  if (!isOffered) return `A yes of the scope ${scope} is not offered here.`;
  if (scope === "session") return blockOfSession(card);
  const isWide = scope === "project" || scope === "always";
  return isWide && ruleText(approval, scope) === null ? "There is no rule to remember." : null;
}

function asked(model: Model, confirming: Confirming): Model {
  const { card } = model;
  return card === null ? model : { ...model, card: { ...card, confirming } };
}
