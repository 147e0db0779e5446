/** One line of text that a person types, with a caret. */
import { longestNote } from "../../broker/index.js";
import { wide } from "../../face/wide.js";
import type { Key } from "./event.js";

/** `caret` counts UTF-16 units and never stands inside what is drawn as one character. */
export interface Line {
  readonly text: string;
  readonly caret: number;
  /** Was any of it pasted since it was empty? */
  readonly isPasted: boolean;
}

/** A line before anything was typed. */
export const emptyLine: Line = { text: "", caret: 0, isPasted: false };

/** `text` with the caret at its end. */
export function lineOf(text: string): Line {
  return { text, caret: text.length, isPasted: false };
}

/** Does `key` type a character: one that is to be seen, or a blank? */
export function isPrintable({ text, isControl, isMeta }: Key): boolean {
  return text !== "" && !isControl && !isMeta && !controls.test(text);
}

/** With `text` before the caret, in one line and without control characters. What is too long for an answer is left out. */
export function withText(line: Line, text: string, isPasted = false): Line {
  const clean = text.replace(breaks, " ").replace(allControls, "");
  const room = longestNote - line.text.length;
  const taken = clean.length <= room ? clean : fittingPart(clean, room);
  return {
    text: line.text.slice(0, line.caret) + taken + line.text.slice(line.caret),
    caret: line.caret + taken.length,
    isPasted: line.isPasted || (isPasted && taken !== ""),
  };
}

/** What an editing key makes of `line`; the same line where the key edits nothing. */
export function edited(line: Line, key: Key): Line {
  if (isPrintable(key)) return withText(line, key.text);
  if (key.isMeta) return line;
  const { text, caret, isPasted } = line;
  switch (key.isControl ? `ctrl-${key.name}` : key.name) {
    case "backspace":
    case "ctrl-h":
      return without(line, before(line), caret);
    case "delete":
    case "ctrl-d":
      return without(line, caret, after(line));
    case "left":
    case "ctrl-b":
      return { text, caret: before(line), isPasted };
    case "right":
    case "ctrl-f":
      return { text, caret: after(line), isPasted };
    case "home":
    case "ctrl-a":
      return { text, caret: 0, isPasted };
    case "end":
    case "ctrl-e":
      return { text, caret: text.length, isPasted };
    case "ctrl-u":
      return without(line, 0, caret);
    case "ctrl-k":
      return without(line, caret, text.length);
    case "ctrl-w":
      return without(line, text.slice(0, caret).replace(lastWord, "").length, caret);
    default:
      return line;
  }
}

const controls = /\p{Cc}/u;
const allControls = /\p{Cc}/gu;
const breaks = /\r\n|[\r\n\t\u2028\u2029]/g;
const lastWord = /\S*\s*$/;

function fittingPart(text: string, room: number): string {
  let part = "";
  for (const character of text) {
    if (part.length + character.length > room) break;
    part += character;
  }
  return part;
}

function before({ text, caret }: Line): number {
  return caret - (wide.pieces(text.slice(0, caret)).at(-1)?.length ?? 0);
}

function after({ text, caret }: Line): number {
  return caret + (wide.pieces(text.slice(caret))[0]?.length ?? 0);
}

function without({ text, isPasted }: Line, from: number, to: number): Line {
  const rest = text.slice(0, from) + text.slice(to);
  return { text: rest, caret: from, isPasted: isPasted && rest !== "" };
}
