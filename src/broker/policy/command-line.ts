/**
 * The commands of a line that was understood whole. Invariant: the words are those that bash runs, but for names of files
 * in the place of a glob.
 */
import { exactPattern } from "./command-pattern.js";
import { scanned } from "./complex.js";

/** One command of a simple line, or an argv. */
export interface SimpleCommand {
  /** As it is written in the line; the words of an argv as a shell would take them. */
  readonly text: string;
  readonly words: readonly string[];
  /** The words as allow rules see them: `fileGlob` stands where bash puts names of files. */
  readonly active: readonly string[];
}

/** The commands of `line`, `~` expanded to `homeDirectory`; null for a complex line. */
export function commandsOf(line: string, homeDirectory: string): readonly SimpleCommand[] | null {
  const commands = scanned(line);
  if (commands === null) return null;
  return commands.map((words) => {
    const expanded = (text: string, isBelowHome: boolean): string =>
      isBelowHome ? `${homeDirectory}${text.slice(1)}` : text;
    return {
      text: words.map(({ raw }) => raw).join(" "),
      words: words.map(({ text, isBelowHome }) => expanded(text, isBelowHome)),
      active: words.map(({ active, isBelowHome }) => expanded(active, isBelowHome)),
    };
  });
}

/** The words of an argv: nothing stands between them and the program. */
export function commandOfWords(words: readonly string[]): SimpleCommand {
  return { text: exactPattern(words), words, active: words };
}

/** Does bash put names of files into the command that nobody sees before? */
export function hasFileGlob({ words, active }: SimpleCommand): boolean {
  return words.some((word, index) => word !== active[index]);
}
