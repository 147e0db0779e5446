/**
 * What is shown of one request before it is answered: everything, nothing shortened. Each text of a request stands in
 * a field of its own, under a label that is ours, so that none can pass for another field.
 */
import {
  type ApprovalRequest,
  type CommandSubject,
  type FactRequest,
  isStateBound,
  type QuestionRequest,
  type Request,
  type Shortfall,
  type Subject,
  shown,
  shownLines,
} from "../broker/index.js";
import { durationText } from "./describe.js";
import { detachedText } from "./detached.js";
import { notEnoughText } from "./not-enough.js";
import { offeredScopes, rememberLines } from "./remember-lines.js";
import { takenText } from "./reply.js";
import type { WholeTexts } from "./whole-texts.js";

/** One label with its lines, escaped. */
export interface Field {
  readonly label: string;
  readonly lines: readonly string[];
  /** Is it what is decided (what runs, what would be kept and is kept already, what is asked)? It has to be read to its end before a yes. */
  readonly isContent: boolean;
}

/** What a face draws of one request, from top to bottom. Every text in it is escaped already. */
export interface Card {
  readonly fields: readonly Field[];
  /** How many characters stand as escapes anywhere on it. */
  readonly escapes: number;
}

/** What a card tells of a request that does not stand in the request itself. */
export interface CardFacts {
  /** Null for an approval whose texts cannot be had whole, and for other kinds. */
  readonly texts: WholeTexts | null;
  /** The home's path where it is not the default, else null. */
  readonly home: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How many answers to this request were not taken. */
  readonly rejected: number;
  /** Did the agent stop waiting for it? */
  readonly isDetached: boolean;
  /** Is no answer to a question kept that no call is there for? */
  readonly keepsNone: boolean;
  /** Of a request that has ended and may still be answered; null for one that waits. */
  readonly late: LateFacts | null;
  /** What was wanting of those that were in order. */
  readonly shortfalls: readonly Shortfall[];
  /** What an answer from here would count as, in words of our own; null where nobody looked. */
  readonly here: string | null;
}

/** What is said of a request that has ended instead of how much time is left. */
export interface LateFacts {
  /** How it ended, in words of our own. */
  readonly ended: string;
  /** What a yes does; names client and directory, so it is escaped like what is theirs. */
  readonly effect: string;
}

/** The card of `request`. Each of its texts goes through `shown` into a field; what is null gets none. */
export function cardOf(request: Request, facts: CardFacts): Card {
  const sheet = newSheet();
  sheet.ours("request", `${request.id} (${request.kind})`);
  describeAsked(request, facts.texts, sheet);
  sheet.theirs("calls itself", clientText(request));
  sheet.theirs("thread", request.thread);
  sheet.ours("process", `${request.server.pid}`);
  sheet.words("agent says", request.says);
  if (request.kind === "approval") {
    describeScopes(request, facts, sheet);
    sheet.ours("assurance", `${request.assurance} or better`);
    describeTool(request.subject, sheet);
  }
  if (facts.here !== null) sheet.ours("from here", facts.here);
  if (facts.late === null) sheet.ours("left", timeLeft(request, facts.now));
  else {
    sheet.ours("ended", facts.late.ended);
    sheet.theirs("a yes now", facts.late.effect);
  }
  if (facts.isDetached) {
    sheet.ours("attention", `the agent ${detachedText(request.kind, facts.keepsNone)}`);
  }
  sheet.theirs("home", facts.home);
  const notEnough = notEnoughText(facts.shortfalls);
  if (notEnough !== null) sheet.ours("answers", notEnough);
  if (facts.rejected >= manyRejected) {
    sheet.ours("warning", `something is writing answers: ${facts.rejected} to this request were not taken`);
  }
  return sheet.card();
}

/** From this many answers that were not taken it is no accident. */
export const manyRejected = 5;

/** The label of the option of this number, from 1: numbers choose. */
export function optionLabel(number: number): string {
  return `option ${number}`;
}

