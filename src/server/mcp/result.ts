/**
 * How an ask ended, as an MCP result: the only map from outcomes and errors to the wire. A refusal is a tool error
 * with one line that begins with the outcome and ends with one instruction, because some clients show the text alone.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  type Assurance,
  type ErrorCode,
  errorCodes,
  type Outcome,
  outcomes,
  shownText,
  type Verdict,
  type WispError,
} from "../../broker/index.js";
import { notificationsOutput } from "./notifications.js";
import { ruleLine } from "./verdict.js";

/** `refused` is a machine's no: arguments, policy, limits. A person was not asked. */
export type WireOutcome = Outcome["name"] | "refused";

const wireOutcomes: readonly WireOutcome[] = [
  ...(Object.keys(outcomes) as (keyof typeof outcomes)[]).filter((name) => name !== "stale"),
  "refused",
];

/** Fields that every tool's `structuredContent` may have. Only `outcome` is required, so that refusals fit too. */
export const commonOutput = {
  outcome: z.enum(wireOutcomes),
  code: z.string().optional(),
  retryable: z.boolean().optional(),
  recovery: z.string().optional(),
  request: z.string().nullable().optional(),
  assurance: z.string().nullable().optional(),
  unseenMs: z.number().optional(),
  argsHash: z.string().optional(),
  stateFingerprint: z.string().optional(),
  expiresAt: z.number().nullable().optional(),
  notifications: notificationsOutput.optional(),
};

