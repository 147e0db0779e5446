/**
 * How an ask ended, as an MCP result: the only map from outcomes and errors to the wire. A refusal is a tool error
 * with one line that begins with the outcome and ends with one instruction, because some clients show the text alone.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  type ErrorCode,
  errorCodes,
  type Outcome,
  outcomes,
  shownText,
  type WispError,
} from "../../broker/index.js";

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
  notifications: z.array(z.unknown()).optional(),
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
export type Refusal = Outcome & { readonly name: Exclude<Outcome["name"], "approved"> };

/** Did the ask end without a yes that still counts? */
export function isRefusal(outcome: Outcome): outcome is Refusal {
  return outcome.name !== "approved";
}

/** The result of a call for which no yes was obtained, or whose yes allowed nothing any more. */
export function refusalResult(outcome: Refusal): CallToolResult {
  const { name, request } = outcome;
  return refused(name, outcomes[name].code, refusalText(outcome), request);
}

/** The result of a call that was cancelled before anything was asked; no client reads it. */
export function abandonedResult(): CallToolResult {
  return refusalResult({
    name: "abandoned",
    via: "server",
    scope: null,
    note: null,
    request: null,
    seconds: 0,
  });
}

/**
 * The result of a call that broke off before anything ran. `request` is what a person was asked, or null: a wrong
 * argument is refused while nobody was asked yet, and has failed what was asked once somebody was.
 */
export function errorResult(error: WispError, request: string | null): CallToolResult {
  const outcome = error.code === "invalid_input" && request === null ? "refused" : "failed";
  const lead = outcome === "refused" ? "Refused, invalid input" : "Failed, nothing ran";
  const why = error.why === null ? "" : ` ${sentence(error.why)}`;
  return refused(outcome, error.code, `${lead}: ${sentence(error.message)}${why} ${error.fix}`, request);
}

function refused(
  outcome: WireOutcome,
  code: ErrorCode,
  text: string,
  request: string | null,
): CallToolResult {
  const { retryable, recovery } = errorCodes[code];
  return {
    isError: true,
    content: [{ type: "text", text }],
    structuredContent: { outcome, code, retryable, recovery, request, notifications: [] },
  };
}

function refusalText(outcome: Refusal): string {
  const note = outcome.note === null || outcome.note === "" ? null : sentence(outcome.note);
  const why = note === null ? "." : `: ${note}`;
  switch (outcome.name) {
    case "denied":
      return `Denied by the person${why} Do not retry this command.`;
    case "declined":
      return `Declined by the person${why} Do not retry this command; ask the person what to do instead.`;
    case "not_obtained":
      return `Not obtained${why} Nobody said no and nothing ran; ask the person to approve, then make the same call again.`;
    case "timed_out":
      return `Timed out after ${Math.round(outcome.seconds)} s: nobody answered, which is not a no. Nothing ran; tell the person, and do not look for another way.`;
    case "abandoned":
      return `Abandoned${why} Nothing ran; make the call again only if it is still wanted.`;
    case "withdrawn":
      return `Withdrawn${why} Nothing ran; make the same call again.`;
    case "failed":
      return failedText(outcome, note);
    case "drifted":
      return `Drifted${why} What was approved has changed and nothing ran; make the same call again for a fresh ask.`;
    default:
      return outcome.name satisfies never;
  }
}

/** The reason may say how to repair it: then it is the one thing to be done, and a person's affair. */
function failedText({ request }: Refusal, note: string | null): string {
  const what =
    request === null ? "Failed, no person could be asked and nothing ran." : "Failed, nothing ran.";
  return `${what} Tell the person${note === null ? " to run: wisp doctor" : `: ${note}`}`;
}

/** Somebody else's words, visible and closed, so that what we say after them stands apart. */
function sentence(words: string): string {
  const text = shownText(words.trim());
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
