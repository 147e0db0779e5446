/** Texts in the columns of a terminal. Each function is handed what measures its texts. */
import { cut, missingIn, type Widths } from "../face/wrap.js";

/**
 * Rows of six cells (id, level, age, who, directory, what) as lines of at most `columns` columns. The first three
 * are never cut; directories keep their end, calls both of their ends, the others their beginning. What does not fit at all is left out,
 * directory first: `show` tells the rest.
 */
export function fitted(
  rows: readonly (readonly string[])[],
  columns: number,
  widths: Widths,
): readonly string[] {
  const cells = rows.map((row) => row.map((cell, index) => visiblePart(cell, index, columns)));
  const natural = columnIndexes.map((index) =>
    widest(
      cells.map((row) => row[index] ?? ""),
      widths,
    ),
  );
  const shares = sharedOut(natural, columns);
  const shown = columnIndexes.filter((index) => widthAt(shares, index) > 0);
  return cells.map((row) => {
    const drawn = shown.map((index) => cellOf(row[index] ?? "", widthAt(shares, index), index, widths));
    return drawn.join(gap).trimEnd();
  });
}

const gap = "  ";
const columnIndexes = [0, 1, 2, 3, 4, 5] as const;
const [who, directory, what] = [3, 4, 5] as const;

/** A base with its marks and joiners is a few units; nothing beyond this many columns can be seen. */
const mostUnitsPerColumn = 16;
/** Narrower than this a cell tells nothing. */
const leastWidth = 8;
/** Of the room that is left, what runs has at least half. */
const smallShare = 0.25;

/** Measuring a text of many screens, of which one line is drawn, would cost time for nothing. */
function visiblePart(cell: string, index: number, columns: number): string {
  const units = columns * mostUnitsPerColumn;
  return index === directory ? cell.slice(-units) : cell.slice(0, units);
}

function widest(texts: readonly string[], widths: Widths): number {
  return texts.reduce((width, text) => Math.max(width, widths.of(text)), 0);
}

function sharedOut(natural: readonly number[], columns: number): readonly number[] {
  const fixed = natural.slice(0, who);
  const room = columns - fixed.reduce((sum, width) => sum + width + gap.length, 0);
  const flexible = natural.slice(who);
  if (flexible.reduce((sum, width) => sum + width + gap.length, -gap.length) <= room) return natural;
  const small = Math.floor(room * smallShare);
  const whoWidth = small < leastWidth ? 0 : Math.min(widthAt(natural, who), small);
  const afterWho = room - (whoWidth === 0 ? 0 : whoWidth + gap.length);
  const wanted = Math.min(widthAt(natural, what), Math.max(Math.ceil(room / 2), leastWidth));
  const forDirectory = Math.min(widthAt(natural, directory), afterWho - wanted - gap.length);
  const directoryWidth = forDirectory < Math.min(leastWidth, widthAt(natural, directory)) ? 0 : forDirectory;
  const whatWidth = afterWho - (directoryWidth === 0 ? 0 : directoryWidth + gap.length);
  return [...fixed, whoWidth, directoryWidth, Math.max(0, whatWidth)];
}

function widthAt(widths: readonly number[], index: number): number {
  return widths[index] ?? 0;
}

function cellOf(cell: string, width: number, index: number, widths: Widths): string {
  const missing = index === directory ? "beginning" : index === what ? missingIn(cell) : "end";
  const text = cut(cell, width, missing, widths);
  return text + " ".repeat(Math.max(0, width - widths.of(text)));
}
