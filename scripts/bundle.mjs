/**
 * Empties dist and bundles every program into it. Beside them: licenses.txt, the licences of what was bundled, and
 * bundles.json, each bundle's size and packages, for tests (it does not ship).
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildOptions, licenses, missingEntries, packagesIn, programs, root } from "./programs.mjs";

const dist = join(root, "dist");

/**
 * @param {string} text
 * @returns {never}
 */
function fail(text) {
  process.stderr.write(`bundle: ${text}\n`);
  process.exit(1);
}

const missing = missingEntries();
if (missing.length > 0) fail(`missing ${missing.join(", ")}`);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

/** @type {Record<string, { bytes: number, packages: string[] }>} */
const bundles = {};
for (const program of programs) {
  const { metafile, warnings } = await build(buildOptions(program)).catch(() => fail(program.entry));
  // A warning is a failure too: import.meta in a CommonJS bundle, for one, is undefined at run time.
  if (warnings.length > 0) fail(program.entry);
  const bytes = metafile.outputs[`dist/${program.file}`]?.bytes ?? 0;
  bundles[program.file] = { bytes, packages: packagesIn(metafile) };
  if (program.isCommand) chmodSync(join(dist, program.file), 0o755);
}

const packages = [...new Set(Object.values(bundles).flatMap((bundle) => bundle.packages))].sort();
writeFileSync(join(dist, "licenses.txt"), licenses(packages));
writeFileSync(join(dist, "bundles.json"), `${JSON.stringify(bundles, null, 2)}\n`);
for (const [file, { bytes }] of Object.entries(bundles)) {
  process.stdout.write(`dist/${file}  ${Math.ceil(bytes / 1024)} KiB\n`);
}
