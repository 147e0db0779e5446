/** What a rule names: the text inside of `Bash(…)`, a tool, or a tool and a path. Pure data. */

/** A rule's text, taken apart. */
export type Pattern = CommandPattern | ToolPattern | PathPattern;

/** `Bash(git push *)`; `Bash` alone is `Bash(*)`. */
export interface CommandPattern {
  readonly kind: "command";
  readonly glob: Glob;
}

/** `mcp__server`, `mcp__server__tool`, `mcp__server__read_*`, `WebSearch`. */
export interface ToolPattern {
  readonly kind: "tool";
  /** Null for tools of the client's own; `any` only where a rule makes stricter. */
  readonly server: { readonly name: string } | "any" | null;
  readonly tool: Glob;
}

/** `Read(//etc/**)`. */
export interface PathPattern {
  readonly kind: "path";
  readonly tool: string;
  readonly path: PathGlob;
}

/**
 * Literal texts with anything between them. `parts` is never empty; one part is the whole text. In a command the words
 * are separated by `separator`, which no word can hold.
 */
export interface Glob {
  readonly parts: readonly string[];
  /** Does the last part also match without the separator and what follows? `git status *` matches `git status`. */
  readonly isBareToo: boolean;
}

/** Stands between words: a NUL ends an argument, so none holds it. */
export const separator = "\0";

/** A glob over names of files: `*` stays within one name, `**` does not. */
export interface PathGlob {
  /** What its first name starts from. */
  readonly base: "root" | "home" | "call" | "project";
  /** For `project` the directory that holds `.wisp`. */
  readonly directory: string | null;
  readonly segments: readonly PathSegment[];
}

/** One name of a path, or any number of them. */
export type PathSegment =
  | { readonly kind: "any" }
  | { readonly kind: "name"; readonly parts: readonly string[] };
