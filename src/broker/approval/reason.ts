/** Why something failed, in words: told to agents, kept in answers' notes and in the audit log. */
import { errorCodes, WispError } from "../request/errors.js";
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

/**
 * What went wrong and, where it is known, why and how this very fault is repaired; no full stop at its end, for it
 * may be joined to another reason. Not yet safe to show: see `oneLine`.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof WispError) {
    const { code, message, why, fix } = error;
    // What every error of this code advises is an instruction to whoever gets the error, and no reason.
    const repair = fix === errorCodes[code].recovery ? null : fix;
    return [`${code}: ${message}`, why, repair]
      .filter((part) => part !== null)
      .join(" ")
      .replace(/\.$/, "");
  }
  return error instanceof Error ? error.message : String(error);
}
