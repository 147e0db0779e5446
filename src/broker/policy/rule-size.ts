/** How much a file of rules may hold: counted before anything in it is compiled or tried. */
import { itemsOf, type JsonNode, propertiesOf } from "./jsonc.js";

/** What takes time of a list of rules. */
export interface RuleSize {
  readonly rules: number;
  /** Tests of `when` that are regular expressions. */
  readonly expressions: number;
  /** Characters in `match` and `notMatch`. */
  readonly tested: number;
}

/** Of no rules. */
export const noSize: RuleSize = { rules: 0, expressions: 0, tested: 0 };

/** What a person's own file may hold. */
export const mostOfOwn: RuleSize = { rules: 5_000, expressions: 1_000, tested: 1024 * 1024 };
/** What one file of a project may hold: anybody may have written it. */
export const mostOfProject: RuleSize = { rules: 1_000, expressions: 100, tested: 16 * 1024 };

/** Counts what stands in the entries of lists, whatever that is. */
export function sizeOfRules(entries: readonly JsonNode[]): RuleSize {
  const size = { rules: entries.length, expressions: 0, tested: 0 };
  for (const entry of entries) {
    for (const { children } of propertiesOf(entry)) {
      // By index: taking apart by a pattern is slow, and there may be thousands.
      const key: unknown = children[0].value;
      const items = itemsOf(children[1]);
      if (key === "when") size.expressions += items.filter(isExpression).length;
      if (key === "match" || key === "notMatch") for (const { length } of items) size.tested += length;
    }
  }
  return size;
}

function isExpression(node: JsonNode): boolean {
  return propertiesOf(node).some(({ children }) => children[0].value === "matches");
}

/** What of `size` is over `most`, in words; null where nothing is. */
export function excessOf(size: RuleSize, most: RuleSize): string | null {
  if (size.rules > most.rules) return `more than ${most.rules} rules`;
  if (size.expressions > most.expressions) return `more than ${most.expressions} times matches`;
  return size.tested > most.tested ? `more than ${most.tested} characters in match and notMatch` : null;
}
