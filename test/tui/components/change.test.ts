import fc from "fast-check";
import { expect, it } from "vitest";
import { linearText } from "../../../src/tui/components/linear.js";
import { changeRows } from "../../../src/tui/screen/change-rows.js";
import { cardTextColumns } from "../../../src/tui/screen/measures.js";
import { drawn } from "../../support/drawn.js";
import { cardPart, screenOf, workBody } from "../../support/screens.js";

const columns = 60;

function fieldOf(label: string, lines: readonly string[]): Parameters<typeof changeRows>[0] {
  return { label, lines, isContent: true };
}

/** What a card shows where `after` replaces `before`: its rows as drawn, and as read aloud. */
function shownChange(
  before: readonly string[],
  after: readonly string[],
): { rows: string[]; lines: string[] } {
  const rows = changeRows(fieldOf("before", before), fieldOf("after", after), cardTextColumns(columns)) ?? [];
  const card = cardPart({ columns, rows, foot: [] });
  const screen = screenOf({ size: { columns, rows: rows.length + 8 }, body: workBody(card) });
  const spoken = linearText(screen);
  const drawnRows = drawn(screen)
    .slice(4, 4 + rows.length)
    .map((row) => row.slice(17, 57).trimEnd());
  return { rows: drawnRows, lines: spoken.slice(2, -1) };
}

const words = fc.constantFrom("a", "b", "- c", "+ d", "e f");

it("a text that replaces another is shown with every line that goes and every line that comes", () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1 }), fc.array(words, { minLength: 1 }), (before, after) => {
      const { rows, lines } = shownChange(before, after);
      const withMarks = (...marks: string[]): string[] =>
        rows.filter((row) => marks.includes(row.slice(0, 2))).map((row) => row.slice(2));
      expect(withMarks("- ", "  ")).toEqual(before);
      expect(withMarks("+ ", "  ")).toEqual(after);
      const said = (...names: string[]): string[] =>
        lines.flatMap((line) =>
          names.filter((name) => line.startsWith(name)).map((name) => line.slice(name.length)),
        );
      expect(said("Removed: ", "Unchanged: ")).toEqual(before);
      expect(said("Added: ", "Unchanged: ")).toEqual(after);
    }),
    { numRuns: 60 },
  );
});

it("a line of a change that is folded has its mark once, so that no part of it passes for a line of its own", () => {
  const long = `${"x".repeat(60)}+ not a line`;
  const { rows, lines } = shownChange(["old", long.toUpperCase()], [long, long.toUpperCase()]);
  expect(rows).toEqual([
    "- old",
    `+ ${"x".repeat(38)}`,
    `· ${"x".repeat(22)}+ not a line`,
    `  ${"X".repeat(38)}`,
    `· ${"X".repeat(22)}+ NOT A LINE`,
  ]);
  expect(lines).toEqual(["Removed: old", `Added: ${long}`, `Unchanged: ${long.toUpperCase()}`]);
});
