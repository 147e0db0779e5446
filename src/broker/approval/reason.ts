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

/** Why the channel does not ask, as dialog and caller are told; null while it does. */
export function shownFault(fault: string | null): string | null {
  return fault === null ? null : oneLine(fault);
}

/**
 * What went wrong and, where it is known, why; no full stop at its end, for it may be joined to another reason. Never
 * how it is repaired: an agent reads this, and a command in it is one that the agent might run. Not yet safe to show:
 * see `oneLine`.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof WispError) {
    const { code, message, why } = error;
    return [`${code}: ${message}`, why]
      .filter((part) => part !== null)
      .join(" ")
      .replace(/\.$/, "");
  }
  return error instanceof Error ? error.message : String(error);
}
