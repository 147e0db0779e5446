import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeShown, shown, shownLines, shownText } from "../../../src/broker/request/shown.js";

const ESC = "\u001b";
const manyRuns = { numRuns: 100_000 };
/** A few seconds alone; a busy machine and coverage take their share. */
const timeout = 60_000;

/** What must never reach a screen. Stated on its own, without the code under test. */
const dangerous =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}| {9}/u;
const anEscape = /\\u\{[0-9a-f]{1,6}\}|␠×[0-9]+/g;

/** Pieces of what has fooled people: sequences, direction, things without a glyph, and our own escapes. */
const hostilePiece = fc.constantFrom(
  ESC,
  `${ESC}[2J`,
  `${ESC}[1A${ESC}[2K`,
  `${ESC}]8;;http://evil.example\u0007`,
  `${ESC}]52;c;cm0gLXJmIH4=\u0007`,
  `${ESC}P`,
  `${ESC}\\`,
  "\u009b31m",
  "\u009d0;title\u009c",
  "\u0085",
  "\r",
  "\r\n",
  "\n",
  "\b",
  "\t",
  "\u0000",
  "\u0007",
  "\u007f",
  ...["\u202a", "\u202d", "\u202e", "\u202c", "\u2066", "\u2069", "\u200e", "\u061c"],
  ...["\u200b", "\u200c", "\u200d", "\u2060", "\u2063", "\ufeff", "\u00ad", "\u180e"],
  ...["\u115f", "\u1160", "\u3164", "\uffa0", "\u17b4", "\u034f", "\u2800", "\u{1d159}"],
  ...["\ufe00", "\ufe0f", "\u{e0100}", "\u{e0041}", "\u2028", "\u2029"],
  ...["\u00a0", "\u1680", "\u2003", "\u202f", "\u3000"],
  ...["\ud800", "\udc00", "\udbff", "\ue000", "\uffff", "\u{10ffff}", "\u0378"],
  ...["\u0301", "\u0338", "\u20dd", "\u0301".repeat(6), "a\u0301\u0302\u0303\u0304\u0305"],
  ...["\\", "\\u", "\\u{", "\\u{5c}", "\\u{202e}", "u{", "{", "}", "5c}"],
  ...["␠", "×", "␠×", "␠×9", "␠×12", "0", "9", "12"],
  ...[" ", "  ", " ".repeat(8), " ".repeat(9), " ".repeat(40)],
  ...[
    "a",
    "A",
    "_",
    "-",
    ".",
    "/",
    "é",
    "ß",
    "а",
    "р",
    "с",
    "ρ",
    "α",
    "א",
    "ب",
    "ა",
    "ก",
    "日",
    "の",
    "한",
    "😀",
    "µ",
  ],
);
const hostileText = fc.array(hostilePiece, { maxLength: 12 }).map((pieces) => pieces.join(""));

