/** What an approval of a call is about beside its arguments, as the rule that decided says it. */
import type { StateSpec, Verdict } from "../../broker/index.js";

/** In the form in which it stands in a rule; null where nothing is said. */
export function stateEntry(state: StateSpec | null): unknown {
  if (state === null || state === "none") return state;
  const { paths, git, probe } = state;
  return {
    ...(paths.length === 0 ? {} : { paths }),
    ...(git.length === 0 ? {} : { git }),
    ...(probe === null ? {} : { tool: probe.tool, args: probe.arguments }),
  };
}

/** The lines of a tool of a server, whose preset is known or not; texts are as they stand in files. */
export function stateLines(
  { name, rule, state, isReadOnly }: Verdict,
  isPresetKnown: boolean,
): readonly string[] {
  const only = isReadOnly ? ["the rule says that it changes nothing"] : [];
  if (state !== null) return [`a yes is about: ${wordsOf(state)}`, ...only];
  if (name !== "ask") return only;
  const whose =
    rule.list === "ask"
      ? "the rule says nothing of state, so a yes is about the arguments alone"
      : `a yes is about the arguments alone${isPresetKnown ? "" : ", unless its gate has a preset that says more: --preset NAME"}`;
  return [`warning: state not bound: ${whose}`, ...only];
}

function wordsOf(state: StateSpec): string {
  if (state === "none") return "the arguments alone, and the rule says so";
  const { paths, git, probe } = state;
  return [
    "the arguments",
    ...paths.map((path) => `what is at ${path}`),
    ...git.map((path) => `HEAD and index of ${path}`),
    ...(probe === null ? [] : [`the answer of ${probe.tool} to ${JSON.stringify(probe.arguments)}`]),
  ].join(", ");
}
