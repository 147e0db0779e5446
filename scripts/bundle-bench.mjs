/**
 * Bundles the benchmarks into dist/bench, every file under bench/ a program of its own, so that one may start
 * another by its name. Packages stay outside, but for floors of programs that ship bundled, which are bundled alike. Run
 * after the build, which empties dist.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildOptions, root } from "./programs.mjs";

const bench = join(root, "bench");
await build({
  entryPoints: readdirSync(bench, { recursive: true, encoding: "utf8" })
    // What is installed beside it is no program of ours.
    .filter((name) => name.endsWith(".ts") && !name.startsWith("peers/"))
    .map((name) => join(bench, name)),
  outbase: bench,
  outdir: join(root, "dist/bench"),
  outExtension: { ".js": ".mjs" },
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  target: "node20.19",
  format: "esm",
});

for (const floor of ["bench/workers/bare-mcp-server", "bench/workers/ink-hello"]) {
  await build(buildOptions({ entry: `${floor}.ts`, file: `${floor}.mjs` }));
}
