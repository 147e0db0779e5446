/**
 * The form that the client's dialog shows for an approval, and what its answer means. The one required field has
 * no default and lists deny first: clients that preselect the first option, or send a form on one Enter, then deny.
 * Labels and titles are ours; words of the request appear only as shown text in message and descriptions.
 */
import * as z from "zod";
import {
  type ApprovalRequest,
  type DialogAnswer,
  isStateBound,
  type Scope,
  shown,
  shownLines,
  shownText,
  typedWord,
} from "../../broker/index.js";
import {
  countsAs,
  type DialogKind,
  type Form,
  type FormFacts,
  inWisp,
  isInWisp,
  noInReply,
  notTheForm,
  oneOf,
  type RequestedSchema,
  readReply,
  type Titled,
} from "./elicitation.js";
import { cut, type Fitted, fitted, guttered } from "./whole.js";

/** What a form says of a subject. It says the same of the same one each time. */
export interface Action extends Fitted {
  /** Where it would be done, in words of ours around shown ones; "" for nowhere. */
  readonly place: string;
  /** What runs in one line, for a description; "" where it takes several. */
  readonly repeated: string;
  /** What a yes for the session is to, in words of ours: completes "Approve for this session: ". */
  readonly session: string;
}

/** What is said of each subject that can be asked about. */
export type ActionOf = (subject: ApprovalRequest["subject"]) => Action;

/** An approval, as the client's dialog asks for it. */
export function approvalDialogsOf(actionOf: ActionOf): DialogKind<ApprovalRequest> {
  return {
    form: (request, facts) =>
      formOf(request, facts, actionOf) ?? "the client's dialog cannot show all of what was asked",
    read: (request, reply) => readReply(reply, (content) => readForm(request, content, actionOf)),
    noIn: (reply) => noInReply(reply, (content) => denial.safeParse(content).success),
  };
}

/** A description repeats the command only while it is short enough not to be cut there. */
const longestRepeated = 300;

/**
 * The form for `request`. One that cannot show all of what runs offers no way to approve it; null where nothing else
 * can answer either, for a person is not asked about what can only be refused.
 */
export function formOf(
  request: ApprovalRequest,
  facts: FormFacts,
  actionOf: ActionOf = commandAction,
): Form | null {
  const { home, titles } = facts;
  const { answering, why } = facts.elsewhere;
  const action = actionOf(request.subject);
  const elsewhere = action.isWhole ? null : answering;
  if (!action.isWhole && elsewhere === null) return null;
  const word = action.isWhole ? wordFor(request) : null;
  const { place } = action;
  const judged = `Level ${request.level}: ${request.reasons.map(shownText).join("; ")}`;
  const lines = [
    place,
    judged,
    word === null ? "" : `Type "${word}" to approve.`,
    elsewhere === null ? ruleText(request) : "",
    elsewhere === null
      ? ""
      : `This dialog cannot show all of it, so it cannot approve it. Answer in wisp: ${elsewhere}`,
    request.says === null ? "" : `The agent's own words: ${shownText(request.says)}`,
    home === null ? "" : `wisp home: ${shownText(home)}`,
    why ?? "",
    countsAs("A yes", action.isWhole, answering !== null),
    `Request ${request.id}.${answering === null || elsewhere !== null ? "" : ` In a terminal: ${answering}`}`,
  ].filter((line) => line !== "");
  const repeated = action.isWhole && action.repeated.length <= longestRepeated ? action.repeated : "";
  const description = [repeated, place, judged].filter((part) => part !== "").join(" — ");
  return {
    message: `${marked(action.lines)}\n\n${lines.join("\n")}`,
    requestedSchema: schemaOf(request, { description, elsewhere, word, session: action.session }, titles),
  };
}

/** A command of one line stands as it runs. */
function marked(lines: readonly string[]): string {
  return lines.length === 1 ? (lines[0] ?? "") : guttered(lines);
}

/**
 * What the accepted `content` of the form for `request` means. Checked here and nowhere else: only the approving
 * const, with the word where one was asked for and with nothing beside them, approves.
 */
export function readForm(
  request: ApprovalRequest,
  content: unknown,
  actionOf: ActionOf = commandAction,
): DialogAnswer {
  // Deny counts with whatever stands beside it: nothing runs, which is the safe direction.
  if (denial.safeParse(content).success) return { kind: "deny" };
  if (!actionOf(request.subject).isWhole) return isInWisp(content) ? { kind: "dismissed" } : notTheForm;
  const word = wordFor(request);
  const parsed = (word === null ? plainApproval : typedApproval).safeParse(content);
  if (!parsed.success) return notTheForm;
  const scope = approvals[parsed.data.decision];
  if (!offered(request).includes(scope)) return notTheForm;
  const isTyped = word === null || ("word" in parsed.data && parsed.data.word === word);
  return isTyped ? { kind: "approve", scope } : { kind: "invalid", why: "another word was typed" };
}

