/** Talk for a person, broken where a terminal would break it in the middle of a word. Elsewhere a line stays whole. */
import { isNarrow } from "../face/narrow.js";
import { inRows } from "./chat/rows.js";

/** `text` as it is said on `output`; its columns count where it is a terminal. */
export function talked(
  output: { readonly isTerminal: boolean; readonly columns: number },
  text: string,
): string {
  return longer.test(text) && output.isTerminal ? talkIn(output.columns, text) : text;
}

/** Narrower than this no terminal is that a person reads: to ask for its columns takes a millisecond. */
const longer = /[^\n]{31}/;

/**
 * Each line of `text` in rows of at most `columns`, what goes on indented below it. A command stays whole: it is pasted. So
 * do lines in other scripts: how wide a terminal draws them is not known here, and they may be rows of a card.
 */
export function talkIn(columns: number, text: string): string {
  const widths = { of: ({ length }: string) => length };
  const rows = text.split("\n").map((line) => {
    if (line.length <= columns || !isNarrow(line) || repair.test(line)) return line;
    const [indent = ""] = /^ */.exec(line) ?? [];
    const glued = line.slice(indent.length).replace(command, (one) => one.replaceAll(" ", glue));
    return inRows(glued, columns - indent.length, widths)
      .map((row) => `${indent}${row}`.replaceAll(glue, " "))
      .join("\n");
  });
  return rows.join("\n");
}

/** `question`, which ends in a blank, in such rows that `typed` has room behind it in the last: as talk it would be broken. */
export function askedIn(columns: number, question: string, typed: string): string {
  const room = "_".repeat(typed.length + 1);
  return `${talkIn(columns, question.trimEnd() + room).slice(0, -room.length)} `;
}

/** No text that is shown holds it. */
const glue = "\u0000";

/** A line of a complaint that is for a shell: sentences begin and end otherwise, and rules begin with what they do. */
const repair = /^ {2}(?!ask|deny|allow)(?:[a-z~/]|WISP_HOME=).*[^.]$/;

/** As `wispLine` writes it, up to a mark that ends it, and no longer than the words that one has. */
const command = /(?:WISP_HOME=\S+ )?\bwisp(?: [\w|'-]+){1,4}/g;