/** Collects fields and counts escapes, so that no text reaches the card by another road. */
export interface Sheet {
  /** A text of our own. */
  ours(label: string, text: string): void;
  /** One line from the request. */
  theirs(label: string, text: string | null): void;
  /** A text from the request, its lines kept. */
  words(label: string, text: string | null): void;
  /** The same for what is decided. */
  content(label: string, text: string): void;
  /** One line of what is decided. */
  contentLine(label: string, text: string): void;
  card(): Card;
}

/** An empty one. */
export function newSheet(): Sheet {
  const fields: Field[] = [];
  let escapes = 0;
  const places = new Set<string>();
  const count = (label: string, found: number): void => {
    escapes += found;
    if (found > 0) places.add(label || "session");
  };
  const addLines = (label: string, text: string, isContent: boolean): void => {
    const block = shownLines(text);
    count(label, block.escapes);
    fields.push({ label, lines: block.lines, isContent });
  };
  const addLine = (label: string, text: string, isContent: boolean): void => {
    const line = shown(text);
    count(label, line.escapes);
    fields.push({ label, lines: [line.text], isContent });
  };
  return {
    ours: (label, text) => void fields.push({ label, lines: [text], isContent: false }),
    theirs: (label, text) => void (text !== null && addLine(label, text, false)),
    words: (label, text) => void (text !== null && addLines(label, text, false)),
    content: (label, text) => addLines(label, text, true),
    contentLine: (label, text) => addLine(label, text, true),
    card: () => ({
      fields: escapes === 0 ? fields : [...fields, escapesField(escapes, [...places])],
      escapes,
    }),
  };
}

function escapesField(escapes: number, places: readonly string[]): Field {
  const counted = escapes === 1 ? "1 character stands" : `${escapes} characters stand`;
  const text = `${counted} escaped, as \\u{…} or ␠×N, in: ${places.join(", ")}`;
  return { label: "warning", lines: [text], isContent: false };
}

/** The connection of what has ended is nobody's any more: a yes lets one call through. */
function describeScopes(request: ApprovalRequest, { late, texts }: CardFacts, sheet: Sheet): void {
  sheet.ours("scopes", late === null ? offeredScopes(request).join(", ") : "once");
  if (late !== null) return;
  if (request.scopes.includes("session")) describeSession(request, texts, sheet);
  for (const { label, text, isOurs } of rememberLines(request)) {
    if (isOurs) sheet.ours(label, text);
    else sheet.theirs(label, text);
  }
}

function describeAsked(request: Request, texts: WholeTexts | null, sheet: Sheet): void {
  switch (request.kind) {
    case "approval": {
      const { subject, level, reasons, rule } = request;
      describeSubject(subject, texts, sheet);
      sheet.theirs("level", reasons.length === 0 ? level : `${level}: ${reasons.join("; ")}`);
      // What the level says already is not said twice.
      sheet.theirs("rule", reasons.some((reason) => rule === `${reason} (built in)`) ? null : rule);
      return;
    }
    case "fact":
      describeFact(request, sheet);
      return;
    case "question":
      describeQuestion(request, sheet);
      return;
    default:
      request satisfies never;
  }
}

function describeFact({ fact }: FactRequest, sheet: Sheet): void {
  const { subject, name, value, source, directory, similar } = fact;
  sheet.contentLine("about", subject);
  sheet.contentLine("name", name);
  sheet.content("value", value);
  // Whoever keeps it has to know what is kept already; each stands by the id with which it is forgotten.
  for (const one of similar) sheet.content("kept already", `${one.id}: ${one.value}`);
  if (similar.length > 0) {
    sheet.ours("to replace", "wisp facts forget ID, with the id of what is kept already");
  }
  sheet.theirs("source", source);
  sheet.theirs("in", directory);
  sheet.ours("holds", directory === null ? "everywhere, if it is kept" : "in this directory, or everywhere");
}

function describeQuestion({ question }: QuestionRequest, sheet: Sheet): void {
  sheet.content("asks", question.text);
  (question.options ?? []).forEach(({ label, description }, index) => {
    sheet.contentLine(optionLabel(index + 1), label);
    if (description !== null) sheet.contentLine("", description);
  });
  sheet.ours("takes", takenText(question));
  sheet.theirs("in", question.directory);
}

