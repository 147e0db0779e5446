/** The rows of a rule that a yes would remember. They are made once for each rule and width. */
import type { ApprovalRequest } from "../../broker/index.js";
import type { Card } from "../../face/card.js";
import { rememberCard } from "../../face/remember-card.js";
import type { WideScope } from "../../face/remember-lines.js";
import { type FoldedCard, foldedCard } from "./card-rows.js";

/** The offer at `index`, from 0, as a yes of this scope remembers it, in rows of `columns`. */
export function ruleRows(
  request: ApprovalRequest,
  scope: WideScope,
  index: number,
  columns: number,
): FoldedCard {
  const known = cards.get(request) ?? new Map<string, Card>();
  const key = `${scope} ${index}`;
  const card = known.get(key) ?? rememberCard(request, scope, index);
  cards.set(request, known.set(key, card));
  return foldedCard(card, columns);
}

const cards = new WeakMap<ApprovalRequest, Map<string, Card>>();
