import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownText } from "../../../src/broker/index.js";
import { foldedCard } from "../../../src/tui/screen/card-rows.js";
import { clipped, folded, widthOf } from "../../../src/tui/screen/fold.js";
import { cardTextColumns } from "../../../src/tui/screen/measures.js";
import { drawn } from "../../support/drawn.js";
import { cardPart, queueRow, screenOf, workBody } from "../../support/screens.js";
import { shownScreen } from "../../support/shown-screen.js";
import { viewFor } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

/** Columns of one character by the count of clusters, and more where each code point is drawn by itself. */
const fillers = {
  "consonants that a virama ties together": "क्".repeat(120),
  "sara am": "กำ".repeat(85),
  "lao am": "ກຳ".repeat(85),
  "flags of no country": "🇦🇧".repeat(85),
  "skin tones of letters": "a🏽".repeat(85),
  "letters that stand before their base": "\u0d4e".repeat(150),
  "final jamo": "한\ud7cb".repeat(85),
  "circled numbers": "\u3248".repeat(150),
  "young marks": "a\u1ab0".repeat(150),
} as const;

/** What a terminal which cuts long rows shows of the card that runs `line`, without frames and blanks. */
async function shownOf(line: string, columns: number): Promise<string> {
  const rows = 30;
  const card = foldedCard(viewFor(toRun(line)).card, cardTextColumns(columns));
  const screen = screenOf({
    size: { columns, rows },
    body: workBody(cardPart({ columns, rows: card.rows }), [queueRow({ what: line })]),
  });
  const terminal = shownScreen({ columns: columns + 1, rows });
  terminal.write("\u001b[?7l");
  terminal.write(drawn(screen).join("\n"));
  return (await terminal.rows()).join("").replace(/[│┃\s]/g, "");
}

describe("lines that are cut to the rows there are", () => {
  it("say by … that there is more, and are as they were where all fit", () => {
    expect(clipped(["one", "two"], 2, 9)).toEqual(["one", "two"]);
    expect(clipped(["one", "two", "three"], 2, 20)).toEqual(["one", "two three …"]);
    expect(clipped(["one", "two", "three"], 2, 5)).toEqual(["one", "two …"]);
    expect(clipped(["one"], 0, 9)).toEqual([]);
  });
});

describe("a long command on a terminal that cuts its rows", () => {
  for (const [what, filler] of Object.entries(fillers)) {
    it(`is shown to its end behind ${what}`, async () => {
      for (const columns of [60, 79, 119]) {
        expect(await shownOf(`echo ${filler} ; touch EVIL-HIDDEN ; ls`, columns)).toContain(
          "touchEVIL-HIDDEN;ls",
        );
      }
    });
  }

  it("is shown to its end where all of it is plain", async () => {
    expect(await shownOf(`echo ${"a".repeat(90)} ; ls -l`, 119)).toContain("a;ls-l");
  });
});

describe("a folded text", () => {
  it("loses nothing and has no row that is wider than the room", () => {
    const piece = fc.constantFrom(
      ...Object.values(fillers).map((one) => one.slice(0, 4)),
      "a",
      "é",
      "漢",
      " ",
      "\u0301",
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 200 }).map((some) => shownText(some.join("")));
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 120 }), (one, columns) => {
        const rows = folded(one, columns);
        expect(rows.join("")).toBe(one);
        for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
