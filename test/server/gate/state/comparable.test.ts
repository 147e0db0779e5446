import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparable } from "../../../../src/server/gate/state/comparable.js";

const lines = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `line ${from + index}`);

describe("two texts to compare", () => {
  it("are whole while they are short", () => {
    expect(comparable("a\nb", "a\nc")).toEqual(["a\nb", "a\nc"]);
  });

  it("lose, where they are long, equal lines far from what differs, and say how many", () => {
    const text = lines(4_000);
    const other = text.with(2_000, "another");
    const [before, after] = comparable(text.join("\n"), other.join("\n"));
    const around = (middle: string): string =>
      [
        "(1997 equal lines)",
        ...text.slice(1_997, 2_000),
        middle,
        ...text.slice(2_001, 2_004),
        "(1996 equal lines)",
      ].join("\n");
    expect([before, after]).toEqual([around("line 2000"), around("another")]);
  });

  it("say so where the difference itself is too long", () => {
    const [before, after] = comparable("x".repeat(50_000), "y");
    expect(before).toMatch(/^x+\n\(not all is shown: 50000 characters in all\)$/);
    expect(after).toBe("y");
  });

  it("are never equal as shown where they differ early enough, and never longer than a request can hold", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "c".repeat(5_000), "\u{1f600}"), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const shown = comparable(one.join("\n"), other.join("\n"));
        for (const side of shown) expect(side.length).toBeLessThan(17_000);
        if (one.join("\n") === other.join("\n")) expect(shown[0]).toBe(shown[1]);
      }),
    );
  });
});
