import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isHash,
  type LongText,
  longTextBytes,
  longTextSchema,
  sha256Hex,
  shortened,
  textSchema,
} from "../../../src/broker/request/long-text.js";
import { textObjection } from "../../../src/broker/request/strict-json.js";

const border = 16 * 1024;

describe("shortened", () => {
  test("a text of exactly 16 KiB stays, one byte more is replaced by a stand-in", () => {
    expect(longTextBytes).toBe(border);
    const longest = "a".repeat(border);
    expect(shortened(longest)).toBe(longest);
    expect(standIn(`${longest}b`)).toEqual({
      bytes: border + 1,
      sha256: createHash("sha256").update(`${longest}b`).digest("hex"),
      head: "a".repeat(1_000),
      tail: `${"a".repeat(999)}b`,
    });
  });

  test("the border is counted in bytes of UTF-8, not in characters", () => {
    expect(shortened("é".repeat(border / 2))).toBe("é".repeat(border / 2));
    expect(standIn(`${"é".repeat(border / 2)}a`).bytes).toBe(border + 1);
    expect(shortened("😀".repeat(border / 4))).toBe("😀".repeat(border / 4));
    expect(standIn("😀".repeat(border / 4 + 1)).bytes).toBe(border + 4);
  });

  test("a surrogate pair at a cut is left out whole, and one beside it stays", () => {
    const middle = "m".repeat(border);
    expect(standIn(`${"a".repeat(999)}😀${middle}`).head).toBe("a".repeat(999));
    expect(standIn(`${"a".repeat(998)}😀${middle}`).head).toBe(`${"a".repeat(998)}😀`);
    expect(standIn(`${middle}😀${"z".repeat(999)}`).tail).toBe("z".repeat(999));
    expect(standIn(`${middle}😀${"z".repeat(998)}`).tail).toBe(`😀${"z".repeat(998)}`);
  });

  test("head and tail are the ends of the text, good Unicode, and the stand-in is of the format", () => {
    const long = fc
      .tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary", minLength: 1 }), fc.nat(2_000))
      .map(
        ([start, unit, times]) =>
          `${start}${unit.repeat(times)}${"x".repeat(border + 1)}${unit.repeat(times)}`,
      );
    fc.assert(
      fc.property(long, (text) => {
        const { head, tail, bytes, sha256 } = standIn(text);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.length).toBeGreaterThanOrEqual(999);
        expect(tail.length).toBeGreaterThanOrEqual(999);
        expect([textObjection(head), textObjection(tail)]).not.toContain("lone surrogate");
        expect(bytes).toBe(new TextEncoder().encode(text).length);
        expect(sha256).toBe(sha256Hex(text));
        expect(textSchema.safeParse(shortened(text)).success).toBe(true);
      }),
    );
  });

  test("a text that is not Unicode is refused: its bytes would be those of another text", () => {
    const others = [`\ud800${"a".repeat(border)}`, `a\udc00b`, "\ud83d", `${"a".repeat(border)}\ude00`];
    for (const text of others) expect(() => shortened(text)).toThrow(TypeError);
    expect(shortened("a😀b")).toBe("a😀b");
  });
});

describe("longTextSchema", () => {
  const good = standIn("a".repeat(border + 1));

  test.each([
    ["of a text that is not long", { ...good, bytes: border }],
    ["of a negative size", { ...good, bytes: -1 }],
    ["of half a byte", { ...good, bytes: border + 1.5 }],
    ["with a hash in capitals", { ...good, sha256: good.sha256.toUpperCase() }],
    ["with a hash that is a path", { ...good, sha256: `../${good.sha256.slice(3)}` }],
    ["with a head that is too long", { ...good, head: "a".repeat(1_001) }],
    ["with a tail that is too long", { ...good, tail: "a".repeat(1_001) }],
    ["with an unknown key", { ...good, text: "ls" }],
    ["without a hash", { bytes: good.bytes, head: good.head, tail: good.tail }],
  ])("a stand-in %s is refused", (_what, value) => {
    expect(textSchema.safeParse(value).success).toBe(false);
    expect(longTextSchema.safeParse(good).success).toBe(true);
  });
});

describe("hashes", () => {
  test("a text is hashed over its UTF-8 bytes", () => {
    expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256Hex("é")).toBe(
      createHash("sha256")
        .update(Buffer.from([0xc3, 0xa9]))
        .digest("hex"),
    );
  });

  test("only 64 small hexadecimal digits name a spooled text", () => {
    const hash = sha256Hex("x");
    for (const text of [
      "",
      `${hash}0`,
      hash.slice(1),
      hash.toUpperCase(),
      `${hash}\n`,
      `/${hash.slice(1)}`,
    ]) {
      expect(isHash(text)).toBe(false);
    }
    expect(isHash(hash)).toBe(true);
  });
});

function standIn(text: string): LongText {
  const short = shortened(text);
  if (typeof short === "string") throw new Error("This text is not long.");
  return short;
}
