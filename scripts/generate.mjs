/** Writes every file that scripts/generated.ts makes, and removes vectors that are no longer made. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { root } from "./programs.mjs";

const { outputFiles } = await build({
  entryPoints: [join(root, "scripts/generated.ts")],
  absWorkingDir: root,
  bundle: true,
  write: false,
  platform: "node",
  target: "node20.19",
  format: "esm",
});
const code = Buffer.concat(outputFiles.map((file) => file.contents)).toString("base64");
const { generatedFiles, vectorDirectory } = await import(`data:text/javascript;base64,${code}`);

rmSync(join(root, vectorDirectory), { recursive: true, force: true });
const files = generatedFiles();
for (const [path, bytes] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
}
process.stdout.write(`${files.size} files written\n`);
