/**
 * What a banner about an approval says: project, client, command, and the command that answers. It asks to look, and
 * has nothing in it that could approve.
 */
import type { Banner } from "../notify/notifier.js";
import type { Text } from "../request/long-text.js";
import type { ApprovalRequest, Subject } from "../request/request.js";
import { shownText } from "../request/shown.js";

/** Of a command so many characters, as they are shown. */
const longestCommand = 80;
/** Project and client share a title of 64 characters with the words between them. */
const longestName = 24;
/** What is left of a body of 256 characters beside the command. */
const longestAnswering = 170;

/** A long run of blanks is shown short: more of one than this is not worth the time of looking at it. */
const mostLookedAt = 400;

/** `answering` is the command that answers this request, for a person to type. */
export function approvalBanner(
  request: ApprovalRequest,
  source: "approval" | "reminder",
  answering: string,
): Banner {
  const { subject, level, id } = request;
  const client = request.client?.name ?? request.caller;
  const project = projectOf(subject);
  const asks = source === "approval" ? "asks" : "still waits";
  const who = [project, client].filter((name) => name !== null).map((name) => headOf(name, longestName));
  const where = shownText(answering).length > longestAnswering ? `in wisp: ${id}` : answering;
  return {
    title: `${who.join(" · ")} ${asks}`,
    body: `${headOf(actionOf(subject), longestCommand)} — ${where}`,
    outside: `${nounOf(subject)} at level ${level} waits — in wisp: ${id}`,
    source,
    request: id,
    level,
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
function projectOf(subject: Subject): string | null {
  if (subject.type !== "command") return null;
  return subject.directory.split("/").findLast((element) => element !== "") ?? "/";
}

/** What kind of thing it is, without a word of what it is. */
function nounOf({ type }: Subject): string {
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
