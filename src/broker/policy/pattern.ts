/** What a rule names: the text inside of `Bash(…)`, a tool, or a tool and a path. Pure data. */
import type { Glob } from "./glob.js";
import type { PathGlob } from "./path-glob.js";

/** A rule's text, taken apart. */
export type Pattern = CommandPattern | ToolPattern | PathPattern;

/** `Bash(git push *)`; `Bash` alone is `Bash(*)`. The command matches when one of the globs does. */
export interface CommandPattern {
  readonly kind: "command";
  /** Over words that are joined by `separator`. */
  readonly exact: readonly Glob[];
  /** Over words that are joined by one blank. */
  readonly loose: readonly Glob[];
  /** The words, each up to its first `*`. */
  readonly literals: readonly string[];
}

/** `mcp__server`, `mcp__server__tool`, `mcp__server__read_*`, `WebSearch`. */
export interface ToolPattern {
  readonly kind: "tool";
  /** By the name that our configuration gives it; null for tools of the client's own. */
  readonly server: Glob | null;
  readonly tool: Glob;
}

/** `Read(//etc/**)`. */
export interface PathPattern {
  readonly kind: "path";
  readonly tool: string;
  readonly path: PathGlob;
}

/** Stands between words: a NUL ends an argument, so none holds it. */
export const separator = "\0";
