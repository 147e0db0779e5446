/**
 * The one decision about a request, as it stands in the slot. Every way of answering writes this shape: faces,
 * the client's dialog, and the server itself when time ran out or the caller left. Format: docs/channel.md.
 */

import { identifierSchema } from "./identifier.js";
import { hashSchema } from "./long-text.js";
import { type FactRequest, formatVersion, type Kind, type QuestionRequest, type Request } from "./request.js";
import { type Scope, scopeSchema } from "./scope.js";
import * as s from "./shape.js";

/** Where an answer came from, by its own word. `elicitation` is the client's dialog, `server` whoever asked. */
export const vias = ["cli", "tui", "chat", "web", "elicitation", "server"] as const;
/** The place an answer or a receipt names; nothing has checked it. */
export type Via = (typeof vias)[number];

const personDecisions = ["approve", "deny", "keep", "drop", "answer", "decline"] as const;
const serverDecisions = ["timed_out", "withdrawn", "abandoned", "failed"] as const;
/** What only a person decides; each kind of request takes two of these. */
export type PersonDecision = (typeof personDecisions)[number];
/** How the process that asked ends the wait by itself. Nothing runs after any of these. */
export type ServerDecision = (typeof serverDecisions)[number];
/** Everything that can stand under `decision`, whoever gave it. */
export type Decision = PersonDecision | ServerDecision;
/** The same for schemas, those of a person first. */
export const decisions = [...personDecisions, ...serverDecisions] as const;

/** An answer's free text, in UTF-16 units: a person's words, not a document. */
export const longestNote = 4_096;

/** A person's answer to a question, in bytes of UTF-8. */
export const longestAnswerBytes = 4_096;

/** Does it let something be done, kept or known? A server's own decision is neither this nor a no. */
export function isYes(decision: string | null): boolean {
  return decision === "approve" || decision === "keep" || decision === "answer";
}

/**
 * Does it count only where a process was seen that a person sits at? A yes lets something happen, and a drop for good
 * lasts; every other no is the safe direction, and is taken from whoever gives it.
 */
export function needsPerson({ decision, scope }: Pick<Answer, "decision" | "scope">): boolean {
  return isYes(decision) || (decision === "drop" && scope === "always");
}

/** Did somebody say no? */
export function isNo(decision: string | null): boolean {
  return decision === "deny" || decision === "drop" || decision === "decline";
}

const bySchema = s.strictObject({
  pid: s.integer({ least: 1 }),
  startedAt: s.string(),
  tty: s.nullable(s.string()),
  version: s.string(),
});

const freeText = s.string({ longest: longestNote });

/** An answer's whole file: no other key is taken. `answeredAt` is in epoch milliseconds. */
export const answerSchema = s.strictObject({
  v: s.literal(formatVersion),
  id: identifierSchema,
  binding: hashSchema,
  decision: s.oneOf(decisions),
  scope: s.nullish(scopeSchema),
  /** Of a yes for the project or for always: which of the offered rules it remembers; the first where it does not say. */
  rule: s.nullish(s.string()),
  /** The wider scope that a person asked for where only the session is offered. */
  downgradedFrom: s.nullish(scopeSchema),
  note: s.nullish(freeText),
  values: s.nullish(s.array(freeText)),
  text: s.nullish(freeText),
  via: s.oneOf(vias),
  answeredAt: s.integer({ least: 0 }),
  by: bySchema,
  signature: s.nullish(
    s.strictObject({ key: s.string(), value: s.string({ pattern: /^[A-Za-z0-9_-]{86}$/ }) }),
  ),
});

/** Has the right shape and no more: `objectionTo` says whether it may decide a request. */
export type Answer = s.Infer<typeof answerSchema>;

/** Who answered, by that process's own word. */
export type AnsweredBy = s.Infer<typeof bySchema>;

/** The name of the slot of request `id` in `pending/`. */
export function answerFileName(id: string): string {
  return `${id}${answerSuffix}`;
}

const answerSuffix = ".answer.json";

/** The id, not yet checked, of the request whose slot this file name is, or null. */
export function parseAnswerFileName(name: string): string | null {
  return name.endsWith(answerSuffix) && !name.startsWith(".") ? name.slice(0, -answerSuffix.length) : null;
}

const decisionsOf = {
  approval: ["approve", "deny"],
  fact: ["keep", "drop"],
  question: ["answer", "decline"],
} as const satisfies Record<Kind, readonly PersonDecision[]>;

