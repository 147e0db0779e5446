/**
 * Packages that only some files of rules need, each loaded when the first such file is read. The library finds them where
 * it is installed; each program that ships finds a file of its own beside it, and scripts/programs.mjs then replaces this
 * one.
 */
import { createRequire } from "node:module";
import type * as jsonc from "jsonc-parser";
import type parseJsonPath from "jsonpath-rfc9535/parser";
import type { RE2JS } from "re2js";

/** Reads JSON with comments. */
export function jsoncEngine(): Pick<typeof jsonc, "createScanner" | "parseTree" | "printParseErrorCode"> {
  return loaded("jsonc-parser");
}

/** Parses paths of RFC 9535; throws for what is none. */
export function jsonPathParser(): typeof parseJsonPath {
  return loaded("jsonpath-rfc9535/parser").default;
}

/** Regular expressions whose search is linear in the text. */
export function linearExpressions(): typeof RE2JS {
  return loaded("re2js").RE2JS;
}

const engines = new Map<string, ReturnType<ReturnType<typeof createRequire>>>();

function loaded(name: string) {
  const engine = engines.get(name) ?? createRequire(import.meta.url)(name);
  engines.set(name, engine);
  return engine;
}
