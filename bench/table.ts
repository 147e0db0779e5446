/** Results as text: a table for the terminal, and the same for docs/benchmarks.md. */
import type { Row } from "./row.js";
import type { Result } from "./run.js";

const judgedHead = ["measured", "bar", "goal", "verdict", "blocks"];

/** One line, as soon as the row is done. */
export function lineOf({ row, judged, error }: Result): string {
  const told = error === null ? `${measured(row, judged.value)}, ${judged.verdict}` : `failed: ${error}`;
  return `${row.name.padEnd(16)} ${told}`;
}

export function textTable(results: readonly Result[]): string {
  const head = ["row", ...judgedHead, "what ÷ against"];
  const lines = [
    head,
    ...results.map((result) => [
      result.row.name,
      ...judgedCells(result),
      `${result.row.what} ÷ ${result.row.against}`,
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function markdownTable(results: readonly Result[]): string {
  const head = ["what", "against", ...judgedHead];
  const lines = [
    head,
    head.map(() => "---"),
    ...results.map((result) => [result.row.what, result.row.against, ...judgedCells(result)]),
  ];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function judgedCells({ row, judged, error }: Result): readonly string[] {
  const { bar, goal, holds } = row.gate;
  const sign = holds === "at most" ? "≤" : "≥";
  return [
    measured(row, judged.value),
    `${sign} ${measured(row, bar)}`,
    `${sign} ${measured(row, goal)}`,
    error === null ? judged.verdict : "not measured",
    `${judged.blocks}`,
  ];
}

function measured({ unit }: Row, value: number): string {
  if (Number.isNaN(value)) return "–";
  return unit === "×" ? `${short(value)}×` : `${short(value)} ${unit}`;
}

/** Places that say something; a whole number, as bars are, has none. */
function short(value: number): string {
  if (Number.isInteger(value) || value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3);
}
