/**
 * How a question ended, as an MCP result: the only map of it to the wire. An answer and a decline are what was asked for,
 * and no error. Some clients show the text alone, so it says everything.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  assuranceWords,
  errorCodes,
  outcomes,
  type QuestionEnd,
  shownLines,
  shownText,
  type WispError,
} from "../../broker/index.js";
import { notificationsOutput } from "./notifications.js";
import { plainDoctor, refused, sentence } from "./result.js";

/** `refused` is a machine's no: arguments, an id that is none of this client's, too many questions. A person was not asked. */
export type QuestionOutcome = QuestionEnd["name"];

const questionOutcomes = [
  "answered",
  "declined",
  "pending",
  "not_obtained",
  "timed_out",
  "abandoned",
  "withdrawn",
  "failed",
  "already_decided",
  "refused",
] as const satisfies readonly QuestionOutcome[];

/** `structuredContent` of the tools that ask and that collect. Only `outcome` is required, so that refusals fit too. */
export const questionOutput = z.object({
  outcome: z.enum(questionOutcomes),
  answer: z.object({ values: z.array(z.string()).optional(), text: z.string().optional() }).optional(),
  code: z.string().optional(),
  retryable: z.boolean().optional(),
  recovery: z.string().optional(),
  request: z.string().nullable().optional(),
  via: z.string().optional(),
  assurance: z.string().nullable().optional(),
  note: z.string().optional(),
  unseenMs: z.number().optional(),
  expiresAt: z.number().nullable().optional(),
  notifications: notificationsOutput.optional(),
});

/** What a result says that does not stand in the ending. */
export interface QuestionFacts {
  /** The command that tells a person how to repair asking, safe to show. */
  readonly doctor: string;
  /** For how long an answer is kept that comes while no call is there, in seconds. */
  readonly keepSeconds: number;
  /** Has the server a tool that collects an answer? Where it has none, the same call does. */
  readonly hasReadAnswer: boolean;
  /** An answer came with this call and did not count. */
  readonly isAnswered: boolean;
  /** Why the configuration is not in force, where nothing could ask because of that; else null. */
  readonly misconfigured: WispError | null;
}

/** The result of a call that asked, or of a look at its question. */
export function questionResult(end: QuestionEnd, facts: QuestionFacts): CallToolResult {
  switch (end.name) {
    case "answered": {
      const { values, text } = end.content;
      const answer = values === null ? { text } : { values: [...values] };
      return told(end, answeredText(end), { answer });
    }
    case "declined": {
      const { note, unseenMs } = end;
      const words = hasWords(note) ? { note } : {};
      return told(end, declinedText(end), { ...words, ...(unseenMs !== null && { unseenMs }) });
    }
    case "pending": {
      const { code } = outcomes.pending;
      const { retryable } = errorCodes[code];
      const recovery = pendingRecovery(end.request, facts);
      const lead = facts.isAnswered
        ? "a person has been asked, and no answer of theirs counts yet"
        : "a person has been asked and has not answered yet; nobody said no";
      const { expiresAt } = end;
      return told(end, `Pending: ${lead}. ${recovery}`, { code, retryable, recovery, expiresAt });
    }
    case "not_obtained":
    case "timed_out":
    case "abandoned":
    case "withdrawn":
    case "failed":
    case "refused":
    case "already_decided":
      return unanswered(end, facts);
    default:
      return end satisfies never;
  }
}

/** The result of a call that was cancelled before anything was asked; no client reads it. */
export function unaskedResult(): CallToolResult {
  const end = { name: "abandoned", via: "server", assurance: null, verified: null } as const;
  return unanswered(
    { ...end, note: null, request: null, seconds: 0 },
    { doctor: plainDoctor, misconfigured: null },
  );
}

type Answered = Extract<QuestionEnd, { readonly name: "answered" }>;
type Declined = Extract<QuestionEnd, { readonly name: "declined" }>;
type Unanswered = Exclude<QuestionEnd, { readonly name: "answered" | "declined" | "pending" }>;

function told(
  { name, request, via, assurance }: QuestionEnd,
  text: string,
  more: Readonly<Record<string, unknown>>,
): CallToolResult {
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      outcome: name,
      ...more,
      request,
      ...(assurance !== null && { via, assurance }),
      notifications: [],
    },
  };
}

