/**
 * How a call came to run, as a model reads it: which way the answer came, how sure it is that a person gave it, which is
 * less than who, what was not seen of that, and by which rule.
 */
import { assuranceWords, localDay, type Outcome, type OutcomeRule, shownText } from "../../broker/index.js";
import { sentence } from "./result.js";

/** Is there anything in a person's note? */
export function hasWords(note: string | null): note is string {
  return note !== null && note.trim() !== "";
}

/** The first sentences of the result of an approval. */
export function leadOf(outcome: Outcome): string {
  const { rule } = outcome;
  switch (rule?.kind) {
    case undefined:
      return approvedText(outcome);
    case "policy":
      return `Allowed by ${named(rule.text, rule.place)}; nobody was asked.`;
    case "earlier":
      return `Allowed by ${named(rule.text, rule.place)}: a person approved it ${reachOf(outcome)} on ${localDay(rule.yesAt)}; nobody was asked now.`;
    case "left":
      return `${approvedText(outcome)} Until ${localDay(rule.expiresAt)} ${named(rule.text, null)} lets the same run ${placesOf(outcome)} without asking, as long as its program and the other rules stay as they are.`;
    case "lost":
      return `${approvedText(outcome)} It counted once, nothing is remembered: ${sentence(rule.why)}`;
    default:
      return rule satisfies never;
  }
}

/** `via` is never `policy` here: no file says yes in a person's name. */
function approvedText({ scope, via, verified, note, unseenMs }: Outcome): string {
  const words = hasWords(note) ? `: ${sentence(note)}` : ".";
  const level = via === "policy" ? "" : `, ${assuranceWords(via, verified).join(", ")}`;
  const unseen =
    unseenMs === null ? "" : `, ${unseenMs} ms after it was asked, before anybody can have read it`;
  return `Approved (${scope}, via ${via}${level}${unseen})${words}`;
}

function reachOf({ scope }: Outcome): string {
  return scope === "project" ? "for the project" : "for always";
}

function placesOf({ scope }: Outcome): string {
  return scope === "project" ? "in this directory" : "in every directory";
}

function named(text: OutcomeRule["text"], place: string | null): string {
  return `rule ${shownText(text)}${place === null ? "" : ` (${shownText(place)})`}`;
}
