/** Lines of a file behind a sign, as in a diff: talk would break them below their first character. */
import { widthsFor } from "../../face/widths.js";
import { wrapped } from "../../face/wrap.js";
import type { Output } from "../terminal.js";

/** `text` to the last character, in rows of the terminal; those that go on have the sign of the first, and one of their own. */
export async function signedLines(
  sign: string,
  text: string,
  { isTerminal, columns }: Pick<Output, "isTerminal" | "columns">,
): Promise<string> {
  const widths = await widthsFor([text]);
  const room = Math.max(leastColumns, columns - sign.length);
  const isShort = !isTerminal || widths.of(text) <= room;
  const rows = isShort ? [text] : wrapped(text, room - further.length, widths);
  return rows.map((row, index) => `${sign}${index === 0 ? "" : further}${row}\n`).join("");
}

/** On a screen that is narrower a row is broken by it. */
const leastColumns = 20;
const further = "┆ ";
