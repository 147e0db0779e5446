/** From when on: what a person types behind `--since`. */

const units: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

/** Epoch milliseconds of `typed` (`2h`, `3d`, `2026-11-30`, an ISO time; without a zone the one of this machine), or null. */
export function sinceOf(typed: string, now: number): number | null {
  const [, amount, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(typed) ?? [];
  if (amount !== undefined) return now - Number(amount) * (units.get(unit) ?? 0);
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
  if (!iso.test(typed)) return null;
  // A day alone would be read as one of Greenwich.
  const at = Date.parse(typed.includes("T") ? typed : `${typed}T00:00`);
  return Number.isNaN(at) || !isThatDay(typed) ? null : at;
}

/** Dates that no calendar has are read as others. */
function isThatDay(typed: string): boolean {
  const [year = 0, month = 0, day = 0] = typed.slice(0, 10).split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