/** Why an answer may not decide: each completes "the answer was not taken: …". */
export type AnswerObjection =
  | "it names another request"
  | "it is bound to something else than what was filed"
  | "only the server that asked may give this decision"
  | "a server gives no person's decision"
  | "its decision belongs to another kind of request"
  | "its scope was not offered"
  | "it carries a scope that its decision does not know"
  | "its rule was not offered"
  | "only a yes for a session came from a wider scope"
  | "only a question is answered with text or values"
  | "a question takes either values or text"
  | "this question takes no such text"
  | "its text is longer than an answer may be"
  | "this question takes no values"
  | "this question takes one value"
  | "a value was not among the options"
  | "a value stands twice";

/**
 * Why `answer` may not decide `request`, or null when it may. The binding is the one held in memory by the
 * process that asked, never one read back from a file.
 */
export function objectionTo(answer: Answer, request: Request): AnswerObjection | null {
  if (answer.id !== request.id) return "it names another request";
  if (answer.binding !== request.binding) return "it is bound to something else than what was filed";
  if (isServerDecision(answer.decision)) {
    if (answer.via !== "server") return "only the server that asked may give this decision";
  } else {
    if (answer.via === "server") return "a server gives no person's decision";
    if (!(decisionsOf[request.kind] as readonly Decision[]).includes(answer.decision)) {
      return "its decision belongs to another kind of request";
    }
  }
  return contentObjection(answer, request);
}

function isServerDecision(decision: Decision): decision is ServerDecision {
  return (serverDecisions as readonly Decision[]).includes(decision);
}

function contentObjection(answer: Answer, request: Request): AnswerObjection | null {
  const scope = answer.scope ?? null;
  const objection = ruleObjection(answer, request);
  if (objection !== null) return objection;
  const hasContent = (answer.values ?? answer.text ?? null) !== null;
  if (request.kind === "approval" && answer.decision === "approve") {
    const isOffered = scope !== null && request.scopes.includes(scope);
    // Without a rule there is nothing that a wider yes could remember.
    if (!isOffered || (isWider(scope) && (request.remember ?? null) === null))
      return "its scope was not offered";
  } else if (request.kind === "fact") {
    if (!isFactScope(answer.decision, scope, request))
      return "it carries a scope that its decision does not know";
  } else if (scope !== null) return "it carries a scope that its decision does not know";
  if (request.kind === "question" && answer.decision === "answer") return questionObjection(answer, request);
  return hasContent ? "only a question is answered with text or values" : null;
}

/** Does a yes of this scope outlast the connection? */
export function isWider(scope: Scope | null): scope is "project" | "always" {
  return scope === "project" || scope === "always";
}

/** A rule that nobody was shown must not be remembered. */
function ruleObjection(answer: Answer, request: Request): AnswerObjection | null {
  const { rule = null, downgradedFrom = null, scope = null, decision } = answer;
  const isSession = decision === "approve" && scope === "session";
  if (downgradedFrom !== null && !(isSession && isWider(downgradedFrom))) {
    return "only a yes for a session came from a wider scope";
  }
  if (rule === null) return null;
  const isWide = decision === "approve" && isWider(scope);
  const isOffered =
    request.kind === "approval" && request.remember?.offers.some((offer) => offer.rule === rule) === true;
  return isWide && isOffered ? null : "its rule was not offered";
}

/** A fact is kept for its project or everywhere, and dropped for this time or for good; without a scope: the narrower. */
function isFactScope(decision: Decision, scope: Scope | null, { fact }: FactRequest): boolean {
  if (scope === null) return true;
  if (decision === "drop") return scope === "always";
  return decision === "keep" && (scope === "always" || (scope === "project" && fact.directory !== null));
}

function questionObjection(answer: Answer, request: QuestionRequest): AnswerObjection | null {
  const { options, multiple, allowText } = request.question;
  const values = answer.values ?? null;
  const text = answer.text ?? null;
  if ((values === null) === (text === null)) return "a question takes either values or text";
  if (text !== null) {
    if (!allowText || text.trim() === "") return "this question takes no such text";
    return Buffer.byteLength(text) > longestAnswerBytes ? "its text is longer than an answer may be" : null;
  }
  if (values === null || options === null || values.length === 0) return "this question takes no values";
  if (!multiple && values.length > 1) return "this question takes one value";
  if (new Set(values).size < values.length) return "a value stands twice";
  return values.every((value) => options.some((option) => option.value === value))
    ? null
    : "a value was not among the options";
}
