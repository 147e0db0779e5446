/** What measures how wide texts are on a terminal. */
import type { Widths } from "./wrap.js";

/** What measures `texts` and anything cut from them. Plain ones are measured by their length, and nothing is loaded. */
export async function widthsFor(texts: readonly string[]): Promise<Widths> {
  if (texts.every(isPlain)) return plain;
  const { wide } = await import("./wide.js");
  return wide;
}

/** Is every character of `text` one column wide: ASCII, or one of the marks that we set ourselves? */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e·…—×␠]*$/.test(text);
}

const plain: Widths = { of: (text) => text.length, pieces: (text) => text.split("") };
