/** The shell's spelling of a list of words: what a person reads is what bash would take apart into the same words. */
import { shellQuoted, singleQuoted } from "../../broker/index.js";

/** One line of bash that stands for exactly `argv`. Words hold no NUL. */
export function quoteArgv(argv: readonly string[]): string {
  const [program, ...rest] = argv;
  return program === undefined ? "" : [programQuoted(program), ...rest.map(argumentQuoted)].join(" ");
}

/** Plain words that are grammar where a program is expected. */
const reserved = new Set(
  "if then elif else fi for in case esac while until do done select function time coproc".split(" "),
);

function programQuoted(word: string): string {
  return reserved.has(word) ? singleQuoted(word) : shellQuoted(word);
}

/** An `=` is plain in an argument and an assignment in front. */
const plainArgument = /^[A-Za-z0-9_@%+=:,./-]+$/;

function argumentQuoted(word: string): string {
  return plainArgument.test(word) ? word : shellQuoted(word);
}
