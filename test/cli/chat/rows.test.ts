import { describe, expect, it } from "vitest";
import { helpRows, inRows } from "../../../src/cli/chat/rows.js";
import { slashHelp } from "../../../src/face/slash.js";
import { wide } from "../../../src/face/wide.js";

describe("what plain chat says", () => {
  it.each([60, 80, 120])("of a command in help fits %d columns, and no word of it is broken", (columns) => {
    for (const line of slashHelp) {
      const rows = helpRows(line, columns, wide);
      for (const row of rows) expect(wide.of(row)).toBeLessThanOrEqual(columns);
      expect(rows.join(" ").split(/\s+/)).toEqual(line.split(/\s+/));
      expect(rows.slice(1).every((row) => row.startsWith("    "))).toBe(true);
    }
  });

  it("stays whole where nothing is too narrow for it, and a word that is too long stays a word", () => {
    expect(inRows("one two", Number.POSITIVE_INFINITY, wide)).toEqual(["one two"]);
    expect(inRows("one twothreefour five", 9, wide)).toEqual(["one", "  twothreefour", "  five"]);
  });
});
