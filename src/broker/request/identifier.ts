/**
 * Identifiers of requests. An id is not a secret and proves nothing; it is checked before any path is built
 * from it, so it can never name a file outside the channel.
 */
import * as s from "./shape.js";

/** Without 0, 1, i, l, o, u: what a person reads off one screen and types into another. */
const alphabet = "23456789abcdefghjkmnpqrstvwxyz";
const newLength = 8;
const pattern = /^[a-z0-9]{8,32}$/;

/** The shortest prefix a face accepts in place of a whole id. */
export const shortestPrefix = 4;

/** A request's id inside a file: 8 to 32 lower-case letters and digits. */
export const identifierSchema = s.string({ pattern: pattern });

/** Is `text` a whole id, and so fit to become part of a path? */
export function isIdentifier(text: string): boolean {
  return pattern.test(text);
}

/** `length` characters of the id alphabet, drawn without bias from `randomBytes`. */
export function newIdentifier(randomBytes: (size: number) => Uint8Array, length: number = newLength): string {
  let id = "";
  while (id.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 240 is the largest multiple of 30 below 256: bytes above it would favour the first letters.
      if (byte < 240 && id.length < length) id += alphabet[byte % alphabet.length];
    }
  }
  return id;
}
