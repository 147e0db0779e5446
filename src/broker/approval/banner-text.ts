/**
 * What a banner about a request says: project, client, what is asked, and the command that answers. It asks to look, and
 * has nothing in it that could answer.
 */
import type { Banner } from "../notify/notifier.js";
import type { Text } from "../request/long-text.js";
import { directoryOf, type Request, type Subject } from "../request/request.js";
import { shownText } from "../request/shown.js";

/** Of what is asked so many characters, as they are shown. */
const longestAsked = 80;
/** Project and client share a title of 64 characters with the words between them and after them. */
const longestName = 23;
/** What is left of a body of 256 characters beside what is asked. */
const longestAnswering = 170;

/** A long run of blanks is shown short: more of one than this is not worth the time of looking at it. */
const mostLookedAt = 400;

/** What announces a request: that it waits, or that it still does. */
export type WaitingSource = Exclude<Banner["source"], "notify">;

/** `answering` is the command that answers this request, for a person to type. */
export function requestBanner(request: Request, source: WaitingSource, answering: string): Banner {
  const { id } = request;
  const client = request.client?.name ?? request.caller;
  const project = projectOf(request);
  const who = [project, client].filter((name) => name !== null).map((name) => headOf(name, longestName));
  const doing = source === "reminder" ? "still waits" : verbOf(request);
  const where = shownText(answering).length > longestAnswering ? `in wisp: ${id}` : answering;
  return {
    title: `${who.join(" · ")} ${doing}`,
    body: `${headOf(askedOf(request), longestAsked)} — ${where}`,
    outside: `${nounOf(request)} waits — in wisp: ${id}`,
    source,
    request: id,
    level: request.kind === "approval" ? request.level : null,
    client,
    project,
  };
}

/** One banner for several requests; `listing` is the command that lists them. */
export function severalBanner(count: number, listing: string): Banner {
  return {
    title: `${count} waiting`,
    body: `${count} requests wait for an answer — ${listing}`,
    outside: `${count} requests wait for an answer — in wisp`,
    source: "approval",
    request: null,
    level: null,
    client: null,
    project: null,
  };
}

/** The last element of the directory's path; null where there is no directory. */
function projectOf(request: Request): string | null {
  const directory = directoryOf(request);
  return directory === null ? null : (directory.split("/").findLast((element) => element !== "") ?? "/");
}

function verbOf({ kind }: Request): string {
  switch (kind) {
    case "approval":
      return "asks";
    case "fact":
      return "asks to keep";
    case "question":
      return "asks you";
    default:
      return kind satisfies never;
  }
}

/** What kind of thing it is, without a word of what it is. */
function nounOf(request: Request): string {
  switch (request.kind) {
    case "approval":
      return `${thingOf(request.subject)} at level ${request.level}`;
    case "fact":
      return "a fact";
    case "question":
      return "a question";
    default:
      return request satisfies never;
  }
}

function thingOf({ type }: Subject): string {
  switch (type) {
    case "command":
      return "a command";
    case "tool":
      return "a call of a tool";
    case "permission":
      return "a permission";
    default:
      return type satisfies never;
  }
}

function askedOf(request: Request): string {
  switch (request.kind) {
    case "approval":
      return actionOf(request.subject);
    case "fact":
      return `${request.fact.subject} · ${request.fact.name}: ${request.fact.value}`;
    case "question":
      return request.question.text;
    default:
      return request satisfies never;
  }
}

function actionOf(subject: Subject): string {
  switch (subject.type) {
    case "command":
      return wordsOf(subject.line);
    case "tool":
      return `${subject.server} · ${subject.tool}`;
    case "permission":
      return subject.tool;
    default:
      return subject satisfies never;
  }
}

/** Of a spooled text its beginning is at hand, and all that a banner shows. */
function wordsOf(text: Text): string {
  return typeof text === "string" ? text : text.head;
}

/**
 * The beginning of `text` that is shown in at most `most` characters, still as it came, with `…` where it goes on. What
 * is shown is made of the whole banner, once; here only how much room it takes is looked at.
 */
function headOf(text: string, most: number): string {
  let head = "";
  for (const character of text) {
    const longer = head + character;
    if (longer.length > mostLookedAt || [...shownText(longer)].length > most) return `${head}…`;
    head = longer;
  }
  return head;
}
