/** Command lines of `wisp` that a person pastes into a terminal. */
import { quoteArgv } from "./quote.js";

/**
 * A line for a shell that runs `wisp` with `words`, called there by the words of `called`. `home` is null for the
 * default one; any other is named, because another terminal need not have the variable. Not yet safe to show.
 */
export function wispLine(
  words: readonly string[],
  home: string | null,
  called: readonly string[] = ["wisp"],
): string {
  const line = quoteArgv([...called, ...words]);
  return home === null ? line : `WISP_HOME=${quoteArgv([home])} ${line}`;
}
