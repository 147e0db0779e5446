/**
 * A yes for longer than the connection. Invariant: the rule that it remembers stood on the screen from its first row to its
 * last before the same key was pressed again; at level dangerous nothing is remembered beyond the session.
 */
import type { ApprovalRequest } from "../../broker/index.js";
import { narrowYes, type Reach, reachOf } from "../../face/remember.js";
import { offersOf, type WideScope } from "../../face/remember-lines.js";
import { blockOfSession } from "./blocked.js";
import { asked, askedRule } from "./confirming.js";
import { approvalOf, type Model, type OpenCard, type Stepped, still } from "./model.js";
import { hinted } from "./notices.js";
import { approved } from "./word.js";

/** The scope of each key. */
export const wideScopes = { p: "project", a: "always" } as const satisfies Record<string, WideScope>;

/** A key of these. */
export type WideKey = keyof typeof wideScopes;

/** The key of each scope. */
export const wideKeys = { project: "p", always: "a" } as const satisfies Record<WideScope, WideKey>;

/**
 * The first time shows whole what `key` remembers, and the second remembers it. `isAgain` says that it is the second, and
 * `card` is what stood on the screen. Nothing else may speak against a yes.
 */
export function remembered(
  model: Model,
  card: OpenCard,
  key: WideKey,
  { index, isAgain }: { readonly index: number; readonly isAgain: boolean },
  at: number,
): Stepped {
  const approval = approvalOf(card.entry);
  if (approval === null) return still(model);
  const scope = wideScopes[key];
  const reach = card.entry.kind === "late" ? lateReach : reachOf(approval, scope);
  switch (reach.kind) {
    case "not offered":
      return still(hinted(model, notOfferedText(scope, reach), at));
    case "narrow": {
      const unread = blockOfSession(card);
      const less = reach.downgradedFrom === null ? "" : "Dangerous: remembered for the session at most. ";
      if (unread !== null) return still(hinted(model, `${less}${unread}`, at));
      if (!isAgain) return still(asked(model, key));
      return approved(model, card, narrowYes(reach, null), at);
    }
    case "wide":
      return ruleRemembered(model, card, { key, index, isAgain, approval }, reach, at);
    default:
      return reach satisfies never;
  }
}

/** Why a yes of this scope is not given, as a sentence. */
export function notOfferedText(scope: string, { offered }: Extract<Reach, { kind: "not offered" }>): string {
  return `A yes of the scope ${scope} is not offered here; it offers ${offered.join(", ")}.`;
}

/** Of what has ended, one call is all that a yes lets through. */
export const lateReach: Extract<Reach, { kind: "not offered" }> = { kind: "not offered", offered: ["once"] };

/** The form at `index`, from 0, in the place of the one that is shown; where it has several. */
export function formShown(model: Model, index: number, at: number): Model {
  const { card } = model;
  const approval = card === null ? null : approvalOf(card.entry);
  const key = card?.confirming;
  if (approval === null || (key !== "p" && key !== "a")) return model;
  const count = offersOf(approval).length;
  return index < 0 || index >= count
    ? hinted(model, `There is no form ${index + 1}; they are 1 to ${count}.`, at)
    : askedRule(model, key, index);
}

interface Wanted {
  readonly key: WideKey;
  readonly index: number;
  readonly isAgain: boolean;
  readonly approval: ApprovalRequest;
}

function ruleRemembered(
  model: Model,
  card: OpenCard,
  { key, index, isAgain, approval }: Wanted,
  { scope, offers }: Extract<Reach, { kind: "wide" }>,
  at: number,
): Stepped {
  const offer = offers[index];
  if (offer === undefined) {
    return still(hinted(model, `There is no form ${index + 1}; ${approval.id} offers ${offers.length}.`, at));
  }
  if (!isAgain || card.form?.index !== index) return still(askedRule(model, key, index));
  // Only what stood there in full is remembered; it goes on standing there.
  if (!card.form.isSeen) return still(hinted({ ...model, card }, unreadText, at));
  return approved(model, card, { decision: "approve", scope, note: null, rule: offer.rule }, at);
}

const unreadText = "Read the rule to its end (PgDn, End) before you give it.";
