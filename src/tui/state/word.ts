/**
 * The word that is typed to approve what is dangerous. Invariant: at that level nothing is approved without it, on any
 * way, and what was pasted is not typed.
 */
import { typedWord } from "../../broker/index.js";
import type { GivenYes } from "../../face/answer.js";
import type { Key } from "./event.js";
import { givenYes } from "./giving.js";
import { edited, emptyLine, isPrintable } from "./line.js";
import { approvalOf, type Model, type OpenCard, type Prompt, type Stepped, still } from "./model.js";
import { advised, hinted } from "./notices.js";

/** Says yes, or asks for the word first. Whoever calls this has looked for whatever speaks against it. */
export function approved(model: Model, { entry }: OpenCard, yes: GivenYes, at: number): Stepped {
  const approval = approvalOf(entry);
  if (approval === null || entry.kind === "many") return still(model);
  if (approval.level !== "dangerous") return givenYes(model, entry, yes);
  const expected = typedWord(approval.subject);
  const prompt: WordPrompt = { kind: "word", line: emptyLine, letters: null, expected, yes };
  return still(advised({ ...model, prompt }, `Dangerous: type ${expected} to approve it, or Esc.`, at));
}

/** Enter after a word: a yes when it is the word, else nothing. */
export function worded(model: Model, { entry }: OpenCard, prompt: WordPrompt, at: number): Stepped {
  const { expected, yes, line } = prompt;
  if (entry.kind === "many") return still(model);
  const again = { ...model, prompt: unworded(prompt) };
  if (line.text.trim() !== expected) {
    return still(hinted(again, `Not approved: that is not the word. It is ${expected}.`, at));
  }
  if (isAtOnce(prompt)) {
    return still(hinted(again, "Not approved: it came all at once, as pasted text does. Type the word.", at));
  }
  return givenYes({ ...model, prompt: null }, entry, yes);
}

type WordPrompt = Extract<Prompt, { kind: "word" }>;

/** With what `key` makes of the word. */
export function withLetter(prompt: WordPrompt, key: Key, at: number): WordPrompt {
  const line = edited(prompt.line, key);
  if (line.text === "") return unworded(prompt);
  if (!isPrintable(key)) return { ...prompt, line };
  const firstAt = prompt.line.text === "" ? at : (prompt.letters?.firstAt ?? at);
  return { ...prompt, line, letters: { firstAt, lastAt: at } };
}

/** Before anything was typed. */
export function unworded(prompt: WordPrompt): WordPrompt {
  return { ...prompt, line: emptyLine, letters: null };
}

/**
 * Nobody types a word in so short a time. Not every terminal marks what is pasted, so the letters themselves must tell;
 * a word of one letter cannot.
 */
const togetherMs = 50;

function isAtOnce({ letters, line }: WordPrompt): boolean {
  if (letters === null) return true;
  return line.text.trim().length > 1 && letters.lastAt - letters.firstAt < togetherMs;
}
