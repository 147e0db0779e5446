/**
 * Two texts as a request can hold them, for a person who compares. Invariant: where they differ, both say so within what is
 * shown; only what is equal, or what follows a difference that is longer than a person reads, is left out, and that is said.
 */

/** A request holds both, beside the arguments. In UTF-16 units. */
const longestText = 16_000;
/** Equal lines that stay around what differs. */
const contextLines = 3;

/** Both whole where they are short enough. */
export function comparable(before: string, after: string): readonly [string, string] {
  if (before.length <= longestText && after.length <= longestText) return [before, after];
  const [one, other] = [before.split("\n"), after.split("\n")];
  const most = Math.min(one.length, other.length);
  let first = 0;
  while (first < most && one[first] === other[first]) first += 1;
  let last = 0;
  while (last < most - first && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  const from = Math.max(0, first - contextLines);
  const left = Math.max(0, last - contextLines);
  return [cut(one, from, left, before), cut(other, from, left, after)];
}

function cut(lines: readonly string[], from: number, left: number, whole: string): string {
  const middle = lines.slice(from, lines.length - left).join("\n");
  const [head, tail] = [equal(from), equal(left)];
  if (middle.length <= longestText) return [...head, middle, ...tail].join("\n");
  const shown = [...middle.slice(0, longestText)].slice(0, -1).join("");
  return [...head, shown, `(not all is shown: ${whole.length} characters in all)`].join("\n");
}

function equal(count: number): readonly string[] {
  return count === 0 ? [] : [`(${count} equal lines)`];
}
