import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Level, shownText } from "../../../src/broker/index.js";
import { wide } from "../../../src/face/wide.js";
import { wrapped } from "../../../src/face/wrap.js";
import { cardTextColumns, labelColumns } from "../../../src/tui/screen/measures.js";
import type { Screen } from "../../../src/tui/screen/screen.js";
import { colourLook, drawn, plainLook } from "../../support/drawn.js";
import { cardPart, cardRow, queueRow, screenOf, workBody } from "../../support/screens.js";

const widths = [60, 80, 120, 200] as const;

/** A screen of `columns` with one text of a request wherever one can stand. */
function screenWith(text: string, columns: number): Screen {
  const isWide = columns === 200;
  const cardColumns = isWide ? 110 : columns;
  const shown = shownText(text);
  const rows = wrapped(shown, cardTextColumns(cardColumns), wide);
  const card = cardPart({
    columns: cardColumns,
    rows: rows.flatMap((piece) => [cardRow("runs", piece, "content"), cardRow("agent says", piece, "words")]),
  });
  const cells = queueRow({ what: shown, who: shown });
  return screenOf({
    size: { columns, rows: 30 },
    body: workBody(card, [cells], {
      layout: isWide ? "panes" : "stacked",
      queue: { columns: isWide ? 60 : columns, rows: [cells], above: 2, below: 9_970 },
    }),
    input: { prompt: "›", text: shown, caret: 0, hint: "" },
    notices: [{ text: shown, isWarning: true, at: 1 }],
  });
}

/** What stands in each row from the column on in which the card begins, as far as the card reaches. */
function cardOf(rows: readonly string[], columns: number): readonly string[] {
  const before = columns === 200 ? 61 : 0;
  const parts = rows.map((row) => {
    const pieces = wide.pieces(row);
    let start = 0;
    for (let used = 0; used < before && start < pieces.length; start += 1)
      used += wide.of(pieces[start] ?? "");
    return pieces.slice(start).join("");
  });
  const top = parts.findIndex((part) => part.startsWith("╭─ Run a command? "));
  const bottom = parts.findIndex((part) => part.startsWith("╰─"));
  return parts.slice(top, bottom === -1 ? 25 : bottom + 1);
}

describe("at 80 columns without colours", () => {
  it("a card says what runs, whose words are whose, and how dangerous it is", () => {
    const rows = drawn(screenOf({ size: { columns: 80, rows: 14 } }));
    expect(rows.map((row) => row.trimEnd())).toEqual([
      "wisp  1 waiting · ~/.wisp ok",
      " id        level         what                         who               left",
      "›k7q2mx9d  ! high        git push --force origin ma…  claude-code · g…  9:41",
      "╭─ Run a command? ───────────────────────────────── ! high ─ k7q2mx9d ─ 9:41 ──╮",
      "│ runs         ┃ git push --force origin main                                  │",
      "│ in             /src/api                                                      │",
      "│ calls itself   claude-code 2.1                                               │",
      "│ agent says   ┆ Publish the fix so CI can run                                ┆│",
      "│ level          high: rewrites what others have                               │",
      "│ warning      ! 1 character stands escaped, as \\u{…} or ␠×N                   │",
      "│ y approves once, d denies                                                    │",
      "╰──────────────────────────────────────────────────────────────────────────────╯",
      "",
      " y once (s session) d deny  q quit",
    ]);
  });
});

