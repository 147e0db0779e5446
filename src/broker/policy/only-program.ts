/** Which program a plain line runs, where it is only one. */
import { commandsOf } from "./command-line.js";

/**
 * The first word of the one simple command that `line` is; null where it is more than that, or not understood. A `~` stands
 * as it is where no home is given.
 */
export function onlyProgramOf(line: string, homeDirectory = "~"): string | null {
  const [first, second] = commandsOf(line, homeDirectory) ?? [];
  return second === undefined ? (first?.words[0] ?? null) : null;
}
