/** The shell's spelling of a list of words: what a person reads is what bash would take apart into the same words. */

/** One line of bash that stands for exactly `argv`. Words hold no NUL. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map((word, index) => (isBare(word, index === 0) ? word : quoted(word))).join(" ");
}

const plain = /^[A-Za-z0-9_@%+:,./-]+$/;
/** An `=` is plain in an argument and an assignment in front. */
const plainArgument = /^[A-Za-z0-9_@%+=:,./-]+$/;
/** Plain words that are grammar where a program is expected. */
const reserved = new Set(
  "if then elif else fi for in case esac while until do done select function time coproc".split(" "),
);

function isBare(word: string, isFirst: boolean): boolean {
  return isFirst ? plain.test(word) && !reserved.has(word) : plainArgument.test(word);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
