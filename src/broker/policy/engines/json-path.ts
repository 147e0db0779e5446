/** The grammar of RFC 9535, for programs that ship in single files (scripts/programs.mjs). */
export { default as parseJsonPath } from "jsonpath-rfc9535/parser";
