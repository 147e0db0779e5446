/** Passing over what is just text in a text of JSON. Most of a long message is, so this is what a look at one takes time for. */

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const wordBytes = 4;

/** What may stand behind a backslash by itself. */
const isEscapable = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) isEscapable[byte] = 1;

/** The same bytes four at a time, where their memory is aligned to that. */
export interface Words {
  /** Before them so many bytes stand alone. */
  readonly first: number;
  readonly words: Int32Array;
}

/** Those of `bytes`. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Words {
  const first = Math.min(-byteOffset & (wordBytes - 1), length);
  const count = (length - first) >> 2;
  return { first, words: count === 0 ? noWords : new Int32Array(buffer, byteOffset + first, count) };
}

const noWords = new Int32Array(0);

/**
 * Where something stands in `bytes`, from `from` on, that ends the text, is no part of one, or needs a closer look; their end,
 * where nothing does.
 */
export function endOfPlain(bytes: Uint8Array, { first, words }: Words, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === quote || byte < space) return at;
    if (byte === backslash) {
      if (at + 1 === length || isEscapable[bytes[at + 1] as number] !== 1) return at;
      at += 2;
    } else at += 1;
    if (at < first || ((at - first) & (wordBytes - 1)) !== 0) continue;
    let word = (at - first) >> 2;
    while (word < words.length && isPlain(words[word] as number)) word += 1;
    at = first + word * wordBytes;
  }
  return length;
}

/** Are four bytes just text? Of a few that are it says no. */
function isPlain(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  // A byte below the one that is taken from it leaves its highest bit set, where it was not before.
  const isLow = (word - 0x20202020) & ~word;
  const isMarked = ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return ((isLow | isMarked) & 0x80808080) === 0;
}