/** What the approving options mean; the form shows those that the request offers. */
const approvals = {
  approve: "once",
  approve_session: "session",
  approve_project: "project",
  approve_always: "always",
} as const;

const denial = z.looseObject({ decision: z.literal("deny") });
const approving = z.enum(["approve", "approve_session", "approve_project", "approve_always"]);
const plainApproval = z.strictObject({ decision: approving });
const typedApproval = z.strictObject({ decision: approving, word: z.string() });

/** Of a command; of all else nothing can be shown here. */
export function commandAction(subject: ApprovalRequest["subject"]): Action {
  if (subject.type !== "command") return { lines: [], isWhole: false, place: "", repeated: "", session: "" };
  const { line } = subject;
  const directory = shown(subject.directory);
  const place = `in ${directory.text}`;
  const session = `exactly this, in this directory,${whileBound(subject)}`;
  if (typeof line !== "string") {
    const lines = [...cut(shownLines(line.head).lines), `… (${line.bytes} bytes in all)`];
    return { lines, place, repeated: "", session, isWhole: false };
  }
  const { lines, escapes } = shownLines(line);
  const repeated = lines.length === 1 ? (lines[0] ?? "") : "";
  return { ...fitted(lines, escapes, directory), place, repeated, session };
}

/** How long a yes for the session to `subject` holds, where that is not only for as long as the session does. */
export function whileBound(subject: ApprovalRequest["subject"]): string {
  return isStateBound(subject) ? " while what it touches stays as it is now," : "";
}

function wordFor(request: ApprovalRequest): string | null {
  return request.level === "dangerous" ? typedWord(request.subject) : null;
}

interface Texts {
  readonly description: string;
  /** The command that answers what this dialog cannot approve; null where it can. */
  readonly elsewhere: string | null;
  readonly word: string | null;
  readonly session: string;
}

function schemaOf(request: ApprovalRequest, texts: Texts, titles: FormFacts["titles"]): RequestedSchema {
  const deny = { const: "deny", title: "Deny: it does not run" };
  const others =
    texts.elsewhere === null ? approvingOptions(request, texts.session) : [inWisp(texts.elsewhere)];
  const decision = {
    type: "string" as const,
    title: `Decision on request ${request.id}`,
    description: texts.description,
    ...oneOf([deny, ...others], titles),
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

/** The scopes for which this dialog may give a yes: without a rule to show there is none wider than the session. */
function offered({ scopes, remember = null }: ApprovalRequest): readonly Scope[] {
  return scopes.filter((scope) => remember !== null || (scope !== "project" && scope !== "always"));
}

/** The rule stands in the message, for titles are ours; "" where a yes leaves none. */
function ruleText(request: ApprovalRequest): string {
  const [exact] = request.remember?.offers ?? [];
  const isWide = offered(request).some((scope) => scope === "project" || scope === "always");
  return exact === undefined || !isWide ? "" : `The rule for longer: ${shownText(exact.rule)}`;
}

function approvingOptions(request: ApprovalRequest, exactly: string): readonly Titled[] {
  const days = request.remember?.days ?? 0;
  const titles: Readonly<Record<Scope, Titled>> = {
    once: { const: "approve", title: "Approve once: exactly this runs, one time" },
    session: {
      const: "approve_session",
      title: `Approve for this session: ${exactly} for this client, runs without asking ${sessionEnds}`,
    },
    project: {
      const: "approve_project",
      title: `Approve for the project: what the rule says, in this directory alone, runs without asking for ${daysText(days)}`,
    },
    always: {
      const: "approve_always",
      title: `Approve for always: what the rule says, in every directory, runs without asking for ${daysText(days)}`,
    },
  };
  // Whatever is offered, exactly this one time is.
  return order
    .filter((scope) => scope === "once" || offered(request).includes(scope))
    .map((scope) => titles[scope]);
}

const order: readonly Scope[] = ["once", "session", "project", "always"];

function daysText(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

/** The limits of a rule for a session, in the words of whoever is asked. */
const sessionEnds = "until the client disconnects, it went unused for 2 h, or 12 h are over";
