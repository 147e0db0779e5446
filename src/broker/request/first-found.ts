/** Looks, one after the other. */

/** What the first of `looks` that finds something finds, and none after it looks; null where none does. */
export function firstFound(looks: readonly (() => string | null)[]): string | null {
  for (const look of looks) {
    const found = look();
    if (found !== null) return found;
  }
  return null;
}