function describeSubject(subject: Subject, texts: WholeTexts | null, sheet: Sheet): void {
  switch (subject.type) {
    case "command":
      if (texts === null) sheet.ours("runs", "(its whole text is missing, so it cannot be approved)");
      else {
        sheet.content("runs", texts.line);
        if (texts.command !== texts.line) sheet.content("asks for", texts.command);
      }
      sheet.theirs("in", subject.directory);
      sheet.theirs("program", subject.program?.path ?? null);
      // Where it is the line itself, that is said already.
      sheet.theirs("pattern", subject.pattern === texts?.line ? null : subject.pattern);
      return;
    case "tool":
      sheet.content("runs", subject.tool);
      sheet.content("with", JSON.stringify(subject.arguments, null, 2));
      if (subject.meta) sheet.content("_meta", JSON.stringify(subject.meta, null, 2));
      describeChanges(subject, sheet);
      describeState(subject, sheet);
      sheet.theirs("server", subject.server);
      return;
    case "permission":
      sheet.content("runs", subject.tool);
      sheet.content("with", JSON.stringify(subject.input, null, 2));
      return;
    default:
      subject satisfies never;
  }
}

/** The longest of it, and what was approved before: it stands behind all that is new. */
function describeTool(subject: Subject, sheet: Sheet): void {
  if (subject.type !== "tool") return;
  sheet.theirs("started as", subject.serverIdentity);
  sheet.theirs("tool's title", subject.title);
  sheet.words("tool says", subject.description);
}

type ToolSubject = Extract<Subject, { type: "tool" }>;

/** What must still be as it was when the call is sent on, beside its arguments. */
function describeState({ state }: ToolSubject, sheet: Sheet): void {
  if (state === "none") sheet.ours("state bound", "none: a yes is for the arguments alone");
  else for (const { target } of state.bound) sheet.theirs("state bound", target);
}

function describeChanges(subject: ToolSubject, sheet: Sheet): void {
  if (subject.definition !== null) {
    sheet.content("was", subject.definition.before);
    sheet.content("became", subject.definition.after);
  }
  for (const { target, kind, before, after } of subject.preview ?? []) {
    sheet.content(kind, target);
    if (before !== null) sheet.content("before", previewText(before));
    if (after !== null) sheet.content("after", previewText(after));
  }
}

function previewText(side: {
  readonly bytes: number;
  readonly sha256: string;
  readonly text: string | null;
}): string {
  return side.text ?? `(${side.bytes} bytes, SHA-256 ${side.sha256})`;
}

/**
 * In full what a yes for the session covers, beside this one time: it is remembered, so it is shown before. The name
 * comes last: nothing of ours stands behind what a client calls itself. The lines are short enough not to be measured.
 */
function describeSession({ subject, client }: ApprovalRequest, texts: WholeTexts | null, sheet: Sheet): void {
  const isCommand = subject.type === "command";
  const what = isCommand ? `exactly ${ruleOf(subject, texts)} in this directory` : "exactly this call";
  sheet.ours("session", `${what},`);
  if (isStateBound(subject)) sheet.ours("", "while what it touches stays as it is now,");
  sheet.ours("", "until 2 h without use, 12 h at most,");
  sheet.theirs("", `only for this connection${client === null ? "" : ` of ${client.name}`}`);
}

function ruleOf({ pattern }: CommandSubject, texts: WholeTexts | null): string {
  return pattern === null || pattern === texts?.line ? "this line" : "this pattern";
}

/** What a client calls itself, with its version; not escaped. */
export function clientText({ client, caller }: Pick<Request, "client" | "caller">): string {
  return client === null ? `nothing (${caller})` : `${client.name} ${client.version}`;
}

function timeLeft({ expiresAt }: Request, now: number): string {
  if (expiresAt === null) return "it waits for ever";
  const seconds = (expiresAt - now) / 1_000;
  return seconds <= 0 ? "its time is over; its server decides" : durationText(seconds);
}
