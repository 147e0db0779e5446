/**
 * The form that the client's dialog shows for an approval, and what its answer means. The one required field has
 * no default and lists deny first: clients that preselect the first option, or send a form on one Enter, then deny.
 * Labels and titles are ours; words of the request appear only as shown text in message and descriptions.
 */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  type ApprovalRequest,
  type DialogAnswer,
  type Shown,
  shown,
  shownLines,
  shownText,
  typedWord,
} from "../../broker/index.js";
import type { Elsewhere } from "./elsewhere.js";

/** The fields of a form, as the revisions of 2025 spell them. */
export type RequestedSchema = ElicitRequestFormParams["requestedSchema"];

/** What goes to the client: a text, and the fields below it. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: RequestedSchema;
}

/** What a form says that does not stand in the request, and how the client wants it spelled. */
export interface FormFacts {
  /** The home, where it is not the default: the person must know which directory a terminal has to look into. */
  readonly home: string | null;
  readonly elsewhere: Elsewhere;
  /** 2025-06-18 knows titled options only as `enum` with `enumNames`; later revisions as `oneOf`. */
  readonly titles: "enumNames" | "oneOf";
}

/** What a dialog cannot show in full it cannot approve: clients cut long messages, and hide what runs. */
const longestShown = 1_500;
const mostLines = 25;

/** A description repeats the command only while it is short enough not to be cut there. */
const longestRepeated = 300;

/**
 * The form for `request`. One that cannot show all of what runs offers no way to approve it; null where nothing else
 * can answer either, for a person is not asked about what can only be refused.
 */
export function formOf(request: ApprovalRequest, facts: FormFacts): Form | null {
  const { home, titles } = facts;
  const { answering, why } = facts.elsewhere;
  const action = actionOf(request.subject);
  const elsewhere = action.isWhole ? null : answering;
  if (!action.isWhole && elsewhere === null) return null;
  const word = action.isWhole ? wordFor(request) : null;
  const place = action.directory === null ? "" : `in ${action.directory.text}`;
  const judged = `Level ${request.level}: ${request.reasons.map(shownText).join("; ")}`;
  const lines = [
    place,
    judged,
    word === null ? "" : `Type "${word}" to approve.`,
    elsewhere === null
      ? ""
      : `This dialog cannot show all of it, so it cannot approve it. Answer in wisp: ${elsewhere}`,
    request.says === null ? "" : `The agent's own words: ${shownText(request.says)}`,
    home === null ? "" : `wisp home: ${shownText(home)}`,
    why ?? "",
    countsAs(action.isWhole, answering !== null),
    `Request ${request.id}.${answering === null ? "" : ` In a terminal: ${answering}`}`,
  ].filter((line) => line !== "");
  const command = action.lines.length === 1 && action.isWhole ? (action.lines[0] ?? "") : "";
  const repeated = command !== "" && command.length <= longestRepeated ? command : "";
  const description = [repeated, place, judged].filter((part) => part !== "").join(" — ");
  return {
    message: `${guttered(action.lines)}\n\n${lines.join("\n")}`,
    requestedSchema: schemaOf(request, { description, elsewhere, word }, titles),
  };
}

/** How sure it will be that a person approved, said before the answer is given. */
function countsAs(isHere: boolean, isTerminal: boolean): string {
  const here = isHere ? ["in this dialog counts as: dialog"] : [];
  const there = isTerminal ? ["in a terminal counts as: terminal"] : [];
  return `A yes ${[...here, ...there].join("; one ")}.`;
}

/** A command of several lines must not be able to write what looks like the lines below it. No line holds a newline. */
function guttered(lines: readonly string[]): string {
  return lines.length === 1 ? (lines[0] ?? "") : lines.map((line) => `│ ${line}`).join("\n");
}

/** What a client's reply to the form for `request` means, whatever it looks like. */
export function readReply(request: ApprovalRequest, given: unknown): DialogAnswer {
  const parsed = reply.safeParse(given);
  if (!parsed.success) return { kind: "invalid", why: "the client's answer is no answer to a form" };
  const { action, content } = parsed.data;
  switch (action) {
    case "accept":
      return readForm(request, content);
    case "decline":
      return { kind: "decline" };
    case "cancel":
      return { kind: "dismissed" };
    default:
      return action satisfies never;
  }
}

const reply = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.unknown().optional(),
});

/** The no in a client's reply to a form, whatever the form showed; null where there is none. */
export function noIn(given: unknown): Extract<DialogAnswer["kind"], "deny" | "decline"> | null {
  const parsed = reply.safeParse(given);
  if (!parsed.success) return null;
  const { action, content } = parsed.data;
  if (action === "decline") return "decline";
  return action === "accept" && denial.safeParse(content).success ? "deny" : null;
}

/**
 * What the accepted `content` of the form for `request` means. Checked here and nowhere else: only the approving
 * const, with the word where one was asked for and with nothing beside them, approves.
 */
