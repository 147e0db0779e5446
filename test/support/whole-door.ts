/**
 * The built library in one file. Tests start its processes by the hundred, and each would find and load well over a
 * hundred files first: that took more than twice the time of all else that such a process does.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of that file, which workers read from WISP_TEST_DOOR. */
    readonly door: string;
  }
}

/** CommonJS packages inside it call `require` for Node's own modules, and one asks for its `__filename`. Some of ours import the name. */
const requireForEsm =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url), __filename = import.meta.filename;';

/** Makes the file before the tests run; what it returns removes it after them. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), "wisp-door-"));
  const outfile = join(directory, "door.mjs");
  const library = new URL("../../dist/broker/index.js", import.meta.url);
  await build({
    entryPoints: [fileURLToPath(library)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: requireForEsm },
    // Packages that the library loads when it needs them are found from where it was built.
    define: { "import.meta.url": JSON.stringify(library.href) },
  });
  project.provide("door", pathToFileURL(outfile).href);
  return () => rmSync(directory, { recursive: true, force: true });
}
