/**
 * Rules that let tools of one server pass, put into `policy.json` and into the accepted copy of it. Invariant: nothing else
 * comes in force: what waits in the file goes on waiting.
 */
import type { HomePlace } from "../files/home-place.js";
import { digestOf } from "../files/proposal.js";
import { replaceDurably } from "../files/replace.js";
import { readAccepted, writeAccepted } from "../files/sealed.js";
import { WispError } from "../request/errors.js";
import { sha256Hex } from "../request/long-text.js";
import type { Keys } from "../request/seal.js";
import { policyFileName } from "./load.js";
import { policyProposal } from "./policy-proposal.js";
import { noRules, type RuleLists } from "./rule.js";
import { ruleChanges } from "./rule-changes.js";
import { parseRules } from "./rules.js";

/** The file and the accepted copy of it, as texts that can be used; null where there is none. */
export interface PolicyTexts {
  readonly file: string | null;
  readonly accepted: string | null;
}

/** Where they are, and what `~` stands for in them. */
export interface AllowingOptions {
  readonly place: HomePlace;
  readonly keys: Keys;
  readonly homeDirectory: string;
}

/** Both, or why nothing can be added to them. Never throws for what stands there. */
export function policyTexts({ place: { path }, keys, homeDirectory }: AllowingOptions): PolicyTexts | string {
  const { fault, distrust, value } = policyProposal({ home: path, keys, homeDirectory });
  if (fault !== null) return fault.message;
  if (distrust !== null) return `the accepted copy of ${policyFileName} counts for nothing (${distrust})`;
  const copy = readAccepted(path, policyFileName, keys);
  const accepted = copy.kind === "accepted" && typeof copy.value === "string" ? copy.value : null;
  if (accepted !== null && listsIn(accepted, homeDirectory) === null)
    return `the accepted copy of ${policyFileName} cannot be read any more`;
  return { file: typeof value === "string" ? value : null, accepted };
}

/** What a person accepted, in the place of what. */
export interface AllowedTools {
  readonly before: PolicyTexts;
  readonly after: { readonly file: string; readonly accepted: string };
  /** The rules that are new in the copy, as they are written. */
  readonly rules: readonly string[];
}

/** SHA-256 of the accepted copy before and after it, for the record. */
export function digestsOf({ before, after }: AllowedTools): {
  readonly before: string | null;
  readonly after: string;
} {
  return { before: digestOf(before.accepted), after: sha256Hex(after.accepted) };
}

/**
 * Puts both on disk: to be called while nobody else changes a sealed copy. Rejects with not_accepted where the file or the copy
 * is another one by now, or says more than `rules`, and with channel_unsafe, channel_unavailable.
 */
export async function acceptAllowed(tools: AllowedTools, options: AllowingOptions): Promise<void> {
  const { before, after } = tools;
  const { place, keys, homeDirectory } = options;
  const now = policyTexts(options);
  if (typeof now === "string" || now.file !== before.file || now.accepted !== before.accepted) {
    throw notAccepted(`${policyFileName} was changed meanwhile`);
  }
  for (const [from, to] of [
    [before.accepted, after.accepted],
    [before.file, after.file],
  ] as const) {
    if (!isAddition(from, to, tools.rules, homeDirectory))
      throw notAccepted(`${policyFileName} is written in a way that is not changed here`);
  }
  // Before its seal: whoever is cut off in between leaves rules that wait.
  if (after.file !== before.file) await replaceDurably(place.path, policyFileName, after.file, place.clock);
  await writeAccepted(place, policyFileName, after.accepted, keys);
}

/** A clerk's check: both texts are read, and compared. */
function isAddition(
  from: string | null,
  to: string,
  rules: readonly string[],
  homeDirectory: string,
): boolean {
  const [old, next] = [from === null ? noRules : listsIn(from, homeDirectory), listsIn(to, homeDirectory)];
  if (old === null || next === null) return false;
  return ruleChanges(old, next).every(
    ({ change, rule }) =>
      change === "added" && rule.list === "allow" && isPlain(rule.key) && rules.includes(rule.text),
  );
}

/** Is it the text of a rule, and nothing beside it? */
function isPlain(key: string): boolean {
  return key.startsWith('{"rule":') && Object.keys(JSON.parse(key) as object).length === 1;
}

function listsIn(text: string, homeDirectory: string): RuleLists | null {
  const file = { name: policyFileName, homeDirectory, project: null, isCurrent: true };
  const parsed = parseRules(text, file);
  return parsed.kind === "rules" ? parsed.lists : null;
}

function notAccepted(what: string): WispError {
  return new WispError("not_accepted", `No rule was written: ${what}.`, {
    why: "Only what was shown is accepted.",
  });
}
