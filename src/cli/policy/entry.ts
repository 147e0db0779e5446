/** A verdict as scripts read it. */
import type { Verdict } from "../../broker/index.js";
import { stateEntry } from "./state.js";

/** What `--json` prints, as in docs/policy.md. */
export function entryOf(verdict: Verdict): Readonly<Record<string, unknown>> {
  const { name, level, isComplex, reasons, rule, parts, maxScope, denial, nearest, notices, isFaulty } =
    verdict;
  return {
    schemaVersion: 1,
    verdict: name,
    level,
    complex: isComplex,
    reasons,
    rule,
    denial,
    parts: parts.map((part) => ({
      text: part.text,
      verdict: part.verdict,
      rule: `${part.rule.list} ${part.rule.text}`,
      file: part.rule.file,
      line: part.rule.line,
    })),
    maxScope,
    state: stateEntry(verdict.state),
    readOnly: verdict.isReadOnly,
    offers: verdict.offers,
    remembered: verdict.remembered?.id ?? null,
    waiting: verdict.waiting,
    nearest,
    notices,
    faulty: isFaulty,
  };
}
