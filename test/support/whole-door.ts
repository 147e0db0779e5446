/**
 * The built library in one file. Tests start its processes by the hundred, and each would find and load well over a
 * hundred files first: that took more than twice the time of all else that such a process does.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of that file, which workers read from WISP_TEST_DOOR. */
    readonly door: string;
  }
}

/** Makes the files before the tests run; what it returns removes them after them. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), "wisp-door-"));
  const bundle = join(directory, "door.cjs");
  const library = new URL("../../dist/broker/index.js", import.meta.url);
  await build({
    entryPoints: [fileURLToPath(library)],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    // A function, as Node makes one of such a file.
    banner: { js: "(function (exports, require, module, __filename) {" },
    footer: { js: "})" },
    // Packages that the library loads when it needs them are found from where it was built.
    define: { "import.meta.url": JSON.stringify(library.href) },
  });
  const door = join(directory, "door.mjs");
  writeFileSync(door, loaderOf(bundle));
  project.provide("door", pathToFileURL(door).href);
  return () => rmSync(directory, { recursive: true, force: true });
}

/** Runs the bundle once, for what V8 compiles of it then: a worker that is handed it starts in four fifths of the time. */
function loaderOf(bundle: string): string {
  const script = new Script(readFileSync(bundle, "utf8"), { filename: bundle });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle);
  writeFileSync(`${bundle}.cache`, script.createCachedData());
  return `import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, Script } from "node:vm";
const filename = ${JSON.stringify(bundle)};
const script = new Script(readFileSync(filename, "utf8"), {
  filename,
  cachedData: readFileSync(filename + ".cache"),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(filename), module, filename);
export const { ${Object.keys(module.exports).join(", ")} } = module.exports;
`;
}
