/** Other spellings of the same characters in shell text. */

/** The text inside `$'…'`. */
export function decoded(text: string): string {
  return text.replace(ansiEscape, (_all, byte, short, long, octal, other) => {
    const hex: string | undefined = byte ?? short ?? long;
    if (hex === undefined && octal === undefined) return namedEscapes.get(other) ?? other;
    const code = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** `text` with its quotes and backslashes removed, as if nothing in it had been quoted. */
export function flattened(text: string): string {
  return text.replace(numericEscape, (all) => decoded(all)).replace(/\\\n|\$(?=')|["'\\]/g, "");
}

const ansiEscape = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs;
const numericEscape = /\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3})/g;
const namedEscapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);
