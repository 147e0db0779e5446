/**
 * What a list of edits makes of a text, as `@modelcontextprotocol/server-filesystem` applies them: one after the other, each to
 * what the one before it left; the first place that holds the old text, else the first lines that are the same but for the
 * blanks around them. Pure, and bounded: what would take too long is left open.
 */

/** The old text becomes the new one. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** What comes of it. */
export type Edited =
  | { readonly kind: "edited"; readonly text: string }
  /** The edit with this number, from 0, finds no place: then the server changes nothing. */
  | { readonly kind: "unmatched"; readonly index: number }
  | { readonly kind: "too much" };

/** Lines compared; each costs less than a microsecond. */
const mostCompared = 200_000;
/** Of a text on its way: edits may make it longer and longer. */
const longestText = 4 * 1024 * 1024;
const mostEdits = 1_000;

/** Line ends are LF afterwards, as that server writes them. */
export function editedText(text: string, edits: readonly Edit[]): Edited {
  if (edits.length > mostEdits) return { kind: "too much" };
  let now = withLineFeeds(text);
  let left = mostCompared;
  for (const [index, { oldText, newText }] of edits.entries()) {
    const [before, after] = [withLineFeeds(oldText), withLineFeeds(newText)];
    const at = now.indexOf(before);
    if (at !== -1) now = `${now.slice(0, at)}${after}${now.slice(at + before.length)}`;
    else {
      const lines = now.split("\n");
      const sought = before.split("\n");
      left -= lines.length * Math.min(sought.length, lines.length);
      if (left < 0) return { kind: "too much" };
      const place = placeOf(sought, lines);
      if (place === null) return { kind: "unmatched", index };
      lines.splice(place.from, sought.length, ...indented(after, sought, place.line));
      now = lines.join("\n");
    }
    if (now.length > longestText) return { kind: "too much" };
  }
  return { kind: "edited", text: now };
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Where `sought` begins among `lines`, and the first line of it as it stands there. */
function placeOf(
  sought: readonly string[],
  lines: readonly string[],
): { readonly from: number; readonly line: string } | null {
  const bare = lines.map((line) => line.trim());
  const wanted = sought.map((line) => line.trim());
  for (const [from, line] of lines.entries()) {
    if (wanted.every((text, offset) => text === bare[from + offset])) return { from, line };
  }
  return null;
}

/** The first line gets the blanks of the one that it replaces; those behind it keep theirs in relation to the old text. */
function indented(text: string, sought: readonly string[], replaced: string): readonly string[] {
  const start = blanksOf(replaced);
  return text.split("\n").map((line, index) => {
    if (index === 0) return `${start}${line.trimStart()}`;
    const [before, after] = [blanksOf(sought[index] ?? ""), blanksOf(line)];
    if (before === "" || after === "") return line;
    return `${start}${" ".repeat(Math.max(0, after.length - before.length))}${line.trimStart()}`;
  });
}

function blanksOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
