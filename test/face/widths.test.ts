import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { isNarrow } from "../../src/face/narrow.js";
import { wide } from "../../src/face/wide.js";
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
    const text = fc.array(fc.constantFrom(...all)).map((some) => some.join(""));
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
