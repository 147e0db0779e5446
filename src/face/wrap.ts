/** Cutting and folding texts to columns of a terminal. Each function is handed what measures its texts. */

/** Measures texts that hold nothing a terminal interprets. */
export interface Widths {
  /** Columns that `text` takes. */
  of(text: string): number;
  /** `text` in pieces that are drawn as one, so that it is never cut inside a character. */
  pieces(text: string): readonly string[];
}

/** `text` as pieces of at most `width` columns each; at least one. */
export function wrapped(text: string, width: number, widths: Widths): readonly string[] {
  if (widths.of(text) <= width) return [text];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const segment of widths.pieces(text)) {
    const wide = widths.of(segment);
    if (used + wide > width && piece !== "") {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += segment;
    used += wide;
  }
  return [...pieces, piece];
}

/** The same for what is read and not run: broken at blanks, and inside a word only where that alone is wider. */
export function wrappedWords(text: string, width: number, widths: Widths): readonly string[] {
  const rows: string[] = [];
  let row: string | null = null;
  for (const word of text.split(" ")) {
    const longer: string = row === null ? word : `${row} ${word}`;
    if (widths.of(longer) <= width) row = longer;
    else {
      if (row !== null) rows.push(row);
      const pieces = wrapped(word, width, widths);
      rows.push(...pieces.slice(0, -1));
      row = pieces.at(-1) ?? "";
    }
  }
  return [...rows, row ?? ""];
}

/** Where a text that is cut has its …. */
export type Missing = "end" | "beginning" | "middle";

/** Where what is asked for is cut: a command says most at its beginning, a call of a tool on what it is at its end. */
export function missingIn(what: string): Missing {
  return what.includes(" · ") ? "middle" : "end";
}

/** `text` cut to `width` columns, with … where something is missing. */
export function cut(text: string, width: number, missing: Missing, widths: Widths): string {
  if (widths.of(text) <= width) return text;
  if (missing === "middle") {
    const tail = cut(text, Math.ceil(width / 2), "beginning", widths);
    return cut(text, width - widths.of(tail) + 1, "end", widths).slice(0, -1) + tail;
  }
  const segments = [...widths.pieces(text)];
  if (missing === "beginning") segments.reverse();
  const kept: string[] = [];
  let used = 1;
  for (const segment of segments) {
    used += widths.of(segment);
    if (used > width) break;
    kept.push(segment);
  }
  return missing === "end" ? `${kept.join("")}…` : `…${kept.reverse().join("")}`;
}
