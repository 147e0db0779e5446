/** What a person would have to do for another verdict. */
import type { Verdict } from "../../broker/index.js";

/** One sentence without its full stop. Its texts are as they stand in files. */
export function changeOf(verdict: Verdict): string {
  switch (verdict.name) {
    case "allow":
      return changeOfAllow(verdict);
    case "ask":
      return changeOfAsk(verdict);
    case "deny":
      return `the rule taken out of ${place(verdict)}${accepted(verdict)}`;
    default:
      return verdict.name satisfies never;
  }
}

function changeOfAllow({ rule, remembered }: Verdict): string {
  if (remembered !== null) return `wisp approvals revoke ${remembered.id}`;
  if (rule.list === "threshold") return "an ask rule that matches it, or a lower approval.threshold";
  return "a deny or ask rule that matches it: both come before allow";
}

function changeOfAsk(verdict: Verdict): string {
  const { rule, isFaulty, level, isComplex, offers } = verdict;
  if (isFaulty) return "the file corrected that cannot be used";
  if (level === "dangerous" && rule.list !== "ask") return "nothing: no file removes this";
  if (rule.list === "floor" && rule.text.includes(" works inside the shell")) {
    return "a program instead of what works inside the shell: argv, or a line without it";
  }
  if (isComplex) return "plain commands instead, or a script: of what this line runs no rule can be sure";
  const yes = offers.length === 0 ? "" : `, or a yes for the project or always: ${offers[0]?.rule ?? ""}`;
  if (rule.list === "ask") return `an exception under unless of ${place(verdict)}${accepted(verdict)}${yes}`;
  return `an allow rule in policy.json, then: wisp accept${yes}`;
}

function place({ rule: { file, line } }: Verdict): string {
  return line === null ? `${file ?? "the code"}` : `${file}:${line}`;
}

/** The person's own file is in force as it was accepted. */
function accepted({ rule: { file } }: Verdict): string {
  return file === "policy.json" ? ", then: wisp accept" : "";
}
