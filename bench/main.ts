/** `npm run bench`: ratios of ours to a floor of the same run, judged against their bars. See docs/benchmarks.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withResults } from "./document.js";
import { loadLine, machineLine } from "./machine.js";
import { type Options, parseOptions, usage } from "./options.js";
import type { Row } from "./row.js";
import { rows } from "./rows.js";
import { exitOf, exits, type Result, runRow } from "./run.js";
import { root } from "./support/places.js";
import { lineOf, markdownTable, textTable } from "./table.js";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return exits.broken;
});

async function main(): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(
      process.argv.slice(2),
      rows.map((row) => row.name),
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
    return exits.broken;
  }
  process.stdout.write(`${machineLine()} · ${loadLine()}\n`);
  const results: Result[] = [];
  for (const row of rows) {
    if (options.only.length > 0 && !options.only.includes(row.name)) continue;
    results.push(await timed(row, options));
  }
  process.stdout.write(`\n${textTable(results)}\n\n${loadLine()}\n`);
  if (options.isWritten) write(results);
  return exitOf(results, options);
}

async function timed(row: Row, options: Options): Promise<Result> {
  const startedAt = performance.now();
  const result = await runRow(row, { fault: options.isProof, isFull: options.isFull });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const fault = options.isProof ? `, when ${row.fault}` : "";
  process.stdout.write(`${lineOf(result)}${fault} (${seconds} s)\n`);
  return result;
}

function write(results: readonly Result[]): void {
  const path = join(root, "docs/benchmarks.md");
  const page = `${machineLine()} · ${loadLine()}\n\n${markdownTable(results)}\n`;
  writeFileSync(path, withResults(readFileSync(path, "utf8"), page));
}
