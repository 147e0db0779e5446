/** Linear regular expressions, for programs that ship in single files (scripts/programs.mjs). */
export { RE2JS } from "re2js";
