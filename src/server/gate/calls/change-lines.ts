/**
 * A text that replaces another one, in few lines: what goes, what comes, and a little of what stays around it. Every line of
 * a text stands behind a mark of ours, so that none passes for another line of the form.
 */
import { diffArrays } from "diff";

/** Not yet safe to show; no line holds a newline. Spelled as in JSON, but for quotes: so stands the text in the arguments. */
export function changeLines({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): readonly string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(old, fresh, { maxEditLength: mostEdits });
  if (parts === undefined) return [...old.map(marked("-")), ...fresh.map(marked("+"))];
  return parts.flatMap(({ added, removed, value }, index) => {
    if (added) return value.map(marked("+"));
    if (removed) return value.map(marked("-"));
    const isFirst = index === 0;
    const isLast = index === parts.length - 1;
    return staying(value.map(marked(" ")), isFirst, isLast);
  });
}

/** One side alone: its text, or where that is not there how long it is, and its hash. */
export function sideLines(
  mark: "-" | "+",
  { text, bytes, sha256 }: { readonly text: string | null; readonly bytes: number; readonly sha256: string },
): readonly string[] {
  if (text === null) return [`${mark} (${bytes} bytes, SHA-256 ${sha256})`];
  return linesOf(text).map(marked(mark));
}

/** Texts that differ in more lines have no room in a form. */
const mostEdits = 100;
/** So many lines that stay are shown beside each change. */
const context = 2;

function linesOf(text: string): string[] {
  return text.split("\n");
}

function marked(mark: "-" | "+" | " "): (line: string) => string {
  return (line) => `${mark} ${JSON.stringify(line).slice(1, -1).replaceAll('\\"', '"')}`;
}

function staying(lines: readonly string[], isFirst: boolean, isLast: boolean): readonly string[] {
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  const left = lines.length - head - tail;
  if (left < 2) return lines;
  return [...lines.slice(0, head), `… ${left} lines stay`, ...lines.slice(lines.length - tail)];
}
