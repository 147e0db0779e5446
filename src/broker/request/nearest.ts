/** The one of `names` that `typed` was probably meant to be, or null when none is close. */
export function nearest(typed: string, names: readonly string[]): string | null {
  // Nobody mistypes a name this long, and the comparison is quadratic.
  if (typed.length > longestTyped) return null;
  const close = names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return close[0]?.name ?? null;
}

const longestTyped = 40;

/** Insertions, removals and replacements between two words (Levenshtein). */
function distanceOf(a: string, b: string): number {
  /** From what was read of `a` to each beginning of `b`, but for the empty one. */
  let row = Array.from({ length: b.length }, (_, index) => index + 1);
  let distance = b.length;
  for (let read = 0; read < a.length; read += 1) {
    let before = read;
    distance = read + 1;
    row = row.map((above, index) => {
      const replaced = before + (a[read] === b[index] ? 0 : 1);
      distance = Math.min(replaced, above + 1, distance + 1);
      before = above;
      return distance;
    });
  }
  return distance;
}
