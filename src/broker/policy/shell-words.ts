/**
 * Words that bash does not look up as programs. Data. Such a word changes the shell that runs what follows (`cd`,
 * `export`, `hash`, `alias`), runs or evaluates its arguments (`eval`, `trap`, and by their subscripts `printf -v`, `test`,
 * `read`, `unset`), or begins a construct: what a line with one runs is not what its words say.
 */

/** Builtins that only print or end as they say, whatever is given to them. */
export const harmlessWords: ReadonlySet<string> = wordsOf("echo true false pwd :");

/** All others of bash 5.3 and before it, and its keywords. */
export const shellWords: ReadonlySet<string> = wordsOf(
  ". [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown enable eval " +
    "exec exit export fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd read readarray " +
    "readonly return set shift shopt source suspend test times trap type typeset ulimit umask unalias unset wait " +
    "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while",
);

/** The first program word of `commands` that works inside the shell; null where none does. */
export function shellWordIn(commands: readonly { readonly words: readonly string[] }[]): string | null {
  return commands.map(({ words: [word = ""] }) => word).find((word) => shellWords.has(word)) ?? null;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
