/**
 * The word that is typed to approve what is dangerous. Invariant: at that level nothing is approved without it, on any
 * way, and what was pasted is not typed.
 */
import { type Scope, typedWord } from "../../broker/index.js";
import { givenYes } from "./giving.js";
import { emptyLine } from "./line.js";
import { approvalOf, type Model, type OpenCard, type Prompt, type Stepped, still } from "./model.js";
import { noted, warned } from "./notices.js";

/** Says yes, or asks for the word first. Whoever calls this has looked for whatever speaks against it. */
export function approved(
  model: Model,
  { entry }: OpenCard,
  scope: Scope,
  note: string | null,
  at: number,
): Stepped {
  const approval = approvalOf(entry);
  if (approval === null || entry.kind === "many") return still(model);
  if (approval.level !== "dangerous") return givenYes(model, entry, scope, note);
  const expected = typedWord(approval.subject);
  const prompt: Prompt = { kind: "word", line: emptyLine, expected, scope, note };
  return still(noted({ ...model, prompt }, `Dangerous: type ${expected} to approve it, or Esc.`, at));
}

/** Enter after a word: a yes when it is the word, else nothing. */
export function worded(
  model: Model,
  { entry }: OpenCard,
  prompt: Extract<Prompt, { kind: "word" }>,
  at: number,
): Stepped {
  const { expected, scope, note, line } = prompt;
  if (entry.kind === "many") return still(model);
  if (line.text.trim() === expected) return givenYes({ ...model, prompt: null }, entry, scope, note);
  const again = { ...model, prompt: { ...prompt, line: emptyLine } };
  return still(warned(again, `Not approved: that is not the word. It is ${expected}.`, at));
}
