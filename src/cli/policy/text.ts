/** A verdict as a person reads it: what becomes of the call, by which rule, and what would change that. */
import { type DecidingRule, shownText, type Verdict } from "../../broker/index.js";
import { changeOf } from "./change.js";

/** Several lines, safe to print. */
export function textOf(verdict: Verdict): string {
  const { name, level, reasons, rule, parts, denial, maxScope, nearest, notices } = verdict;
  const lines = [
    `${words[name]} (${level}: ${reasons.join(", ")})`,
    `rule: ${ruleText(rule)}`,
    ...(denial === null ? [] : [`says: ${denial}`]),
    ...(parts.length === 1
      ? []
      : parts.map((part) => `  ${part.verdict.padEnd(longest)}  ${part.text}  by ${ruleText(part.rule)}`)),
    ...(name === "ask" ? [`a yes counts at most: ${maxScope}`] : []),
    ...(nearest === null ? [] : [`asked again: ${nearest}`]),
    ...notices.map((notice) => `note: ${notice}`),
    `what would change it: ${changeOf(verdict)}`,
  ];
  return lines.map((line) => `${shownText(line)}\n`).join("");
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
