/**
 * Characters that are drawn as others are, so that two texts would look the same: a Kelvin sign is a `K`, an `e` with an
 * accent of its own an `é`, a full-width `Ａ` reads as `A`. Invariant: of all spellings that Unicode takes for one (NFC, and
 * but for what is kept here NFKC) at most one is left as it stands, and that is the one in which people write.
 */

/**
 * What no NFKC finds: signs that read as a part of a path or a command, the letters that syllables of Hangul are put together
 * from (people write the syllables, and single letters by others), and the ring of a Thai or Lao `am` in two pieces.
 */
const always =
  /^([‐⁄∕∖∶⧵⧸⧹꞉\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]|\u0e4d[\u0e48-\u0e4b]*\u0e32|\u0ecd[\u0ec8-\u0ecb]*\u0eb2)/;

/**
 * What NFKC would write by others and nobody takes for them: raised and lowered digits, fractions, numbers in a circle, `…`,
 * accents that stand alone (a mark on a blank is an escape), and what is the usual letter or sign of a language.
 */
const kept = /[¨ª¯²-µ¸-º¼-¾և…№™⁰⁴-⁻₀-₋⅐-⅞①-⑳ㄱ-ㆎำຳໜໝ]/;

/** The punctuation of Chinese and Japanese: as wide as their letters, and the usual one beside them. */
const keptInEastAsian = /[！（），：；？～]/;

/** As many characters as decide: no text has more marks of tone on a letter. */
const enough = 8;

/** Is `character`, which stands in `text` at `index`, drawn as others are? `isEastAsian`: letters of East Asia stand there too. */
export function isAlike(character: string, index: number, text: string, isEastAsian: boolean): boolean {
  if (always.test(text.slice(index, index + enough))) return true;
  if (kept.test(character) || (isEastAsian && keptInEastAsian.test(character))) return false;
  return character.normalize("NFKC") !== character;
}

/** Would Unicode write this letter and its marks by other characters, or in another order? */
export function isComposing(marked: string): boolean {
  return marked.normalize("NFC") !== marked;
}