/** Any UTF-16, good or not. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 12 }),
);

function isSafe(text: string): boolean {
  return !dangerous.test(text);
}

function escapesIn(text: string): number {
  return text.match(anEscape)?.length ?? 0;
}

function isRight(original: string): boolean {
  const { text, escapes } = shown(original);
  return (
    isSafe(text) &&
    decodeShown(text) === original &&
    escapesIn(text) === escapes &&
    shownText(original) === text
  );
}

describe("shown", () => {
  test("of 100,000 random strings nothing dangerous comes out, and each is decoded back", { timeout }, () => {
    fc.assert(fc.property(anyText, isRight), manyRuns);
  });

  test("of 100,000 strings of hostile pieces nothing dangerous comes out, and each is decoded back", {
    timeout,
  }, () => {
    fc.assert(fc.property(hostileText, isRight), manyRuns);
  });

  test("every code point is safe alone, at the end, and before a letter, a digit and a mark", {
    timeout,
  }, () => {
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      // Most of the range is unassigned or private: a sample of it is enough.
      if (code > 0x33480 && code < 0xe0000 && code % 97 !== 0) continue;
      if (code > 0xe1000 && code < 0x10ff00 && code % 97 !== 0) continue;
      const character = String.fromCodePoint(code);
      if (!isRight(`${character}a${character}7${character}\u0301${character}`)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test("two different texts are never shown as the same one", () => {
    const near = fc.tuple(hostileText, hostilePiece, hostilePiece, hostileText);
    fc.assert(
      fc.property(near, ([start, one, other, end]) => {
        const isSame = start + one + end === start + other + end;
        expect(shownText(start + one + end) === shownText(start + other + end)).toBe(isSame);
      }),
      { numRuns: 3_000 },
    );
  });

  test("plain text is shown as it is", () => {
    const plain = [
      "git push origin main",
      "rm -rf ~/a\\u0041 \\x \\ u{1}",
      "naïve façade — “quoted” … 3 × 4 = 12 ␠",
      "привет, мир",
      "שלום עולם",
      "x\u0301\u0302\u0303\u0304",
      "日本語のテキスト 한국어 中文",
      "😀 👍🏽",
      " a  b        c ",
      "",
    ];
    for (const text of plain) expect(shown(text)).toEqual({ text, escapes: 0 });
  });

  test.each<readonly [string, string, string, number]>([
    ["a command hidden by erasing the line", `rm -rf ~\r${ESC}[2Kls`, "rm -rf ~\\u{d}\\u{1b}[2Kls", 2],
    ["a clipboard write", `${ESC}]52;c;eA==\u0007`, "\\u{1b}]52;c;eA==\\u{7}", 2],
    ["a link with another target", `${ESC}]8;;http://e\u0007x`, "\\u{1b}]8;;http://e\\u{7}x", 2],
    ["a C1 sequence", "\u009b2J", "\\u{9b}2J", 1],
    ["a next-line character", "a\u0085b", "a\\u{85}b", 1],
    ["backspaces", "rm\b\bls", "rm\\u{8}\\u{8}ls", 2],
    ["a newline in one line", "a\nb", "a\\u{a}b", 1],
    ["reversed text", "a\u202egpj.sh", "a\\u{202e}gpj.sh", 1],
    ["an isolate", "\u2066a\u2069", "\\u{2066}a\\u{2069}", 2],
    ["a zero-width blank", "pay\u200bpal", "pay\\u{200b}pal", 1],
    ["a Hangul filler", "rm\u3164-r", "rm\\u{3164}-r", 1],
    ["a variation selector", "a\ufe0f\u{e0100}", "a\\u{fe0f}\\u{e0100}", 2],
    ["a grapheme joiner", "a\u034fb", "a\\u{34f}b", 1],
    ["tags", "a\u{e0072}", "a\\u{e0072}", 1],
    ["blank braille", "a\u2800b", "a\\u{2800}b", 1],
    ["an object's stand-in", "a\ufffcb", "a\\u{fffc}b", 1],
    ["a note head without a glyph", "a\u{1d159}b", "a\\u{1d159}b", 1],
    ["blank hieroglyphs", "\u{13441}\u{13442}", "\\u{13441}\\u{13442}", 2],
    ["a Khitan filler", "a\u{16fe4}", "a\\u{16fe4}", 1],
    ["a no-break blank", "rm\u00a0-r", "rm\\u{a0}-r", 1],
    ["an ideographic blank", "rm\u3000-r", "rm\\u{3000}-r", 1],
    ["half a pair", "a\ud83d", "a\\u{d83d}", 1],
    ["a private character", "\ue000", "\\u{e000}", 1],
    ["the fifth mark on a letter", `x${"\u0301".repeat(5)}`, `x${"\u0301".repeat(4)}\\u{301}`, 1],
    ["a mark without a letter", "\u0338a", "\\u{338}a", 1],
    ["a mark on the brace of an escape", "\u200b\u0338", "\\u{200b}\\u{338}", 2],
    ["a mark on the count of a run", `${" ".repeat(9)}\u0338`, "␠×9\\u{338}", 2],
    ["a literal escape", "\\u{202e}", "\\u{5c}u{202e}", 1],
    ["a literal run", "␠×4000", "\\u{2420}×4000", 1],
    ["nine blanks", `a${" ".repeat(9)}b`, "a␠×9b", 1],
    ["a command pushed out of sight", `ls${" ".repeat(4_000)}; rm -rf ~`, "ls␠×4000; rm -rf ~", 1],
    ["a digit behind a run", `${" ".repeat(10)}512`, "␠×10\\u{35}12", 2],
    ["a run at the end", " ".repeat(30), "␠×30", 1],
  ])("%s becomes visible", (_what, original, text, escapes) => {
    expect(shown(original)).toEqual({ text, escapes });
    expect(decodeShown(text)).toBe(original);
    expect(shown("ls")).toEqual({ text: "ls", escapes: 0 });
  });

  test("eight blanks stay blanks", () => {
    expect(shown(`a${" ".repeat(8)}b`)).toEqual({ text: `a${" ".repeat(8)}b`, escapes: 0 });
  });

  test.each<readonly [string, string, string]>([
    ["a Cyrillic letter in a Latin word", "pаypal.com", "p\\u{430}ypal.com"],
    ["a Cyrillic first letter", "аpple", "\\u{430}pple"],
    ["a Latin letter among Cyrillic ones", "соpру", "\\u{441}\\u{43e}p\\u{440}\\u{443}"],
    ["a Greek letter in a Latin word", "gοogle", "g\\u{3bf}ogle"],
    ["a Cherokee letter in a Latin word", "Ꭺpple", "\\u{13aa}pple"],
    ["a letter of a rare script in a Latin word", "aꓡb", "a\\u{a4e1}b"],
    ["a Greek letter in a Cyrillic word", "сοр", "с\\u{3bf}р"],
    ["letters joined by digits and low lines", "user_1_а", "user_1_\\u{430}"],
    ["a letter behind an accent", "x\u0301а", "x\u0301\\u{430}"],
  ])("%s: letters of another script than their word are escaped", (_what, original, text) => {
    expect(shownText(original)).toBe(text);
    expect(decodeShown(text)).toBe(original);
  });

  test("every two scripts with letters that look alike are a mixture, also with a script of another kind", () => {
    const letters = ["а", "ο", "օ", "ס", "ه", "Ꭰ", "ⲟ", "ი", "ก", "o"];
    for (const first of letters) {
      for (const other of letters) {
        if (first !== other) expect([first, other, shown(first + other).escapes]).toEqual([first, other, 1]);
      }
    }
    for (const letter of letters) expect(shown(letter + letter).escapes).toBe(0);
  });

  test("scripts that are written together, and words beside each other, are no mixture", () => {
    for (const text of [
      "Tシャツ",
      "日本語text",
      "Web版",
      "한글abc",
      "ㄅA",
      "git коммит",
      "α-test",
      "C++/Си",
      "сорру",
      "10µs",
    ]) {
      expect(shown(text)).toEqual({ text, escapes: 0 });
    }
    expect(shown("gitк").escapes).toBe(1);
  });
});

describe("shownLines", () => {
  test("joined by newlines the lines decode back, and each of them is safe", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, anyText), (original) => {
        const { lines, escapes } = shownLines(original);
        expect(decodeShown(lines.join("\n"))).toBe(original);
        expect(lines.every(isSafe)).toBe(true);
        expect(escapes).toBe(lines.reduce((sum, line) => sum + escapesIn(line), 0));
        expect(lines).toHaveLength(original.split("\n").length);
      }),
      { numRuns: 5_000 },
    );
  });

  test("a line break stays, a carriage return before it does not, and nothing carries over to the next line", () => {
    expect(shownLines("cat <<E\r\n\u0301x\nE\n")).toEqual({
      lines: ["cat <<E\\u{d}", "\\u{301}x", "E", ""],
      escapes: 2,
    });
    const blanks = " ".repeat(9);
    expect(shownLines(`${blanks}\n5${blanks}\n`)).toEqual({ lines: ["␠×9", "5␠×9", ""], escapes: 2 });
    expect(shownLines("ls")).toEqual({ lines: ["ls"], escapes: 0 });
  });
});
