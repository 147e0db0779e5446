/** What may stand where the cursor is, for the scripts of the shells. */
import { RootCommand } from "@bomb.sh/tab";
import { printedBy } from "./printed.js";

/** One command, as it is typed after `wisp`. */
export interface Completable {
  /** `approvals deny` */
  readonly path: string;
  readonly summary: string;
  /** Flags without a value, and those with one, without their dashes. */
  readonly switches: readonly string[];
  readonly options: readonly string[];
  readonly takesId: boolean;
}

/** A value, and what stands beside it: one line, safe to print. */
export interface Suggestion {
  readonly value: string;
  readonly about: string;
}

/** What may follow in a place that only this home, or a table, knows. Asked only where the cursor stands there. */
export interface Values {
  /** The ids that `path` takes. */
  ids(path: string): readonly Suggestion[];
  /** What `--option` of `path` takes; none where that is for the person to say. */
  of(path: string, option: string): readonly Suggestion[];
}

/**
 * The lines of `wisp complete -- WORDS`, the last of which may be half-typed or empty: a value, a tab and what it is, and at
 * the end a colon and 4, by which shells know that no file belongs there.
 */
export function suggestions(
  words: readonly string[],
  commands: readonly Completable[],
  values: Values,
): string {
  const root = new RootCommand();
  for (const { path, summary, switches, options, takesId } of commands) {
    const command = root.command(path, summary);
    for (const name of switches) command.option(name, "");
    for (const name of options) {
      command.option(
        name,
        "",
        offer(() => values.of(path, name)),
      );
    }
    command.option("help", "");
    if (takesId)
      command.argument(
        "id",
        offer(() => values.ids(path)),
      );
  }
  // What the library calls an empty word it takes from the end of what it is given.
  return printedBy(() => root.parse(joined(words)));
}

type Complete = (value: string, description: string) => void;

function offer(those: () => readonly Suggestion[]): (complete: Complete) => void {
  return (complete) => {
    for (const { value, about } of those()) complete(value, about);
  };
}

/** bash hands `--scope=x` over as three words, and `--scope=` as two. */
function joined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (const [index, word] of words.entries()) {
    const flag = whole.at(-1) ?? "";
    const isValue = words[index - 1] === "=" && flag.endsWith("=");
    if (isValue || (word === "=" && flag.startsWith("--"))) whole[whole.length - 1] = `${flag}${word}`;
    else whole.push(word);
  }
  return whole;
}
