/** What `when` asks of the arguments of a call. Pure data. */
import type { PathGlob } from "./pattern.js";

/** One of its entries: what is found at `path` must pass `test`. */
export interface Condition {
  readonly path: ArgumentPath;
  readonly test: ArgumentTest;
}

/** A path of RFC 9535 without filters: each step is the name of a member, the index of an element, or all of them. */
export interface ArgumentPath {
  /** As it is written: `$.files[*].path`. */
  readonly text: string;
  readonly steps: readonly ArgumentStep[];
}

/** What is asked of it. */
export type ArgumentTest =
  | { readonly kind: "glob"; readonly parts: readonly string[] }
  | { readonly kind: "path"; readonly glob: PathGlob }
  | { readonly kind: "equals"; readonly value: unknown }
  | { readonly kind: "matches"; readonly isFoundIn: (text: string) => boolean }
  | { readonly kind: "countOver"; readonly count: number };

/** A member named `*` is not all members. */
export type ArgumentStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "all" };
