/** Which rule that a yes left behind answers a call, and what differs from the one that comes nearest. */
import type { Scope } from "../request/scope.js";
import { scopes } from "../request/scope.js";
import { mostEffort, newEffort } from "./effort.js";
import { type CommandSubject, isMatched } from "./match.js";
import { type ParsedPattern, parsePattern } from "./parse-pattern.js";
import { type Pattern, separator } from "./pattern.js";
import type { RememberedRule } from "./remembered.js";

/** The call for which a rule is sought. */
export interface Sought {
  readonly subject: CommandSubject;
  readonly directory: string;
  readonly program: string | null;
  readonly programIdentity: string | null;
  /** As in a verdict: a rule answers only where it fits all of them. */
  readonly askedBy: readonly (string | null)[];
  readonly maxScope: Scope;
  /** Wall time. */
  readonly now: number;
  readonly persistDays: number;
  readonly homeDirectory: string;
}

/** The rule that allows the call, and where there is none, the difference to the nearest. */
export interface FoundRemembered {
  readonly rule: RememberedRule | null;
  readonly nearest: string | null;
}

/** What is said before such a difference. */
export const doesNotFit = "a remembered rule does not fit";

const dayMs = 86_400_000;

/** Looks through `rules`, the oldest first. */
export function findRemembered(rules: readonly RememberedRule[], sought: Sought): FoundRemembered {
  let nearest: readonly string[] | null = null;
  for (const rule of rules) {
    const differences = differencesOf(rule, sought);
    if (differences === null) continue;
    if (differences.length === 0) return { rule, nearest: null };
    if (nearest === null || differences.length < nearest.length) nearest = differences;
  }
  return { rule: null, nearest: nearest === null ? null : nearest.join(", and ") };
}

/** In words; none where the rule allows the call, null where it is about something else altogether. */
function differencesOf(rule: RememberedRule, sought: Sought): readonly string[] | null {
  const { subject, homeDirectory } = sought;
  // What a rule allows is read as strictly as in the person's own list.
  const parsed = parsedOf(rule.rule, homeDirectory);
  if (parsed.kind === "wrong") return null;
  // A yes was given to the words that were shown: no others are taken for them.
  const written = { ...subject, exact: subject.exact.slice(0, 1) };
  const isSame = isMatched(parsed.pattern, written, "exact", newEffort(mostEffort));
  const words = isSame ? [] : wordsThatDiffer(parsed.pattern, written);
  return words === null ? null : [...words, ...circumstances(rule, sought)];
}

function circumstances(rule: RememberedRule, sought: Sought): readonly string[] {
  const { directory, program, programIdentity, askedBy, maxScope, now, persistDays } = sought;
  const differences: string[] = [];
  if (rule.scope === "project" && rule.directory !== directory) differences.push("another directory");
  if (rule.program !== program) differences.push("another program file");
  else if (rule.programIdentity !== programIdentity) differences.push("the program file was changed since");
  // A shorter life counts at once, for rules of before as well.
  if (Math.min(rule.expiresAt, rule.createdAt + persistDays * dayMs) <= now)
    differences.push("it has expired");
  if (rule.createdAt > now) differences.push("it is dated in the future");
  // The rule that is shown is one of several that ask; a yes under another one is no answer to them.
  if (askedBy.length === 0 || askedBy.some((one) => one !== rule.askedBy))
    differences.push("another rule asks now");
  if (scopes.indexOf(rule.scope) > scopes.indexOf(maxScope)) {
    differences.push(`a yes counts for ${maxScope} at most now`);
  }
  return differences;
}

/** Null where the program, or what it is to do, is another: nobody takes that for the same call. */
function wordsThatDiffer(pattern: Pattern, { exact: [written] }: CommandSubject): readonly string[] | null {
  const [glob] = pattern.kind === "command" ? pattern.exact : [];
  if (glob === undefined || written === undefined) return null;
  const [literal = ""] = glob;
  const then = literal.split(separator);
  const now = written.text.split(separator);
  // A * may have begun within the last of these words.
  const compared = glob.length > 1 ? then.slice(0, -1) : then;
  if (compared.length === 0) return null;
  for (const [at, word] of compared.entries())
    if (word !== now[at]) return at < 2 ? null : [wordText(at, now[at], word)];
  const [running] = glob.length > 1 ? written.running() : [];
  if (running !== undefined) return [`${quoted(running)} may run another program`];
  return [glob.length > 1 ? "other words" : wordText(compared.length, now[compared.length], undefined)];
}

const longestWord = 40;

function wordText(index: number, now: string | undefined, then: string | undefined): string {
  const place = `word ${index + 1}`;
  if (now === undefined) return `${place} is missing`;
  return then === undefined ? `${place} is new` : `${place} is ${quoted(now)}, not ${quoted(then)}`;
}

function quoted(word: string): string {
  const characters = [...word];
  return JSON.stringify(
    characters.length > longestWord ? `${characters.slice(0, longestWord).join("")}…` : word,
  );
}

/** Few rules are remembered, and each is asked about again and again. */
const parsedRules = new Map<string, ParsedPattern>();
const mostParsed = 5_000;

function parsedOf(text: string, homeDirectory: string): ParsedPattern {
  const key = `${homeDirectory}\n${text}`;
  const known = parsedRules.get(key);
  if (known !== undefined) return known;
  const parsed = parsePattern(text, { homeDirectory, isStricter: false, project: null });
  if (parsedRules.size >= mostParsed) parsedRules.clear();
  parsedRules.set(key, parsed);
  return parsed;
}
