/** docs/reading.md, as tests look things up in it. */
import { readFileSync } from "node:fs";

/** Its text. */
export const page: string = readFileSync(new URL("../../docs/reading.md", import.meta.url), "utf8");

/** The cells of each row of table `number` under a heading. */
export function tableIn(title: string, number = 0, text = page): readonly (readonly string[])[] {
  const [, after = ""] = text.split(`\n## ${title}\n`);
  const tables = (after.split(/^## /m)[0] ?? "").match(/(?:^\|.*\n)+/gm) ?? [];
  const rows = (tables[number] ?? "").trim().split("\n").slice(2);
  return rows.map((row) => row.slice(1, -1).split("|"));
}

/** What the first cells of its first table name, sorted. */
export function firstCells(title: string, text = page): readonly string[] {
  return tableIn(title, 0, text)
    .flatMap(([cell]) => namesIn(cell))
    .sort();
}

/** What the second cell says in the row of `key`. */
export function rowOf(title: string, key: string): string {
  return tableIn(title).find(([cell]) => namesIn(cell).includes(key))?.[1] ?? "";
}

/** What stands in backticks in one cell, sorted. */
export function namesIn(cell = ""): readonly string[] {
  return [...cell.matchAll(/`([\w.]+)`/g)].map((match) => match[1] ?? "").sort();
}
