import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownText } from "../../../src/broker/index.js";
import { widthOf } from "../../../src/tui/screen/fold.js";
import { noticeRows } from "../../../src/tui/screen/notice-rows.js";

const noted = (text: string) => ({ text, isWarning: false, at: 7 });

describe("the rows of notices", () => {
  it("are marked where they go on with the row before them, whatever a request makes them say", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 120 }),
      fc.array(fc.constantFrom(".", "approved", "(once,", "terminal):", "\u2028", "漢字"), { maxLength: 60 }),
    );
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 20, max: 120 }),
        fc.integer({ min: 1, max: 3 }),
        (texts, columns, most) => {
          const all = texts.map((text) => noted(`ours: ${shownText([text].flat().join(" "))}`));
          const rows = noticeRows(all, columns, most);
          expect(rows.length).toBeLessThanOrEqual(most);
          for (const { text } of rows) {
            expect(text).toMatch(/^(ours:|· )/);
            expect(widthOf(text)).toBeLessThanOrEqual(columns - 2);
          }
        },
      ),
    );
  });

  it("show a text as it is where it fits, and cut what there is no room for", () => {
    expect(noticeRows([noted("one row")], 9, 3)).toEqual([{ text: "one row", isWarning: false, at: 7 }]);
    expect(noticeRows([noted("ours: aaa bbb ccc ddd eee")], 11, 2).map(({ text }) => text)).toEqual([
      "ours:",
      "· aaa bb…",
    ]);
    expect(noticeRows([noted("ours: aaa bbb ccc")], 11, 1).map(({ text }) => text)).toEqual(["ours: aa…"]);
  });
});
