/** Results as text: a table for the terminal, and the same for docs/benchmarks.md. */
import type { Row } from "./row.js";
import type { Result } from "./run.js";

const head = ["what", "against", "measured", "bar", "goal", "verdict", "blocks"];

/** One line, as soon as the row is done. */
export function lineOf({ row, judged, error }: Result): string {
  const told = error === null ? `${measured(row, judged.value)}, ${judged.verdict}` : `failed: ${error}`;
  return `${row.name.padEnd(16)} ${told}`;
}

export function textTable(results: readonly Result[]): string {
  const lines = [head, ...results.map(cells)];
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
  const lines = [head, head.map(() => "---"), ...results.map(cells)];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function cells({ row, judged, error }: Result): readonly string[] {
  const { bar, goal, holds } = row.gate;
  const sign = holds === "at most" ? "≤" : "≥";
  return [
    row.what,
    row.against,
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

/** Two places that say something. */
function short(value: number): string {
  const places = value === 0 || value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3;
  return String(Number(value.toFixed(places)));
}