/** The words first: a model may read no further. What could hide in them is visible here; `answer` has them exactly. */
function answeredText({ content, via, verified, assurance }: Answered): string {
  const words =
    content.values === null
      ? shownLines(content.text).lines.join("\n")
      : content.values.map(shownText).join(", ");
  const who =
    assurance === "file" ? "Answered, and nothing shows that a person did" : "Answered by the person";
  return `${words}\n\n${who} (via ${via}, ${assuranceWords(via, verified).join(", ")}).`;
}

function declinedText({ note, unseenMs, assurance }: Declined): string {
  const next = "Do not ask the same again, and do not guess: go on without it, or say what you cannot do.";
  if (unseenMs !== null) {
    return `Declined: the client's dialog answered ${unseenMs} ms after it was asked, before anybody can have read it. ${next}`;
  }
  const who =
    assurance === "file"
      ? "Declined, and nothing shows that a person did"
      : "Declined: the person does not want to answer";
  return `${who}${hasWords(note) ? `: ${sentence(note)}` : "."} ${next}`;
}

function pendingRecovery(
  request: string | null,
  { keepSeconds, hasReadAnswer }: Pick<QuestionFacts, "keepSeconds" | "hasReadAnswer">,
): string {
  const goOn = "Go on with what does not depend on it, and do not guess.";
  if (keepSeconds === 0) {
    // read_answer does not wait, so it never collects anything here.
    return `${goOn} No answer is kept: it reaches only a call that is there for it. To wait for it make exactly the same call again.`;
  }
  const collecting = hasReadAnswer ? `call read_answer with {"request": "${request}"}, or ` : "";
  return (
    `${goOn} To collect the answer ${collecting}make exactly the same call again, which waits for it. ` +
    `An answer is kept for ${keepSeconds} s once it is there.`
  );
}

type Unasked = Pick<QuestionFacts, "doctor" | "misconfigured">;

function unanswered(end: Unanswered, facts: Unasked): CallToolResult {
  const { name, request } = end;
  const code = facts.misconfigured?.code ?? (name === "refused" ? "rate_limited" : outcomes[name].code);
  const recovery = recoveryOf(end, facts);
  return refused({ outcome: name, code, text: `${leadOf(end, facts)} ${recovery}`, request, recovery });
}

function leadOf({ name, note, request, seconds }: Unanswered, { misconfigured }: Unasked): string {
  const why = hasWords(note) ? `: ${sentence(note)}` : ".";
  switch (name) {
    case "not_obtained":
      return `Not obtained${why}`;
    case "timed_out":
      return `Timed out after ${Math.round(seconds)} s: nobody answered, which is not a no.`;
    case "abandoned":
      return `Abandoned${why}`;
    case "withdrawn":
      return `Withdrawn${why}`;
    case "failed": {
      if (misconfigured !== null) {
        const besides = hasWords(note) ? ` ${sentence(note)}` : "";
        return `Failed, no person could be asked: ${sentence(misconfigured.message)}${besides}`;
      }
      return request === null ? `Failed, no person could be asked${why}` : `Failed, there is no answer${why}`;
    }
    case "refused":
      return `Refused, nobody was asked${why}`;
    case "already_decided":
      return `Already decided${why}`;
    default:
      return name satisfies never;
  }
}

function recoveryOf({ name }: Unanswered, { doctor, misconfigured }: Unasked): string {
  switch (name) {
    case "not_obtained":
      return `Nobody said no. Say what you wanted to know, or ask the person to run ${doctor} where the dialog does not work; do not guess.`;
    case "timed_out":
      return "Tell the person what you wanted to know; do not guess, and do not try another way.";
    case "abandoned":
      return "Make the call again only if it is still wanted.";
    case "withdrawn":
      return "Make the same call again.";
    case "failed":
      return misconfigured === null
        ? `Tell the person to run: ${doctor}`
        : errorCodes[misconfigured.code].recovery;
    case "refused":
      return errorCodes.rate_limited.recovery;
    case "already_decided":
      return "If it was told to you, read it there; if it was not, or is lost, ask again with ask_person.";
    default:
      return name satisfies never;
  }
}

function hasWords(note: string | null): note is string {
  return note !== null && note.trim() !== "";
}
