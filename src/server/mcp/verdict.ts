/** What the policy says of a call, in the words of what is asked and told. */
import {
  type AllowedBy,
  type Ask,
  type DecidingRule,
  doesNotFit,
  type Remembering,
  type Scope,
  scopes,
  type Verdict,
} from "../../broker/index.js";

/** The part of an ask that follows from the verdict. */
export type AskedByVerdict = Pick<Ask, "level" | "reasons" | "rule" | "scopes" | "remember" | "allowedBy">;

/** What may be offered, whatever the policy says. */
export interface Offerable {
  /** By what is known of the subject alone, from narrow to wide. */
  readonly scopes: readonly Scope[];
  /** Where the command's first word leads; null where to none. */
  readonly program: string | null;
  /** Which file that is, and in which state; null where to none. */
  readonly programIdentity: string | null;
  /** For how many days a yes is remembered. */
  readonly persistDays: number;
}

/** What is asked where `verdict` asks, and why nobody is asked where it allows. */
export function askedBy(verdict: Verdict, offerable: Offerable): AskedByVerdict {
  const { level, reasons, nearest, rule, notices } = verdict;
  const near = nearest === null ? [] : [`${doesNotFit}: ${nearest}`];
  const offered = verdict.isFaulty ? ["once" as const] : offeredScopes(verdict, offerable.scopes);
  return {
    level,
    reasons: [...reasons, ...near, ...notices],
    rule: ruleLine(rule),
    scopes: offered,
    remember: offered.some((scope) => scope === "project" || scope === "always")
      ? rememberingOf(verdict, offerable)
      : null,
    allowedBy: verdict.isFaulty ? null : allowedBy(verdict),
  };
}

function offeredScopes({ maxScope, offers }: Verdict, known: readonly Scope[]): readonly Scope[] {
  const wider: readonly Scope[] = offers.length > 0 ? ["project", "always"] : [];
  const widest = scopes.indexOf(maxScope);
  return [...known, ...wider].filter((scope) => scopes.indexOf(scope) <= widest);
}

function rememberingOf({ offers, askedBy }: Verdict, offerable: Offerable): Remembering {
  const { program, programIdentity, persistDays } = offerable;
  return { offers: [...offers], days: persistDays, program, programIdentity, askedBy: askedBy[0] ?? null };
}

function allowedBy({ name, rule, remembered }: Verdict): AllowedBy | null {
  if (name !== "allow") return null;
  const place = placeOf(rule);
  if (remembered !== null) return { kind: "remembered", rule: remembered, place };
  return { kind: "policy", text: rule.text, place };
}

/** `policy.json:7`; null for what is built in. Not yet safe to show. */
export function placeOf({ file, line }: DecidingRule): string | null {
  if (file === null) return null;
  return line === null ? file : `${file}:${line}`;
}

/** `ask Bash(git push *) (policy.json:7)`. Not yet safe to show. */
export function ruleLine(rule: DecidingRule): string {
  const place = placeOf(rule) ?? "built in";
  const isWritten = rule.list !== "floor" && rule.list !== "threshold";
  return isWritten ? `${rule.list} ${rule.text} (${place})` : `${rule.text} (${place})`;
}
