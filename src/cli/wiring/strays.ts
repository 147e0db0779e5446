/** Entries that have the words of a gate, and do not start this program: a clone that was moved, a Node that is gone, another file of our name. */
import { existsSync } from "node:fs";
import { type Entry, ownWordAt } from "./entries.js";
import { realOf } from "./real-path.js";

/** What of an entry leads elsewhere. */
export interface Stray {
  /** As it stands in the entry: another program's text. */
  readonly path: string;
  /** Is nothing there? Else it is another file than the program that runs here. */
  readonly isMissing: boolean;
}

/**
 * Null where its whole paths lead to `script`, or where only its client knows what it starts: a word that is looked for on the
 * PATH of the client, a relative path, a package that a runner fetches.
 */
export function strayOf({ argv }: Entry, script: string): Stray | null {
  const at = ownWordAt(argv);
  const missing = argv.slice(0, at + 1).find((word) => word.startsWith("/") && !existsSync(word));
  if (missing !== undefined) return { path: missing, isMissing: true };
  const own = argv[at] ?? "";
  return own.startsWith("/") && realOf(own) !== realOf(script) ? { path: own, isMissing: false } : null;
}
