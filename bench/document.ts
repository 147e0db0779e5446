/** The results inside docs/benchmarks.md: between two marks, the rest of the page is written by hand. */
const begin = "<!-- results: written by `npm run bench -- --write` -->";
const end = "<!-- end of results -->";

/** `page` with `results` in place of what stood between the marks. Throws an Error for a page without them. */
export function withResults(page: string, results: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error("The page has no place for the results.");
  return `${page.slice(0, from)}${begin}\n${results}\n${page.slice(to)}`;
}
