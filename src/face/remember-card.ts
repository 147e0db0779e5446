/** One rule as a yes would remember it, whole: what stands before the person's eyes when they say so. */
import type { ApprovalRequest } from "../broker/index.js";
import { type Card, newSheet } from "./card.js";
import { daysText, offersOf, previewLines, type WideScope } from "./remember-lines.js";

/** The card of the offer at `index`, from 0. Throws a TypeError where there is none. */
export function rememberCard(request: ApprovalRequest, scope: WideScope, index: number): Card {
  const offers = offersOf(request);
  const offer = offers[index];
  if (offer === undefined) throw new TypeError(`${request.id} offers no rule ${index + 1}.`);
  const sheet = newSheet();
  sheet.contentLine("remembers", offer.rule);
  sheet.ours("for", daysText(request.remember?.days ?? 0));
  if (scope === "always") sheet.ours("in", "every directory");
  else if (request.subject.type === "command") sheet.theirs("in", request.subject.directory);
  else sheet.ours("in", "this project alone");
  for (const { label, text } of previewLines(offer)) sheet.theirs(label, text);
  if (offers.length > 1) sheet.ours("form", `${index + 1} of ${offers.length}`);
  return sheet.card();
}
