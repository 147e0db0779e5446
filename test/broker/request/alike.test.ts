/** Texts that a person would read as the same: what Unicode takes for one spelling is shown as different texts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeShown, shown, shownText } from "../../../src/broker/request/shown.js";

/** What may stand though NFKC would write it in another way: drawn so that nobody takes it for that. */
const distinct = new Set([
  ..."¨ª¯²³´µ¸¹º¼½¾և…№™ำຳໜໝ⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉₊₋⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
  ..."①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
]);
/** The same of punctuation, in a text with letters of East Asia. */
const wide = [..."！（），：；？～"];
const isHangulLetter = (character: string): boolean => /[\u3131-\u318e]/.test(character);

/** Every character that one of Unicode's forms writes in another way, but for the syllables of Hangul. */
function rewrittenCharacters(): readonly string[] {
  const found: string[] = [];
  for (const [first, last] of [
    [0x80, 0xabff],
    [0xd7b0, 0xd7ff],
    [0xf900, 0xffef],
    [0x1d400, 0x1d7ff],
    [0x1ee00, 0x1f2ff],
    [0x2f800, 0x2fa1f],
  ] as const) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      if (character.normalize("NFKC") !== character || character.normalize("NFD") !== character) {
        found.push(character);
      }
    }
  }
  return found;
}
const rewritten = rewrittenCharacters();

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;
/** A piece of a text in one of the ways in which it can be written. */
const piece = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        ...rewritten.filter((one) => ![...distinct, ...wide].includes(one) && !isHangulLetter(one)),
      ),
      fc.constantFrom(
        "a",
        "K",
        "e",
        "é",
        "한",
        "각",
        "か",
        "が",
        "ệ",
        "/",
        ";",
        ".",
        " ",
        "\u0301",
        "\u0323",
        "1",
      ),
    ),
    fc.constantFrom(...forms),
  )
  .map(([text, form]) => text.normalize(form));
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));

/** As it looks to somebody who takes for the same what Unicode does. */
function seen(original: string): string {
  return shownText(original).normalize("NFKC");
}

describe("two texts", () => {
  test("that are one to Unicode are shown as different ones, and each is decoded back", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...forms), (one, form) => {
        const other = one.normalize(form);
        expect(seen(one) === seen(other)).toBe(one === other);
        expect(decodeShown(shownText(one))).toBe(one);
      }),
      { numRuns: 2_000 },
    );
  });

  test("of any pieces look the same only if they are", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(seen(one) === seen(other)).toBe(one === other);
      }),
      { numRuns: 2_000 },
    );
  });

  test("of any characters are shown in one composed form, so that no two shown are the same to Unicode", () => {
    const any = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.string({ unit: "grapheme" }), text);
    fc.assert(
      fc.property(any, (original) => {
        const { text: is } = shown(original);
        expect(is.normalize("NFC")).toBe(is);
      }),
      { numRuns: 5_000 },
    );
  });
});

test("every character that Unicode writes by others is an escape, but for those that nobody takes for these", () => {
  const changed = rewritten.filter((one) => one.normalize("NFKC") !== one);
  const standing = changed.filter(
    (one) => !distinct.has(one) && !isHangulLetter(one) && shown(one).escapes === 0,
  );
  expect(standing).toEqual([]);
  // A lone micro sign looks like the Greek letter.
  const escaped = [...distinct].filter((one) => one !== "µ" && shown(one).escapes > 0);
  expect(escaped).toEqual([]);
});

