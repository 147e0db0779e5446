/** JSON with comments, for programs that ship in single files (scripts/programs.mjs). */
export { createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
