/** What a person would have to do for another verdict. */
import { type DecidingRule, isPresetFloor, plainerThan, type Verdict } from "../../broker/index.js";

/** One sentence without its full stop; `isFloored`: a floor of a preset asks beside what the verdict names. Its texts are as they stand in files; `lineFor` writes the command line for wisp. */
export function changeOf(
  verdict: Verdict,
  isFloored: boolean,
  lineFor: (words: readonly string[]) => string,
): string {
  switch (verdict.name) {
    case "allow":
      return changeOfAllow(verdict, lineFor);
    case "ask":
      return isFloored && !verdict.isFaulty ? builtIn : changeOfAsk(verdict, lineFor(["accept"]));
    case "deny":
      if (verdict.rule.list === "floor") return builtIn;
      return `the rule taken out of ${place(verdict.rule)}${accepted(verdict, lineFor(["accept"]))}`;
    default:
      return verdict.name satisfies never;
  }
}

function changeOfAllow({ rule, remembered }: Verdict, lineFor: (words: readonly string[]) => string): string {
  if (remembered !== null) return lineFor(["approvals", "revoke", remembered.id]);
  if (rule.list === "threshold") return "an ask rule that matches it, or a lower approval.threshold";
  return "a deny or ask rule that matches it: both come before allow";
}

function changeOfAsk(verdict: Verdict, accept: string): string {
  const { rule, isFaulty, level, isComplex, offers, waiting } = verdict;
  if (isFaulty) return "a correction of the file that a note above names";
  if (isPresetFloor(rule) || (level === "dangerous" && rule.list !== "ask")) return builtIn;
  const plainer = rule.list === "floor" ? plainerThan(rule.text) : null;
  if (plainer !== null) return plainer;
  if (isComplex) return "plain commands instead, or a script: of what this line runs no rule can be sure";
  if (waiting !== null) return `${accept}: ${place(waiting)} allows it then`;
  const yes = offers.length === 0 ? "" : `, or a yes for the project or always: ${offers[0]?.rule ?? ""}`;
  // Of what is known of a server, and speaks only where no rule of a person's does.
  const isPreset = rule.list === "ask" && rule.line === null && rule.file?.startsWith("the preset ") === true;
  if (rule.list === "ask" && !isPreset)
    return `an exception under unless of ${place(rule)}${accepted(verdict, accept)}${yes}`;
  return `an allow rule in policy.json, then: ${accept}${yes}`;
}

const builtIn = "nothing: no file removes this";

function place({ file, line }: DecidingRule): string {
  return line === null ? `${file ?? "the code"}` : `${file}:${line}`;
}

/** The person's own file is in force as it was accepted. */
function accepted({ rule: { file } }: Verdict, accept: string): string {
  return file === "policy.json" ? `, then: ${accept}` : "";
}
