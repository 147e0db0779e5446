/** Which program a plain line runs, where it is only one. */
import { commandsOf } from "./command-line.js";

/**
 * The first word of the one simple command that `line` is, `~` expanded to `homeDirectory`; null where it is more than
 * that, or not understood.
 */
export function onlyProgramOf(line: string, homeDirectory: string): string | null {
  const [command, ...others] = commandsOf(line, homeDirectory) ?? [];
  return others.length === 0 ? (command?.words[0] ?? null) : null;
}