test.each<readonly [string, string, string]>([
  ["a Kelvin sign", "TAS\u212aS.md", "TAS\\u{212a}S.md"],
  ["an accent of its own", "jose\u0301", "jose\\u{301}"],
  ["two accents in another order", "e\u0302\u0323", "e\\u{302}\\u{323}"],
  ["a second accent on a letter with one", "\u00ea\u0323", "\u00ea\\u{323}"],
  ["full-width letters", "\uff34\uff21\uff33", "\\u{ff34}\\u{ff21}\\u{ff33}"],
  ["mathematical letters", "\u{1d400}b", "\\u{1d400}b"],
  ["a long s", "\u017fh", "\\u{17f}h"],
  ["a Greek question mark", "a\u037e b", "a\\u{37e} b"],
  ["a ligature", "\ufb01le", "\\u{fb01}le"],
  ["a Roman number of one sign", "\u2163", "\\u{2163}"],
  ["half-width katakana", "\uff76\uff9e", "\\u{ff76}\\u{ff9e}"],
  ["an ideograph for compatibility", "\uf9d1", "\\u{f9d1}"],
  ["a radical", "\u2f00", "\\u{2f00}"],
  ["the letters of a syllable", "\u1112\u1161\u11ab", "\\u{1112}\\u{1161}\\u{11ab}"],
  ["a first letter of a syllable alone", "\u1100", "\\u{1100}"],
  ["a Thai am in two pieces", "\u0e19\u0e4d\u0e49\u0e32", "\u0e19\\u{e4d}\\u{e49}\u0e32"],
  ["a Lao am in two pieces", "\u0e99\u0ecd\u0eb2", "\u0e99\\u{ecd}\u0eb2"],
  ["a mark on a blank", "a \u0301", "a \\u{301}"],
  ["a hyphen that is none of ASCII", "rm \u2010rf", "rm \\u{2010}rf"],
  ["a slash that is none", "a\u2044b\u2215c", "a\\u{2044}b\\u{2215}c"],
  ["a sign for a millionth that is alone", "5 \u00b5", "5 \\u{b5}"],
  [
    "full-width punctuation without letters of its languages",
    "rm\uff1b\uff08x\uff09",
    "rm\\u{ff1b}\\u{ff08}x\\u{ff09}",
  ],
  ["a full-width slash, whatever is beside it", "\u6587\uff0f\u4ef6", "\u6587\\u{ff0f}\u4ef6"],
])("%s is an escape", (_what, original, is) => {
  expect(shownText(original)).toBe(is);
  expect(decodeShown(is)).toBe(original);
});

test.each([
  "Cet été, où l’œuvre s’achève : « déjà » — 3 ½ h …",
  "Größe, Straße, Übung, Łódź, žluťoučký kůň, İstanbul, ığdır, naïve, garçon, ñandú, 1º e 2ª",
  "Tiếng Việt được viết bằng chữ Quốc ngữ",
  "H₂O, x², 10⁻⁶, 20 µs, № 7, Wisp™, ½",
  "Ελληνικά: Ή, ΐ, ς· привет, ё й ї; Հայերեն և; ქართული",
  "שלום עולם, مرحبا بالعالم أإآ ئ",
  "हिन्दी में क्या है, বাংলা কো, தமிழ் கொ, ไทย: ทำน้ำ, ລາວ: ນ້ຳ ໜ, ខ្មែរ, မြန်မာ",
  "中文：你好，世界！（好吗？）“是”；①",
  "日本語のテキスト、「かな」とカナ。一つ",
  "한국어 문장입니다. ㅋㅋㅋ ㅠㅠ ㄱㄴㄷ",
  "x\u0304 ɛ\u0301 ŋ\u0300",
])("the ordinary text of a language stays as it is: %s", (original) => {
  expect(original.normalize("NFC")).toBe(original);
  expect(shown(original)).toEqual({ text: original, escapes: 0 });
});

test("letters of Latin and of East Asia that Unicode leaves alone are never touched", () => {
  const letters: string[] = [];
  for (let code = 0x41; code < 0xd7a4; code += 1) {
    const one = String.fromCharCode(code);
    const isLetter =
      /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(one) ||
      (code >= 0xac00 && code % 7 === 0);
    if (isLetter && /\p{L}/u.test(one) && one.normalize("NFKC") === one) letters.push(one);
  }
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 20 }), (some) => {
      const original = some.join("");
      expect(shown(original)).toEqual({ text: original, escapes: 0 });
    }),
    { numRuns: 1_000 },
  );
});
