import headless from "@xterm/headless";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { shownText } from "../../src/broker/index.js";
import { isNarrow } from "../../src/face/narrow.js";
import { isExact, wide } from "../../src/face/wide.js";
import { widthsFor } from "../../src/face/widths.js";

describe("how wide texts are", () => {
  it("is told by their length where all are plain, and what measures any script is not loaded", async () => {
    expect(await widthsFor(["git push", "claude · git", "/home/p/…", "␠×4 — end"])).not.toBe(wide);
    expect(await widthsFor([])).not.toBe(wide);
  });

  it("is measured for all as soon as one is not plain", async () => {
    for (const text of ["日本語", "e\u0301", "\u{1f680}", "é", "a\u200bb"]) {
      expect(await widthsFor(["git push", text])).toBe(wide);
    }
  });

  it("is their length where nothing else than narrow characters stands in them, as whoever measures any script finds", () => {
    const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(isNarrow);
    expect(all.length).toBeGreaterThan(100);
    for (const one of all) expect([one, stringWidth(one)]).toEqual([one, 1]);
    const text = fc
      .array(fc.nat({ max: all.length - 1 }).map((at) => all[at] ?? ""))
      .map((some) => some.join(""));
    const segmenter = new Intl.Segmenter();
    fc.assert(
      fc.property(text, (one) => {
        expect([isNarrow(one), stringWidth(one)]).toEqual([true, one.length]);
        expect(Array.from(segmenter.segment(one), ({ segment }) => segment)).toEqual(wide.pieces(one));
      }),
    );
    for (const other of ["⚠\ufe0f", "a\u0301", "日", "\n", "\u001b[1m", "\u200b"])
      expect(isNarrow(other)).toBe(false);
  });

  it("is the same for plain texts, whichever measures them", async () => {
    const plain = await widthsFor([]);
    const letters = [..."abcXYZ019 ~!/\\'\"·…—×␠"];
    const text = fc.array(fc.constantFrom(...letters)).map((some) => some.join(""));
    fc.assert(
      fc.property(text, (one) => {
        expect(plain.of(one)).toBe(wide.of(one));
        expect(plain.pieces(one)).toEqual(wide.pieces(one));
      }),
    );
  });
});

describe("a long text", () => {
  it("is taken apart as a short one is, whatever stands where a part of it ends", () => {
    const segmenter = new Intl.Segmenter();
    const piece = fc.constantFrom("a", "é", "漢", "🇩🇪", "👩‍👩‍👧", "👍🏽", "e\u0301\u0301", " ", "🇩");
    const text = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 60 }))
      .map(([pieces, times]) => pieces.join("").repeat(times));
    fc.assert(
      fc.property(text, (one) => {
        const whole = Array.from(segmenter.segment(one), ({ segment }) => segment);
        expect(wide.pieces(one)).toEqual(whole);
        expect(wide.of(one)).toBe(whole.reduce((sum, each) => sum + wide.of(each), 0));
      }),
    );
  });

  it("that is one character for a terminal is taken apart as far as it must be", () => {
    const endless = `e${"\u0301".repeat(2_000)}`;
    expect(wide.pieces(endless).join("")).toBe(endless);
  });
});

/** Columns that each of `texts` takes on a terminal which draws each code point by itself: it tells where its caret stands. */
function drawnColumns(texts: readonly string[]): Promise<readonly number[]> {
  const terminal = new headless.Terminal({ cols: 500, rows: 2, allowProposedApi: true });
  const found: number[] = [];
  terminal.onData((report) => found.push(Number(/;(\d+)R/.exec(report)?.[1]) - 1));
  return new Promise((resolve) =>
    terminal.write(texts.map((text) => `\r\u001b[K${text}\u001b[6n`).join(""), () => resolve(found)),
  );
}

/** Those of `texts` of which a terminal, or whoever counts clusters, makes more columns than we do. */
async function undercounted(texts: readonly string[]): Promise<readonly string[]> {
  const drawn = await drawnColumns(texts);
  expect(drawn).toHaveLength(texts.length);
  return texts.filter((text, index) => wide.of(text) < Math.max(drawn[index] ?? 500, stringWidth(text)));
}

describe("what is counted", () => {
  /** Every character that a screen shows as it is. */
  const all = Array.from({ length: 0x32000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => shownText(`a${one}`) === `a${one}` || shownText(one) === one);

  it("is no less than a terminal takes, whatever character stands after whatever base", async () => {
    expect(all.length).toBeGreaterThan(140_000);
    const some = all.filter((one, index) => !/[\p{Script=Han}가-힣]/u.test(one) || index % 50 === 0);
    expect(await undercounted(some.map((one) => `a${one}`))).toEqual([]);
    const tied = some.filter((one) =>
      /[\p{M}\p{Sk}\u0e33\u0eb3\u1100-\u11ff\ud7b0-\ud7ff\u{1f1e6}-\u{1f1ff}]/u.test(one),
    );
    for (const base of ["ก", "क", "한", "🇦", "👍"]) {
      expect(await undercounted(tied.map((one) => `${base}${one}`))).toEqual([]);
    }
  });

  it("is no less than a terminal takes, whatever characters stand together behind a frame", async () => {
    const tied =
      "क्|กำ|ກຳ|🇦🇧|👍🏽|\u0d4e|\ud7cb|\u1100\u1161\u11a8|1\u20e3|❤\ufe0f|👩\u200d|\u1ab0|\u0301|\u093f".split(
        "|",
      );
    const piece = fc.oneof(
      fc.constantFrom(...tied),
      fc.nat({ max: all.length - 1 }).map((at) => all[at] ?? ""),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((some) => `│${some.join("")}`);
    for (const one of tied) expect(await undercounted([`│${one}`, `│${one.repeat(9)}`])).toEqual([]);
    expect(await undercounted(fc.sample(text, 20_000))).toEqual([]);
  });

  it("is exactly what is drawn in writing of every day", async () => {
    const texts = [
      "é e\u0301 ñ",
      "日本語",
      "한국어",
      "Привет",
      "שָׁלוֹם",
      "مُحَمَّد",
      "हिन्दी",
      "ที่นี่",
      "→ ok",
      "が か\u3099",
    ];
    const drawn = await drawnColumns(texts);
    expect(texts.map((text) => wide.of(text))).toEqual(drawn);
    for (const text of texts.slice(0, 4)) expect(isExact(text)).toBe(true);
    expect(isExact("👍🏽")).toBe(false);
  });

  it("is never so much that a piece does not fit where rows are short", () => {
    for (const [text, times] of [
      ["क्", 200],
      ["\u0d4e", 200],
      ["\u1100", 90],
      ["👩\u200d", 90],
    ] as const) {
      const one = text.repeat(times);
      const pieces = wide.pieces(one);
      expect(pieces.join("")).toBe(one);
      expect(Math.max(...pieces.map((piece) => wide.of(piece)))).toBeLessThanOrEqual(8);
    }
    expect(wide.pieces("👩‍👩‍👧é")).toEqual(["👩‍👩‍👧", "é"]);
  });
});
