/** `2026-11-30`, as the calendar on the wall here shows it. `at` in epoch milliseconds. */
export function localDay(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
}
