/** Texts that Enter ends: a note, a reason, an answer, the word, the filter. Enter on nothing ends none of them. */
import { longestAnswerBytes } from "../../broker/index.js";
import { isTiny } from "../screen/layout.js";
import { blockOfAny, blockOfYes } from "./blocked.js";
import type { Key } from "./event.js";
import { givenNo } from "./giving.js";
import { dropped, isQuiet, isSettled, unsettled } from "./grace.js";
import { edited, isPrintable, type Line, withText } from "./line.js";
import type { Model, OpenCard, Prompt, Quiet, Stepped } from "./model.js";
import { still } from "./model.js";
import { hinted } from "./notices.js";
import { withQueue } from "./queue.js";
import { isOverlong } from "./replies.js";
import { textEnded } from "./replying.js";
import { scrolled } from "./scrolling.js";
import { approved, withLetter, worded } from "./word.js";

/** `key` in `prompt`; `quiet` is that from before the key. */
export function promptKey(model: Model, prompt: Prompt, key: Key, quiet: Quiet, at: number): Stepped {
  if (key.name === "escape") return still({ ...model, prompt: null });
  if (key.name === "return") return ended(model, prompt, quiet, at);
  // The first letter of a word can be a key that was meant for something else, as any that decides.
  const isFirst = prompt.kind === "word" && prompt.line.text === "" && isPrintable(key);
  if (isFirst && !isQuiet(quiet, at)) return still(dropped(model, at));
  // Whoever is asked for the word may have to read on first.
  if (isScrolling(key.name)) return still(scrolled(model, key.name));
  if (prompt.kind === "word") return still({ ...model, prompt: withLetter(prompt, key, at) });
  return still(withLine(model, prompt, edited(prompt.line, key), at));
}

/** Text that was pasted into `prompt`. */
export function promptPaste(model: Model, prompt: Prompt, text: string, at: number): Model {
  if (prompt.kind === "word") return hinted(model, "Pasted text is not taken here: type the word.", at);
  // A part of what was pasted would be another answer.
  if (prompt.kind === "answer" && isOverlong(prompt.line.text + text)) return hinted(model, fullText, at);
  return withLine(model, prompt, withText(prompt.line, text, true), at);
}

/** An answer is bounded in bytes, and nothing of it is left out in silence. */
function withLine(model: Model, prompt: TextPrompt, line: Line, at: number): Model {
  const isLonger = line.text.length > prompt.line.text.length;
  return prompt.kind === "answer" && isLonger && isOverlong(line.text)
    ? hinted(model, fullText, at)
    : { ...model, prompt: { ...prompt, line } };
}

type TextPrompt = Exclude<Prompt, { kind: "word" }>;

const fullText = `Not taken: an answer has at most ${longestAnswerBytes.toLocaleString("en-US")} bytes.`;

/** Keys that scroll and edit nothing. */
function isScrolling(name: string): name is "up" | "down" | "pageup" | "pagedown" {
  return name === "up" || name === "down" || name === "pageup" || name === "pagedown";
}

function ended(model: Model, prompt: Prompt, quiet: Quiet, at: number): Stepped {
  if (prompt.kind === "filter") return still(filtered(model, prompt.line));
  const { card } = model;
  const text = prompt.line.text.trim();
  if (card === null || text === "") return still(hinted(model, emptyTexts[prompt.kind], at));
  if (isTiny(model.size)) return still(model);
  if (!isSettled(quiet, at)) return still(unsettled(model, quiet, at));
  const isYes = prompt.kind === "note" || prompt.kind === "word";
  const block = isYes ? blockOfYes(model, card) : blockOfAny(model, card);
  if (block !== null) return still(hinted(model, block, at));
  if (prompt.kind === "answer") return still(textEnded(model, card, prompt.line, at));
  return answered({ ...model, prompt: null }, card, prompt, text, at);
}

function answered(
  model: Model,
  card: OpenCard,
  prompt: Exclude<Prompt, { kind: "filter" | "answer" }>,
  text: string,
  at: number,
): Stepped {
  switch (prompt.kind) {
    case "reason":
      return card.entry.kind === "many" ? still(model) : givenNo(model, [card.entry], text);
    case "note":
      return approved(model, card, { decision: "approve", scope: "once", note: text }, at);
    case "word":
      return worded(model, card, prompt, at);
    default:
      return prompt satisfies never;
  }
}

const emptyTexts = {
  reason: "Type a reason, or Esc; d needs none.",
  answer: "Type an answer, or Esc.",
  note: "Type a note, or Esc; y approves without one.",
  word: "Type the word, or Esc.",
} as const;

function filtered(model: Model, { text }: Line): Model {
  return withQueue({ ...model, prompt: null }, { filter: text.trim() });
}
