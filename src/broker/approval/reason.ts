/** Why something failed, in words: told to agents, kept in answers' notes and in the audit log. */
import { WispError } from "../request/errors.js";
import { shownText } from "../request/shown.js";

/** Enough for a sentence and a command to paste; far below what a note may hold. */
const longestLine = 1_000;

/** `text` in one line with everything invisible escaped, cut to 1,000 characters. */
export function oneLine(text: string): string {
  // Cutting between two halves of a surrogate pair would leave a string that is not Unicode.
  return shownText(text)
    .slice(0, longestLine)
    .replace(/[\ud800-\udbff]$/, "");
}

/** What went wrong and, where it is known, why and what to do about it. Not yet safe to show: see `oneLine`. */
export function reasonOf(error: unknown): string {
  if (error instanceof WispError) {
    return [`${error.code}: ${error.message}`, error.why, error.fix]
      .filter((part) => part !== null)
      .join(" ");
  }
  return error instanceof Error ? error.message : String(error);
}