export function readForm(request: ApprovalRequest, content: unknown): DialogAnswer {
  // Deny counts with whatever stands beside it: nothing runs, which is the safe direction.
  if (denial.safeParse(content).success) return { kind: "deny" };
  if (!actionOf(request.subject).isWhole) {
    return elsewhere.safeParse(content).success ? { kind: "dismissed" } : notTheForm;
  }
  const word = wordFor(request);
  const parsed = (word === null ? plainApproval : typedApproval).safeParse(content);
  if (!parsed.success) return notTheForm;
  const scope = approvals[parsed.data.decision];
  if (!request.scopes.includes(scope)) return notTheForm;
  const isTyped = word === null || ("word" in parsed.data && parsed.data.word === word);
  return isTyped ? { kind: "approve", scope } : { kind: "invalid", why: "another word was typed" };
}

/** What the approving options mean; the form shows those that the request offers. */
const approvals = { approve: "once", approve_session: "session" } as const;

const denial = z.looseObject({ decision: z.literal("deny") });
const elsewhere = z.strictObject({ decision: z.literal("answer_in_wisp") });
const approving = z.enum(["approve", "approve_session"]);
const plainApproval = z.strictObject({ decision: approving });
const typedApproval = z.strictObject({ decision: approving, word: z.string() });

const notTheForm: DialogAnswer = { kind: "invalid", why: "the answer does not fit the form" };

interface Action {
  readonly lines: readonly string[];
  readonly directory: Shown | null;
  /** Everything is in the message, character for character. */
  readonly isWhole: boolean;
}

function actionOf(subject: ApprovalRequest["subject"]): Action {
  if (subject.type !== "command") {
    const text = shown(
      `${subject.tool} ${JSON.stringify(subject.type === "tool" ? subject.arguments : subject.input)}`,
    );
    return bounded([text.text], text.escapes, null);
  }
  const { line } = subject;
  const directory = shown(subject.directory);
  if (typeof line !== "string") {
    const lines = [...cut(shownLines(line.head).lines), `… (${line.bytes} bytes in all)`];
    return { lines, directory, isWhole: false };
  }
  const { lines, escapes } = shownLines(line);
  return bounded(lines, escapes, directory);
}

function bounded(lines: readonly string[], escapes: number, directory: Shown | null): Action {
  const length = [...lines, directory?.text ?? ""].reduce((sum, line) => sum + line.length, 0);
  const isWhole =
    length <= longestShown && lines.length <= mostLines && escapes + (directory?.escapes ?? 0) === 0;
  return { lines: isWhole ? lines : cut(lines), directory, isWhole };
}

/** The beginning of what is too long, line by line; that it was cut stands in the text itself. */
function cut(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let left = longestShown;
  for (const line of lines.slice(0, mostLines)) {
    const characters = [...line];
    kept.push(characters.slice(0, left).join(""));
    left -= characters.length;
    if (left <= 0) break;
  }
  const isCut = left < 0 || kept.length < lines.length;
  return isCut ? kept.map((line, index) => (index < kept.length - 1 ? line : `${line} … (cut)`)) : lines;
}

function wordFor(request: ApprovalRequest): string | null {
  return request.level === "dangerous" ? typedWord(request.subject) : null;
}

interface Texts {
  readonly description: string;
  /** The command that answers what this dialog cannot approve; null where it can. */
  readonly elsewhere: string | null;
  readonly word: string | null;
}

function schemaOf(request: ApprovalRequest, texts: Texts, titles: FormFacts["titles"]): RequestedSchema {
  const deny = { const: "deny", title: "Deny: it does not run" };
  const others =
    texts.elsewhere === null
      ? approvingOptions(request)
      : [{ const: "answer_in_wisp", title: `Answer in wisp: ${texts.elsewhere}` }];
  const options = [deny, ...others];
  const decision = {
    type: "string" as const,
    title: `Decision on request ${request.id}`,
    description: texts.description,
    ...(titles === "oneOf"
      ? { oneOf: options }
      : {
          enum: options.map((option) => option.const),
          enumNames: options.map((option) => option.title),
        }),
  };
  if (texts.word === null) {
    return { type: "object", properties: { decision }, required: ["decision"] };
  }
  const word = {
    type: "string" as const,
    title: `Word for request ${request.id}`,
    description: `Type "${texts.word}" to approve; anything else does not.`,
  };
  return { type: "object", properties: { decision, word }, required: ["decision", "word"] };
}

function approvingOptions({ scopes }: ApprovalRequest): readonly { const: string; title: string }[] {
  const once = { const: "approve", title: "Approve once: exactly this runs, one time" };
  return scopes.includes("session") ? [once, session] : [once];
}

/** The limits of a rule for a session, in the words of whoever is asked. */
const session = {
  const: "approve_session",
  title:
    "Approve for this session: exactly this, in this directory, for this client, runs without asking until the client " +
    "disconnects, it went unused for 2 h, or 12 h are over",
};
