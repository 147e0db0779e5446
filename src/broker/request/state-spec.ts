/** What an approval of a call is about beside its arguments, as a rule or a preset says it. Pure data. */

/** `none`: about nothing else, and somebody wrote that. Otherwise all that is named is bound. */
export type StateSpec = "none" | BoundSpec;

/** Texts that begin with `$.` are RFC 9535 paths into the arguments of the call; others stand for themselves. */
export interface BoundSpec {
  /** Files and directories: what lies there, by its content. */
  readonly paths: readonly string[];
  /** Work trees of git: what is checked out and what is in the index. */
  readonly git: readonly string[];
  /** A call of a tool of the same server, whose answer is bound; null for none. */
  readonly probe: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> } | null;
}
