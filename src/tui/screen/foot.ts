/** What stands below the text of a card: what answering it takes, or why nothing can answer it. */
import { typedWord } from "../../broker/index.js";
import { blockOfAny, blockOfYes } from "../state/blocked.js";
import { approvalOf, type Model, type OpenCard } from "../state/model.js";
import { ruleText } from "../state/rule-text.js";
import { foldedWords } from "./fold.js";
import { framedTextColumns } from "./measures.js";

/** Lines for a card of `columns`; none where there is nothing to say. A rule is never shortened. */
export function footOf(model: Model, card: OpenCard, columns: number): readonly string[] {
  const text = footText(model, card);
  return text === null ? [] : foldedWords(text, framedTextColumns(columns));
}

function footText(model: Model, card: OpenCard): string | null {
  if (card.confirming !== null) return confirmingText(card);
  const block = blockOfYes(model, card);
  if (block !== null) return block;
  const approval = approvalOf(card.entry);
  if (approval?.level !== "dangerous") return null;
  return `To approve it you type a word of it: ${typedWord(approval.subject)}`;
}

function confirmingText({ entry, confirming }: OpenCard): string | null {
  if (confirming === "D") {
    const count = entry.kind === "many" ? entry.requests.length : 0;
    return `D again denies all ${count}; any other key leaves them.`;
  }
  const approval = approvalOf(entry);
  if (approval === null || confirming === null) return null;
  const rule = ruleText(approval, confirming === "p" ? "project" : "always");
  return `${confirming} again remembers ${rule}`;
}

/** Is it no use to press keys that approve? Then they are dim. */
export function isYesOff(model: Model, card: OpenCard): boolean {
  return blockOfAny(model, card) !== null || blockOfYes(model, card) !== null;
}
