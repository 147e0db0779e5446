/** Does an exception except all that its rule matches? As far as their patterns say it: then the rule matches nothing. */
import { isDeepStrictEqual } from "node:util";
import { type Glob, isGlobMatch } from "./glob.js";
import type { Pattern } from "./pattern.js";
import type { VerdictName } from "./verdict.js";

/** Is all that `pattern` matches in a rule of `list` matched by `exception`, too? False where that cannot be told. */
export function isCovered(pattern: Pattern, exception: Pattern, list: VerdictName): boolean {
  if (isDeepStrictEqual(pattern, exception)) return true;
  if (pattern.kind === "tool" && exception.kind === "tool") {
    if (pattern.server === null || exception.server === null)
      return pattern.server === exception.server && isWithin(pattern.tool, exception.tool);
    return isWithin(pattern.server, exception.server) && isWithin(pattern.tool, exception.tool);
  }
  // In a deny and an ask rule a `*` of an exception holds no option, so a wider one leaves something over.
  if (list !== "allow" || pattern.kind !== "command" || exception.kind !== "command") return false;
  return pattern.exact.every((one) => exception.exact.some((other) => isWithin(one, other)));
}

/** A character that stands in no rule a person writes: what matches it where the glob has a `*` has one there, too. */
const anything = "\u{10FFFF}";

function isWithin(glob: Glob, wider: Glob): boolean {
  return isGlobMatch(wider, glob.join(anything));
}
