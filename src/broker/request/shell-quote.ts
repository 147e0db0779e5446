/** The one way in which a word is written for a POSIX shell. What is written is not yet safe to show. */

/** `word` as one word of a shell: as it is where nothing in it is special, otherwise in quotes. It holds no NUL. */
export function shellQuoted(word: string): string {
  return plain.test(word) ? word : singleQuoted(word);
}

/** `word` in quotes, whatever is in it: a plain word can mean something by where it stands. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Neither `~` nor `=`: at the beginning of a word, or of a line, they are grammar. */
const plain = /^[A-Za-z0-9_@%+:,./-]+$/;
