/** What holds where no file has a say: every command asks, and nothing is remembered beyond a session. */
import { isComplex, judgeCommand, type Verdict, WispError } from "../../broker/index.js";
import type { Rules } from "./rules.js";

/** Reads no file. */
export function builtInRules(): Rules {
  const refuse = async (): Promise<never> => {
    throw new WispError("channel_unavailable", "Nothing is remembered here.");
  };
  return {
    policy: {
      judge(judged): Verdict {
        const isLine = judged.kind === "command" && judged.argv === null;
        const line = judged.kind === "command" ? judged.line : judged.tool;
        const argv = judged.kind === "command" ? judged.argv : null;
        const complex = isLine && isComplex(line);
        const rule = { list: "threshold", text: "every command asks", file: null, line: null } as const;
        return {
          name: "ask",
          ...judgeCommand({ argv, line }),
          isComplex: complex,
          rule,
          denial: null,
          parts: [{ text: line, verdict: "ask", rule }],
          maxScope: complex ? "once" : "session",
          remembered: null,
          offers: [],
          nearest: null,
          notices: [],
          isFaulty: false,
        };
      },
      standing: () => ({ files: [], notices: [] }),
    },
    remembered: {
      list: () => ({ rules: [], unaccepted: [], fault: null }),
      remember: refuse,
      revoke: refuse,
      expire: async () => [],
    },
  };
}
