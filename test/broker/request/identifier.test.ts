import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identifierSchema, isIdentifier, newIdentifier } from "../../../src/broker/request/identifier.js";

const alphabet = "23456789abcdefghjkmnpqrstvwxyz";

describe("isIdentifier", () => {
  test.each([
    ["a path", "../../etc/passwd"],
    ["a path that resolves to an id", "./k7q2mx9d"],
    ["a path below", "k7q2/mx9d"],
    ["a Windows path", "..\\k7q2mx9d"],
    ["a dot name", ".k7q2mx9d"],
    ["a file name", "k7q2mx9d.request.json"],
    ["a percent-encoded path", "%2e%2e%2fetc"],
    ["an option", "--k7q2mx9d"],
    ["a NUL behind", "k7q2mx9d\0"],
    ["a newline behind", "k7q2mx9d\n"],
    ["a newline before", "\nk7q2mx9d"],
    ["a blank behind", "k7q2mx9d "],
    ["a capital letter", "K7q2mx9d"],
    ["a Cyrillic letter", "k7q2mx9а"],
    ["a fullwidth digit", "k7q2mx9２"],
    ["seven characters", "k7q2mx9"],
    ["thirty-three characters", "a".repeat(33)],
    ["nothing", ""],
  ])("an id that is %s is refused", (_what, text) => {
    expect(isIdentifier(text)).toBe(false);
    expect(identifierSchema.safeParse(text).success).toBe(false);
    expect(isIdentifier("k7q2mx9d")).toBe(true);
    expect(identifierSchema.safeParse("k7q2mx9d").success).toBe(true);
  });

  test("ids of 8 to 32 small letters and digits are taken", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{8,32}$/), (text) => {
        expect(isIdentifier(text)).toBe(true);
        expect(identifierSchema.safeParse(text).success).toBe(true);
      }),
    );
  });

  test("whatever is taken has no character that means something in a path", () => {
    const hostile = fc.string({ unit: fc.constantFrom(..."./\\~:%\0\n aZ0k"), minLength: 8, maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), hostile), (text) => {
        if (isIdentifier(text)) expect([...text].every((one) => /[a-z0-9]/.test(one))).toBe(true);
      }),
    );
  });

  test("what is not a string is no id", () => {
    for (const value of [null, undefined, 12345678, ["k7q2mx9d"], { length: 8 }]) {
      expect(identifierSchema.safeParse(value).success).toBe(false);
    }
    expect(identifierSchema.safeParse("k7q2mx9d").success).toBe(true);
  });
});

describe("newIdentifier", () => {
  test("a new id has the length asked for and only characters that no other is mistaken for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 32 }), fc.infiniteStream(fc.nat(255)), (length, bytes) => {
        const id = newIdentifier(from(bytes), length);
        expect(id).toHaveLength(length);
        expect(isIdentifier(id)).toBe(true);
        expect([...id].every((one) => alphabet.includes(one))).toBe(true);
      }),
    );
    expect(newIdentifier(() => new Uint8Array(16))).toHaveLength(8);
  });

  test("every character of the alphabet is drawn by the same number of byte values", () => {
    const drawnBy = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const character = firstDrawn(byte);
      if (character !== null) drawnBy.set(character, (drawnBy.get(character) ?? 0) + 1);
    }
    expect([...drawnBy.keys()].sort().join("")).toBe(alphabet);
    expect(new Set(drawnBy.values())).toEqual(new Set([8]));
  });

  test("bytes that would favour some characters are drawn again", () => {
    const rounds = [new Uint8Array(16).fill(255), new Uint8Array(16).fill(240), new Uint8Array(16).fill(29)];
    expect(newIdentifier(() => rounds.shift() ?? new Uint8Array(16))).toBe("zzzzzzzz");
    expect(rounds).toEqual([]);
  });
});

function from(bytes: Iterator<number>): (size: number) => Uint8Array {
  return (size) => Uint8Array.from({ length: size }, () => bytes.next().value);
}

/** The character that a source of this one byte draws first, or null when the byte is thrown away. */
function firstDrawn(byte: number): string | null {
  let rounds = 0;
  const id = newIdentifier((size) => {
    rounds += 1;
    return new Uint8Array(size).fill(rounds === 1 ? byte : 0);
  }, 1);
  return rounds === 1 ? id : null;
}
