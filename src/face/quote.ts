/** Command lines that a person pastes into a shell. */
import { shellQuoted, shownText } from "../broker/index.js";

/** `word` as one word of a POSIX shell, and safe to print. */
export function quoted(word: string): string {
  return shownText(shellQuoted(word));
}

/**
 * A line that runs `wisp` with `words` on the home of `environment`: another terminal need not have the variable.
 */
export function wispLine(
  environment: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
): string {
  const home = environment.WISP_HOME ?? "";
  const line = ["wisp", ...words].map(quoted).join(" ");
  return home === "" ? line : `WISP_HOME=${quoted(home)} ${line}`;
}
