/** A verdict as a person reads it: what becomes of the call, by which rule, and what would change that. */
import { type DecidingRule, doesNotFit, shownText, type Verdict } from "../../broker/index.js";
import { changeOf } from "./change.js";
import { stateLines } from "./state.js";

/** What is known beside the verdict. */
export interface Beside {
  /** Of a line that is more than the policy understands: the commands in which deny and ask rules were searched. */
  readonly searched: readonly string[];
  /** Does a floor of its preset ask, whatever else does? */
  readonly isFloored: boolean;
  /** Is it a call of a tool of a server, which a gate may stand before? */
  readonly isOfServer: boolean;
  /** By which gate it was judged, one line; null where there is nothing to say. */
  readonly gate: string | null;
  /** Was its preset named, or its gate found? */
  readonly isPresetKnown: boolean;
  /** The command line for wisp with these words. */
  readonly lineFor: (words: readonly string[]) => string;
}

/** Several lines, safe to print. */
export function textOf(
  verdict: Verdict,
  { searched, gate, isFloored, isOfServer, isPresetKnown, lineFor }: Beside,
): string {
  const { name, level, reasons, rule, parts, denial, maxScope, nearest, notices } = verdict;
  const accept = lineFor(["accept"]);
  const lines = [
    `${words[name]} (${level}: ${reasons.join(", ")})`,
    `rule: ${ruleText(rule)}`,
    ...(gate === null ? [] : [gate]),
    ...(denial === null ? [] : [`says: ${denial}`]),
    ...parts.map((part) => `  ${part.verdict.padEnd(longest)}  ${part.text}  by ${ruleText(part.rule)}`),
    ...searchedLines(searched),
    ...(name === "ask" ? [`a yes counts at most: ${maxScope}`] : []),
    ...(isOfServer ? stateLines(verdict, isPresetKnown) : []),
    ...(nearest === null ? [] : [`${doesNotFit}: ${nearest}`]),
    ...notices.map((notice) => `note: ${notice.replace(/wisp accept$/, () => accept)}`),
    `what would change it: ${changeOf(verdict, isFloored, lineFor)}`,
  ];
  return lines.map((line) => `${shownText(line)}\n`).join("");
}

/** A line may hold any number. */
const mostSearched = 20;

function searchedLines(texts: readonly string[]): readonly string[] {
  const more = texts.length - mostSearched;
  return [
    ...texts.slice(0, mostSearched).map((text) => `  deny and ask rules were searched in: ${text}`),
    ...(more > 0 ? [`  and in ${more} more`] : []),
  ];
}

const longest = "allow".length;

const words = {
  allow: "allow: it runs",
  ask: "ask: a person is asked",
  deny: "deny: it is refused",
} as const;

/** `ask Bash(git push *) (policy.json:7)` */
function ruleText({ list, text, file, line }: DecidingRule): string {
  if (file === null) return text;
  return `${list} ${text} (${line === null ? file : `${file}:${line}`})`;
}
