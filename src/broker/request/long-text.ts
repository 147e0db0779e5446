/**
 * A text too long for a request is filed as its size, hash, head and tail; the whole lies in the spool under
 * its hash. The binding covers the hash, hence the text.
 */
import { createHash } from "node:crypto";
import * as z from "zod/mini";

/** UTF-8 bytes above which a string value is spooled. */
export const longTextBytes = 16 * 1024;

/** UTF-16 units of the beginning and of the end that stay in the request. */
const endCharacters = 1_000;

const hashPattern = /^[0-9a-f]{64}$/;
export const hashSchema = z.string().check(z.regex(hashPattern));

const endSchema = z.string().check(z.maxLength(endCharacters));

export const longTextSchema = z.strictObject({
  bytes: z.int().check(z.minimum(longTextBytes + 1)),
  sha256: hashSchema,
  head: endSchema,
  tail: endSchema,
});

export const textSchema = z.union([z.string(), longTextSchema]);

export type LongText = Readonly<z.infer<typeof longTextSchema>>;
export type Text = string | LongText;

export function isHash(text: string): boolean {
  return hashPattern.test(text);
}

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

const loneSurrogate = /\p{Cs}/u;

/** Cutting between two halves of a surrogate pair would leave a string that is not Unicode. */
function wholeCharacters(cut: string): string {
  return cut.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