describe.each(widths)("at %i columns", (columns) => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  const worst: [string][] = [
    ["日本語".repeat(60)],
    ["e\u0301\u0302\u0303".repeat(90)],
    ["👍🏽🇩🇪👨‍👩‍👧".repeat(40)],
    [`│ runs         ┃ ls${" ".repeat(7)}│`],
    ["a\u001b[2Jb\u009b31mc\rd\u0007e\u001b]52;c;eA==\u0007"],
    ["\u202egit\u200b push"],
  ];

  it("no line is wider than the terminal, and every frame closes on every row", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rows = drawn(screenWith(text, columns));
        expect(rows).toHaveLength(30);
        for (const row of rows) expect(wide.of(row)).toBeLessThanOrEqual(columns);
        const card = cardOf(rows, columns);
        expect(card.length).toBeGreaterThan(3);
        for (const row of card) {
          expect(row.at(-1)).toMatch(/[╮│╯]/u);
          expect(wide.of(row)).toBe(columns === 200 ? 110 : columns);
        }
      }),
      { numRuns: 15, examples: worst },
    );
  });

  it("no text of a request reaches the column of labels", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const card = cardOf(drawn(screenWith(text, columns)), columns);
        for (const row of card.slice(1, -2)) {
          expect(row.slice(0, labelColumns + 5)).toMatch(/^│ (runs {9}┃ |agent says {3}┆ )/u);
        }
      }),
      { numRuns: 15, examples: worst },
    );
  });

  it("no control byte of a request is drawn, with colours or without", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const screen = screenWith(text, columns);
        expect(drawn(screen, plainLook).join("")).not.toMatch(/\p{Cc}/u);
        expect(drawn(screen, colourLook).join("").replace(ownEscapes, "")).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 15, examples: worst },
    );
  });
});

/** Bold, inverse and six colours, on and off: black and white, and the bright ones, are lost on dark or on light. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
const ownEscapes = /\u001b\[(1|22|7|27|39|3[1-6])m/g;

describe("levels", () => {
  const levels = [
    ["low", "low"],
    ["moderate", "moderate"],
    ["high", "! high"],
    ["dangerous", "!! dangerous"],
  ] as const;

  it.each(levels)("%s is told by its word and its mark where there are no colours", (level, told) => {
    const card = cardPart({ level, tone: level });
    const rows = drawn(screenOf({ body: workBody(card, [queueRow({ level, tone: level })]) }));
    expect(rows.find((row) => row.startsWith("╭"))).toContain(` ${told} ─ k7q2mx9d `);
    expect(rows.find((row) => row.startsWith("›"))).toContain(` ${told} `);
  });
});

describe("colours", () => {
  const framed = (level: Level): string => {
    const card = cardPart({
      level,
      tone: level,
      rows: [cardRow("change", "- a", "removed"), cardRow("", "+ b", "added"), ...cardPart().rows],
    });
    return drawn(screenOf({ body: workBody(card, [queueRow({ level, tone: level })]) }), colourLook).join(
      "\n",
    );
  };

  it.each(["low", "moderate", "high", "dangerous"] as const)(
    "of %s are of those of the palette that are readable on light and on dark",
    (level) => {
      const frame = framed(level);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
      const escapes = frame.match(/\u001b[^m]*m/g) ?? [];
      expect(escapes.length).toBeGreaterThan(20);
      expect(escapes.filter((one) => one.replace(ownEscapes, "") !== "")).toEqual([]);
      expect(frame).toContain("\u001b[31m- a\u001b[39m");
      expect(frame).toContain("\u001b[32m+ b\u001b[39m");
      // The level itself is painted, in the queue and on the frame.
      expect(frame.match(new RegExp(`m(!{1,2} )?${level}\\u001b`, "g"))).toHaveLength(2);
    },
  );
});

describe("what is drawn", () => {
  it("is as high as the screen whatever stands in it", () => {
    for (const rows of [1, 2, 5, 12, 40]) {
      expect(drawn(screenOf({ size: { columns: 80, rows } }))).toHaveLength(rows);
    }
  });

  it("of a tiny window is a plain list", () => {
    const body = { kind: "tiny", lines: ["k7q2mx9d ! high git push", "make the window larger"] } as const;
    const screen = screenOf({ size: { columns: 20, rows: 5 }, body, keys: [] });
    expect(drawn(screen).map((row) => row.trimEnd())).toEqual([
      "k7q2mx9d ! high git…",
      "make the window lar…",
      "",
      "",
      "",
    ]);
  });
});
