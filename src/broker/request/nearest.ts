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
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
