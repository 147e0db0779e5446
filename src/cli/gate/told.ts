/** What is told of a change of a client's file, so that no terminal breaks it inside of a word. */
import { widthsFor } from "../../face/widths.js";
import { wrapped, wrappedWords } from "../../face/wrap.js";
import type { Output } from "../terminal.js";

/** Where it is told; its columns count on a terminal alone. */
export type Shape = Pick<Output, "isTerminal" | "columns">;

/** A sentence, safe to print, in lines broken at blanks that begin with `indent`. */
export async function sentenceLines(text: string, shape: Shape, indent = ""): Promise<string> {
  const rows = shape.isTerminal
    ? wrappedWords(text, Math.max(leastColumns, shape.columns - indent.length), await widthsFor([text]))
    : [text];
  return rows.map((row) => `${indent}${row}\n`).join("");
}

/** What stands behind a sign, as in a diff, to the last character: what goes on has that sign as well, and one of its own. */
export async function signedLines(sign: string, text: string, shape: Shape): Promise<string> {
  const widths = await widthsFor([text]);
  const room = Math.max(leastColumns, shape.columns - sign.length);
  const isShort = !shape.isTerminal || widths.of(text) <= room;
  const rows = isShort ? [text] : wrapped(text, room - further.length, widths);
  return rows.map((row, index) => `${sign}${index === 0 ? "" : further}${row}\n`).join("");
}

/** On a screen that is narrower a row is broken by it. */
const leastColumns = 20;
const further = "┆ ";
