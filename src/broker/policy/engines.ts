/**
 * Packages that only some files of rules need, loaded when the first such file is read. In the programs that ship each of
 * them is a file of its own beside them (scripts/programs.mjs).
 */
import { createRequire } from "node:module";
import type parseJsonPath from "jsonpath-rfc9535/parser";
import type { RE2JS } from "re2js";

/** Parses paths of RFC 9535; throws for what is none. */
export function jsonPathParser(): typeof parseJsonPath {
  return loaded("jsonpath-rfc9535/parser").default;
}

/** Regular expressions whose search is linear in the text. */
export function linearExpressions(): typeof RE2JS {
  return loaded("re2js").RE2JS;
}

function loaded(name: string) {
  return createRequire(import.meta.url)(name);
}
