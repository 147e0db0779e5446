/** Where the whole output of a run lies whose result had to be cut. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Home, isIdentifier, shownText } from "../../broker/index.js";
import type { Decision } from "./decision.js";

/** `; its whole output: /home/p/.wisp/output/k7q2mx9d.stdout`; "" where nothing was cut. Safe to print. */
export function outputText({ id, run, effect }: Decision, home: Home): string {
  if (effect?.truncated !== true) return "";
  const paths = outputsOf(id ?? run, home);
  if (paths.length === 0) return "; its output was cut, and the whole is no longer kept";
  // Several runs under one yes lie beside each other, and no name says which is which.
  return `; its output was cut; the whole of what ${id ?? run} printed: ${paths.map(shownText).join(" ")}`;
}

/** The files of the outputs of what `name` asked for, in the order of its runs. */
function outputsOf(name: string | null, { path }: Home): readonly string[] {
  // The log may hold anything there.
  if (name === null || !isIdentifier(name)) return [];
  const directory = join(path, "output");
  try {
    return readdirSync(directory)
      .filter((one) => one.startsWith(`${name}.`) && /^[^.]+(\.[0-9]+)?\.(stdout|stderr)$/.test(one))
      .sort()
      .map((one) => join(directory, one));
  } catch {
    // None was ever kept.
    return [];
  }
}
