import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownText } from "../../../src/broker/index.js";
import { saidRows } from "../../../src/tui/components/said-rows.js";
import { widthOf } from "../../../src/tui/screen/fold.js";

const mark = /^Goes on: /;

describe("a line that is said", () => {
  it("goes on in marked rows, which no terminal breaks and together hold all of it", () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: "grapheme", maxLength: 90 }), fc.constant("In: /safe")),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 100 }), (parts, columns) => {
        const text = `Runs: ${shownText(parts.join(" "))}`;
        const [first = "", ...others] = saidRows(text, columns);
        for (const row of [first, ...others]) expect(widthOf(row)).toBeLessThanOrEqual(columns);
        for (const row of others) expect(row).toMatch(mark);
        expect([first, ...others.map((row) => row.replace(mark, ""))].join("")).toBe(text);
      }),
    );
  });

  it("gives no row to a text that is padded to look like another line", () => {
    const padding = "x".repeat(80 - "Runs: bash ".length);
    expect(saidRows(`Runs: bash ${padding}In: /home/p/safe`, 79)).toEqual([
      "Runs: bash ",
      `Goes on: ${"x".repeat(69)}I`,
      "Goes on: n: /home/p/safe",
    ]);
  });

  it("is broken behind blanks, and stands as it is where it fits", () => {
    expect(saidRows("Runs: git push", 14)).toEqual(["Runs: git push"]);
    expect(saidRows("Runs: git push origin main", 20)).toEqual([
      "Runs: git ",
      "Goes on: push ",
      "Goes on: origin main",
    ]);
  });
});
