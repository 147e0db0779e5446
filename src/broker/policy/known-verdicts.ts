/**
 * Verdicts on calls of tools that the arguments have no part in: while the files and the settings say the same, each such
 * call of a tool gets the same one.
 */
import { besidePaths } from "./beside-paths.js";
import { newEffort } from "./effort.js";
import type { RuleSet } from "./evaluate.js";
import { isMatched, type ToolSubject } from "./match.js";
import type { JudgeSettings } from "./policy.js";
import type { Verdict } from "./verdict.js";

/** By `verdictKey`; once the files or the settings are other objects, those before are forgotten. */
export type KnownVerdicts = (files: object, settings: JudgeSettings) => Map<string, Verdict>;

/** None known yet. */
export function createKnownVerdicts(): KnownVerdicts {
  let files: object | null = null;
  let settings: JudgeSettings | null = null;
  let known = new Map<string, Verdict>();
  return (standing, judging) => {
    if (files !== standing || settings !== judging || known.size >= mostKnown) known = new Map();
    files = standing;
    settings = judging;
    return known;
  };
}

/** More tools than any server has. */
const mostKnown = 1_000;

/** One for each tool of each server. */
export function verdictKey({ server, tool }: Pick<ToolSubject, "server" | "tool">): string {
  return `${server?.length ?? "none"} ${server ?? ""} ${tool}`;
}

/** Is there no rule, of those that name the tool, that looks at its arguments? */
export function isByNameAlone(sets: readonly RuleSet[], subject: ToolSubject): boolean {
  const effort = newEffort(0);
  // Rules of paths are about tools of the client's own, and look at their arguments.
  return (
    subject.server !== null &&
    sets.every(({ own, projects }) =>
      [own, ...projects]
        .flatMap(({ deny, ask, allow }) => [...deny, ...ask, ...allow])
        .every(({ pattern, when }) => when.length === 0 || !isMatched(pattern, subject, "loose", effort)),
    )
  );
}

/** Is there a rule that denies or asks about the tool for a path, and does the call name files elsewhere? */
export function hasBesidePaths(
  sets: readonly RuleSet[],
  subject: ToolSubject,
  names: readonly string[],
): boolean {
  const effort = newEffort(0);
  return sets.some(({ own, projects }) =>
    [own, ...projects]
      .flatMap(({ deny, ask }) => [...deny, ...ask])
      .some(
        ({ pattern, when }) =>
          when.some(
            ({ path, test }) =>
              test.kind === "path" && besidePaths(path, subject.arguments, names).length > 0,
          ) && isMatched(pattern, subject, "loose", effort),
      ),
  );
}
