/** A moment of a server that no timing hits: between its verdict on a call and whatever follows from that. */
import { fileRules } from "../../src/server/mcp/file-rules.js";
import type { Rules, RulesPlace } from "../../src/server/mcp/rules.js";

/** Opens the rules of a home so that `happens` is called after each verdict by them. */
export function afterVerdict(happens: () => void): (place: RulesPlace) => Rules {
  return (place) => {
    const rules = fileRules(place);
    const judge: typeof rules.policy.judge = (judged, settings) => {
      const verdict = rules.policy.judge(judged, settings);
      happens();
      return verdict;
    };
    return { ...rules, policy: { ...rules.policy, judge } };
  };
}