/** What a tool adds to the common fields when the call went through. */
export interface Success {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The result of a call that went through. */
export function successResult({ text, fields }: Success): CallToolResult {
  return {
    content: [{ type: "text", text }],
    structuredContent: { outcome: "approved", ...fields, notifications: [] },
  };
}

/** An ending that lets nothing run. */
export type Refusal = Outcome & { readonly name: Exclude<Outcome["name"], "approved" | "pending"> };

/** Did the ask end without a yes that still counts? */
export function isRefusal(outcome: Outcome): outcome is Refusal {
  return outcome.name !== "approved" && outcome.name !== "pending";
}

/**
 * The result of a call that returned while its request waits on. It is no error: nothing failed, and nobody said no.
 * `seconds` is after how long the same call is worth repeating; `isAnswered` says that an answer came that does not count.
 */
export function pendingResult(
  { name, request, waits }: Outcome,
  seconds: number,
  isAnswered = false,
): CallToolResult {
  const { code } = outcomes.pending;
  const { retryable, recovery } = errorCodes[code];
  const { subject: argsHash, state: stateFingerprint, expiresAt = null } = waits ?? {};
  const soFar = isAnswered
    ? "no answer of theirs counts yet; nothing ran."
    : "has not answered yet; nothing ran, and nobody said no.";
  const text =
    `Pending: a person has been asked and ${soFar} Say so to the person ` +
    `you work for, and repeat exactly the same call every ${seconds} s to keep waiting or to collect the answer. Do ` +
    "not look for another way.";
  const what = { outcome: name, code, retryable, recovery, request, argsHash, stateFingerprint, expiresAt };
  return { content: [{ type: "text", text }], structuredContent: { ...what, notifications: [] } };
}

/** `result` with one more sentence at the end of what a model reads. */
export function withSentence(result: CallToolResult, more: string | null): CallToolResult {
  if (more === null) return result;
  return { ...result, content: [...(result.content ?? []), { type: "text", text: more }] };
}

/** The command that says what is wrong with asking, where no home has to be named. */
export const plainDoctor = "wisp doctor";

/**
 * The result of a call for which no yes was obtained, or whose yes allowed nothing any more. `doctor` is the command
 * that tells a person how to repair it. No other command for repairs goes into what an agent reads: it might run it.
 * `misconfigured` is the fault of the configuration because of which nothing could ask; null where that is not why.
 */
export function refusalResult(
  outcome: Refusal,
  doctor = plainDoctor,
  misconfigured: WispError | null = null,
): CallToolResult {
  const { name, request, assurance, unseenMs } = outcome;
  const known = {
    outcome: name,
    request,
    ...(assurance !== null && { assurance }),
    ...(unseenMs !== null && { unseenMs }),
  };
  if (misconfigured === null) {
    return refused({ ...known, code: outcomes[name].code, text: refusalText(outcome, doctor) }, doctor);
  }
  const { code, message } = misconfigured;
  const why = outcome.note === null ? "" : ` ${sentence(outcome.note)}`;
  const text = `Failed, no person could be asked and nothing ran: ${sentence(message)}${why} ${errorCodes[code].recovery}`;
  return refused({ ...known, code, text }, doctor);
}

/** The result of a call that a rule refuses: no person said no, and none was asked. */
export function policyRefusal({ denial, rule }: Pick<Verdict, "denial" | "rule">): CallToolResult {
  const why = denial === null || denial.trim() === "" ? "" : `${sentence(denial)} `;
  // Files of projects go by their paths; what is in none is built in.
  const ofFile = rule.file?.startsWith("/") === true ? "A rule of the project's" : "A rule of the person's";
  const which = rule.file === null ? "What no rule removes" : ofFile;
  const text =
    `Refused: ${why}${which} refuses this (${shownText(ruleLine(rule))}); no person was asked. ` +
    "Do not look for another way.";
  return refused({
    outcome: "refused",
    code: "policy_refused",
    text,
    request: null,
    rule: shownText(rule.text),
  });
}

/** The result of a call that was cancelled before anything was asked; no client reads it. */
export function abandonedResult(): CallToolResult {
  return refusalResult({
    name: "abandoned",
    via: "server",
    scope: null,
    assurance: null,
    verified: null,
    note: null,
    unseenMs: null,
    request: null,
    waits: null,
    redeemed: false,
    run: null,
    rule: null,
    seconds: 0,
  });
}

/**
 * The result of a call that broke off before anything ran. `request` is what a person was asked, or null: a wrong
 * argument is refused while nobody was asked yet, and has failed what was asked once somebody was. `doctor` as above;
 * `so` is what did not come about.
 */
export function errorResult(
  error: WispError,
  request: string | null,
  doctor = plainDoctor,
  so = "nothing ran",
): CallToolResult {
  const { code } = error;
  const outcome = code === "invalid_input" && request === null ? "refused" : "failed";
  const failed = code === "indeterminate_outcome" ? "Failed, it may have run" : `Failed, ${so}`;
  const lead = outcome === "refused" ? "Refused, invalid input" : failed;
  const why = error.why === null ? "" : ` ${sentence(error.why)}`;
  const instruction = isPersonsAffair(code) ? `Tell the person to run: ${doctor}` : error.fix;
  const text = `${lead}: ${sentence(error.message)}${why} ${instruction}`;
  // What else helps than the argument that the message names, programs read as well.
  const recovery = outcome === "refused" ? error.fix : undefined;
  return refused({ outcome, code, text, request, ...(recovery !== undefined && { recovery }) }, doctor);
}

/** Something is wrong with this machine or the home: the repair is for a person to judge. */
function isPersonsAffair(code: ErrorCode): boolean {
  return code === "audit_unavailable" || code === "channel_unavailable" || code === "channel_unsafe";
}

/** A call that came to nothing. */
export interface Refused {
  readonly outcome: WireOutcome;
  readonly code: ErrorCode;
  /** All that a model reads: one line, which begins with the outcome and ends with an instruction. */
  readonly text: string;
  readonly request: string | null;
  readonly assurance?: Assurance;
  readonly unseenMs?: number;
  /** The instruction at the end of the text, where it is another than that of `code`. */
  readonly recovery?: string;
  /** The rule that refuses it, safe to show. */
  readonly rule?: string;
}

/** A tool error with the fields of `code`. `doctor` is the command that stands in its recovery. */
export function refused({ code, text, ...known }: Refused, doctor = plainDoctor): CallToolResult {
  const { retryable, recovery: usual } = errorCodes[code];
  const recovery = usual.replace(plainDoctor, () => doctor);
  return {
    isError: true,
    content: [{ type: "text", text }],
    structuredContent: { code, retryable, recovery, ...known, notifications: [] },
  };
}

function refusalText(outcome: Refusal, doctor: string): string {
  const note = outcome.note === null || outcome.note === "" ? null : sentence(outcome.note);
  const why = note === null ? "." : `: ${note}`;
  switch (outcome.name) {
    case "denied":
      return `${deniedText(outcome)}${why} Do not retry this call.`;
    case "declined":
      if (outcome.unseenMs !== null) return unseenText(outcome.unseenMs);
      return `Declined by the person${why} Do not retry this call; ask the person what to do instead.`;
    case "not_obtained":
      return `Not obtained${why} Nobody said no and nothing ran; ask the person to approve, or to run ${doctor} where the dialog does not work, then make the same call again.`;
    case "timed_out":
      return `Timed out after ${Math.round(outcome.seconds)} s: nobody answered, which is not a no. Nothing ran; tell the person, and do not look for another way.`;
    case "abandoned":
      return `Abandoned${why} Nothing ran; make the call again only if it is still wanted.`;
    case "withdrawn":
      return `Withdrawn${why} Nothing ran; make the same call again.`;
    case "failed":
      return failedText(outcome, why, doctor);
    case "already_decided":
      return "Already decided: an identical call got the person's approval and has the result. This one ran nothing; do not repeat it.";
    case "drifted":
      return `Drifted${why} What was approved has changed and nothing ran; make the same call again for a fresh ask.`;
    default:
      return outcome.name satisfies never;
  }
}

/** A no is taken from whoever gives it; that a person did is said only where something shows it. */
function deniedText({ assurance }: Refusal): string {
  return assurance === "file" ? "Denied, and nothing shows that a person did" : "Denied by the person";
}

/** Whether a person said no is not known, so it is not said; the protocol's no stands all the same. */
function unseenText(ms: number): string {
  return `Declined: the client's dialog answered ${ms} ms after it was asked, before anybody can have read it. Nothing ran. Do not retry this call; ask the person.`;
}

function failedText({ request }: Refusal, why: string, doctor: string): string {
  const what = request === null ? "Failed, no person could be asked and nothing ran" : "Failed, nothing ran";
  return `${what}${why} Tell the person to run: ${doctor}`;
}

/** Somebody else's words, visible and closed, so that what we say after them stands apart. */
export function sentence(words: string): string {
  const text = shownText(words.trim());
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
