/** Texts of which every character is one column wide, so that measuring them needs no tables. */

/** Is `text` ASCII, and the marks and frames that faces set themselves? Its length is then its width, each unit a piece. */
export function isNarrow(text: string): boolean {
  return narrow.test(text);
}

const narrow = /^[\x20-\x7e·×–—…›↑↓⏎␠─│┃┆╭╮╯╰⚠✓✗]*$/;
