/**
 * A text too long for a request is filed as its size, hash, head and tail; the whole lies in the spool under
 * its hash. The binding covers the hash, hence the text.
 */
import { createHash } from "node:crypto";
import * as s from "./shape.js";

/** UTF-8 bytes above which a string value is spooled. */
export const longTextBytes = 16 * 1024;

/** A stand-in that claims more is refused: a face reads the whole text into memory. */
const longestTextBytes = 16 * 1024 * 1024;

/** UTF-16 units of the beginning and of the end that stay in the request. */
const endCharacters = 1_000;

const hashPattern = /^[0-9a-f]{64}$/;
/** SHA-256 in lower-case hex, as everywhere in the format. */
export const hashSchema = s.string({ pattern: hashPattern });

const endSchema = s.string({ longest: endCharacters });

/** Stands in for a text over 16 KiB. Both ends are cut at 1,000 UTF-16 units. */
export const longTextSchema = s.strictObject({
  bytes: s.integer({ least: longTextBytes + 1, most: longestTextBytes }),
  sha256: hashSchema,
  head: endSchema,
  tail: endSchema,
});

/** A text of any length: itself, or what stands in for it. */
export const textSchema = s.union(s.string(), longTextSchema);

/** What stands in for a text; the whole lies in the spool under `sha256`. */
export type LongText = Readonly<s.Infer<typeof longTextSchema>>;
/** Whole only where it is a string. */
export type Text = string | LongText;

/** Is `text` spelled as the format spells hashes, and so fit to become a file name? */
export function isHash(text: string): boolean {
  return hashPattern.test(text);
}

/** Over the UTF-8 bytes of `text`, in lower-case hex. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/**
 * `text` itself while it is short, otherwise its stand-in; the caller spools the whole. Throws a TypeError for a
 * text that is not Unicode: its UTF-8 bytes, hence the hash, would be those of another text.
 */
export function shortened(text: string): Text {
  if (loneSurrogate.test(text)) throw new TypeError("The text has a lone surrogate.");
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes <= longTextBytes) return text;
  return {
    bytes,
    sha256: sha256Hex(text),
    head: wholeCharacters(text.slice(0, endCharacters)),
    tail: wholeCharacters(text.slice(-endCharacters)),
  };
}

const loneSurrogate = /[\ud800-\udfff]/u;

/** Cutting between two halves of a surrogate pair would leave a string that is not Unicode. */
function wholeCharacters(cut: string): string {
  return cut.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
