/** A card as lines of text, and our few colours. */
import type { Card, Field } from "../face/card.js";
import { isPlain, widthsFor } from "../face/widths.js";
import { wrapped, wrappedWords } from "../face/wrap.js";
import type { Output, Terminal } from "./terminal.js";

/** A card as it is written out. */
export interface Drawn {
  readonly text: string;
  /** How many of its lines what runs takes. */
  readonly contentRows: number;
  /** How many lines it has. */
  readonly rows: number;
}

/**
 * Draws `card` for `output`. On a terminal long lines are folded here and not by the terminal, so that no text of a
 * request ever reaches the column of our labels; elsewhere they stay whole. A further line of a text is marked ⏎.
 */
export async function drawCard(card: Card, output: Output, paint: Paint): Promise<Drawn> {
  const fold = output.isTerminal ? await folding(card.fields, output) : whole;
  let contentRows = 0;
  const rows = card.fields.flatMap((field) => {
    const drawn = rowsOf(field, fold, paint);
    if (field.isContent) contentRows += drawn.length;
    return drawn;
  });
  return { text: rows.map((row) => `${row.trimEnd()}\n`).join(""), contentRows, rows: rows.length };
}

/** Colours `text` by the level it stands for. */
export type Paint = (level: string, text: string) => string;

/** The colours of `output`: none where it is no terminal, a dumb one, or `NO_COLOR` is set. */
export function paintFor(output: Output, environment: Terminal["environment"]): Paint {
  const isDumb = environment.TERM === "dumb" && !environment.FORCE_COLOR;
  const isPlain = !output.isTerminal || isDumb || Boolean(environment.NO_COLOR);
  return (level, text) => {
    const code = isPlain ? undefined : levelColours.get(level);
    return code === undefined ? text : `\u001b[${code}m${text}\u001b[0m`;
  };
}

const labelWidth = 14;

/** Bold red and yellow: the two levels that a person must not overlook. The word stands there as well. */
const levelColours: ReadonlyMap<string, string> = new Map([
  ["dangerous", "1;31"],
  ["high", "33"],
]);

/** `isProse`: it is read and never run, so it may break at blanks. */
type Fold = (line: string, isProse: boolean) => readonly string[];

const whole: Fold = (line) => [line];

/** The narrowest terminal that is drawn for; in one still narrower the terminal folds by itself. */
const narrowestColumns = 60;

/**
 * Folds at the columns of `output`. Where every line is plain and short nothing is measured: asking a terminal for
 * its columns and loading the tables of widths costs a command more than all the rest of its card.
 */
async function folding(fields: readonly Field[], output: Output): Promise<Fold> {
  const lines = fields.flatMap((field) => field.lines);
  const fits = (width: number): boolean => lines.every((line) => line.length <= width && isPlain(line));
  if (fits(narrowestColumns - labelWidth)) return whole;
  const width = output.columns - labelWidth;
  if (fits(width)) return whole;
  const widths = await widthsFor(lines);
  return (line, isProse) => (isProse ? wrappedWords : wrapped)(line, Math.max(1, width), widths);
}

function rowsOf({ label, lines }: Field, fold: Fold, paint: Paint): readonly string[] {
  return lines.flatMap((line, lineIndex) =>
    fold(line, proseLabels.test(label)).map((piece, pieceIndex) => {
      const mark = pieceIndex > 0 ? "" : lineIndex > 0 ? newLineMark : label;
      return `${mark.padEnd(labelWidth)}${label === "level" && pieceIndex === 0 ? painted(piece, paint) : piece}`;
    }),
  );
}

/** What runs, and where, is broken at the column exactly: there a blank at the end of a row is one that matters. */
const proseLabels =
  /^(value|asks|option \d+|source|similar|agent says|tool says|from here|attention|answers|warning|a yes now)$/;

/** Stands in the column of labels where a text of a request has a further line. */
const newLineMark = "           ⏎";

function painted(line: string, paint: Paint): string {
  const [level = ""] = line.split(":", 1);
  return paint(level, level) + line.slice(level.length);
}
