/** Where the built programs lie, and throw-away homes. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Home, homeAt } from "../../src/broker/index.js";

/** The root of the project, whether this file runs bundled or not. */
export const root = rootAbove(dirname(fileURLToPath(import.meta.url)));

/** The command line as it ships. */
export const wisp = join(root, "dist/wisp.cjs");

/** The full-screen face as it ships. */
export const wispTui = join(root, "dist/wisp-tui.mjs");

/** A program of bench/, bundled; `name` as below bench/, without its ending. */
export function benchProgram(name: string): string {
  return join(root, "dist/bench", `${name}.mjs`);
}

export interface Place {
  readonly home: Home;
  /** A path for a socket or a file of the benchmark itself. */
  path(name: string): string;
  remove(): void;
}

/** A new home in a directory of its own under the system's temporary directory. */
export function newPlace(): Place {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "wisp-bench-")));
  // A worker that was killed a moment ago may still finish what it was about to write.
  const remove = (): void =>
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.once("exit", remove);
  return {
    home: homeAt(join(directory, "home"), false),
    path: (name) => join(directory, name),
    remove() {
      process.off("exit", remove);
      remove();
    },
  };
}

function rootAbove(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  if (dirname(directory) === directory) throw new Error("The root of the project was not found.");
  return rootAbove(dirname(directory));
}
