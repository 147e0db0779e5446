/**
 * What happened since the last prompt, each thing once: requests that wait now, and how those that were noted ended.
 * Everything here is safe to print.
 */
import { type Clock, isUnaltered, type Kind, type Request } from "../../broker/index.js";
import { durationText, forWhom, summaryOf } from "../../face/describe.js";
import { endText } from "../../face/ended.js";
import type { Inbox, InboxChange, InboxHealth, Left } from "../../face/inbox.js";
import { cut, type Widths } from "../../face/wrap.js";
import { levelOf } from "../listing.js";
import { inRows } from "./rows.js";

/** Collects news from the moment it is made; what waits by then is news. */
export interface News {
  /** Whole lines that were not taken yet; "" where nothing is new. */
  take(): string;
  /** The line of one that waits, where it was not told yet. */
  tell(request: Request): string;
  /** The ids that a person was told of; whoever lists some adds them. */
  readonly told: Set<string>;
  /** A person knows already how this one ended: it was their own answer. */
  passOver(id: string): void;
}

/** What news are told for. */
export interface NewsParts {
  readonly inbox: Inbox;
  readonly clock: Pick<Clock, "now">;
  readonly widths: Widths;
  /** Columns that a line about a request may take; Infinity where it is no terminal that is written to. */
  readonly columns: () => number;
  /** Is this the place to answer? Otherwise no command is named that answers. */
  readonly canAnswer: boolean;
}

/** More at once is no news but a list, which there is a command for. */
const mostAtOnce = 40;

type Event =
  | { readonly kind: "waits"; readonly request: Request }
  | { readonly kind: "ended"; readonly request: Request; readonly ending: Left | null };

/** Listens to `inbox` for as long as that is open. */
export function newsOf(parts: NewsParts): News {
  const { inbox } = parts;
  const named = new Set<Kind>();
  const passedOver = new Set<string>();
  const told = new Set<string>();
  let events: readonly Event[] = inbox.state.requests.map((request) => ({ kind: "waits", request }));
  let health: InboxHealth = { kind: "watching" };
  let files: readonly string[] = [];

  inbox.onChange((change) => {
    events = [...events, ...eventsOf(change)];
    if (change.kind !== "left") return;
    // It was never told that it waits, so that it does no longer is all there is to tell.
    events = events.filter((one) => one.kind === "ended" || one.request.id !== change.request.id);
  });

  function takeHealth(): readonly string[] {
    const before = health;
    health = inbox.state.health;
    if (health.kind !== "unusable")
      return before.kind === "unusable" ? ["What waits can be seen again."] : [];
    if (before.kind === "unusable" && before.complaint.what === health.complaint.what) return [];
    const { what, why, fix } = health.complaint;
    return [`wisp: ${what}`, ...[why, fix].filter((line) => line !== null).map((line) => `  ${line}`)];
  }

  /** What stands there on and on is told once, and again when it had gone. */
  function takeFiles(): readonly string[] {
    const before = files;
    files = inbox.state.files;
    return files.filter((line) => !before.includes(line));
  }

  return {
    take() {
      const news = events.filter(({ kind, request }) => kind === "waits" || !passedOver.delete(request.id));
      events = [];
      const now = news.slice(0, mostAtOnce);
      for (const { request } of now) told.add(request.id);
      const rest = news.length - now.length;
      const kinds = new Set(now.filter(({ kind }) => kind === "waits").map(({ request }) => request.kind));
      const unnamed = parts.canAnswer ? [...kinds].filter((kind) => !named.has(kind)) : [];
      for (const kind of unnamed) named.add(kind);
      const lines = [
        ...takeHealth(),
        ...takeFiles().flatMap((line) => inRows(line, parts.columns(), parts.widths)),
        ...now.flatMap((event) => rowsOf(event, parts)),
        ...(rest === 0 ? [] : [`and ${rest} more; what waits: /approvals pending`]),
        ...unnamed.flatMap((kind) => inRows(answeringText(kind), parts.columns(), parts.widths)),
      ];
      return lines.map((line) => `${line}\n`).join("");
    },
    tell(request) {
      if (told.has(request.id)) return "";
      told.add(request.id);
      events = events.filter((one) => one.kind === "ended" || one.request.id !== request.id);
      return `${waitingRows(request, parts).join("\n")}\n`;
    },
    told,
    passOver: (id) => void passedOver.add(id),
  };
}

function eventsOf(change: InboxChange): readonly Event[] {
  switch (change.kind) {
    case "arrived":
      return change.requests.map((request) => ({ kind: "waits", request }));
    case "left":
      return [{ kind: "ended", request: change.request, ending: change.ending }];
    case "other":
      return [];
    default:
      return change satisfies never;
  }
}

function rowsOf(event: Event, parts: NewsParts): readonly string[] {
  switch (event.kind) {
    case "waits":
      return waitingRows(event.request, parts);
    case "ended":
      return endedRows(event, parts);
    default:
      return event satisfies never;
  }
}

/** Narrower than this a text tells nothing; the terminal folds the line then. */
const leastColumns = 8;
/** On a terminal with fewer columns, what it is about has a row of its own. */
const leastForOneRow = 80;
/** What it is about has at least so much room beside what is told of it. */
const leastBeside = 24;
/** Who asks may be as long as its client likes; where there is not room for all, they have this much. */
const askerShare = 0.4;
/** A base with its marks is a few units: nothing beyond this many for each column can be seen, nor need be measured. */
const mostUnitsPerColumn = 16;
/** Ours, so that no text of a request begins a row. */
const ownRow = "  what: ";

function waitingRows(request: Request, { clock, widths, columns }: NewsParts): readonly string[] {
  const level = isUnaltered(request) ? levelOf(request) : "altered";
  const head = `waits: ${request.id}  ${level}  `;
  const left = leftText(request, clock.now());
  if (columns() < leastForOneRow) {
    return [head + left, ownRow + about(request, columns() - ownRow.length, widths)];
  }
  return [`${head}${about(request, columns() - widths.of(`${head}  ${left}`), widths)}  ${left}`];
}

/** What it is about and who asks, in `room` columns. */
function about(request: Request, room: number, widths: Widths): string {
  const inside = room - between.length;
  const what = summaryOf(request);
  const free = inside - widths.of(fitted(what, inside, widths));
  const who = fitted(forWhom(request), Math.max(inside * askerShare, free), widths);
  return `${fitted(what, inside - widths.of(who), widths)}${between}${who}`;
}

const between = "  ";

function endedRows(
  { request, ending }: Extract<Event, { kind: "ended" }>,
  parts: NewsParts,
): readonly string[] {
  const { columns, widths } = parts;
  const how = ending === null ? "gone; nothing says how it ended" : endText(ending.receipt, ending.proof);
  const head = `ended: ${request.id}  ${how}`;
  const beside = columns() - widths.of(`${head}${between}`);
  const what = summaryOf(request);
  if (beside >= leastBeside) return [`${head}${between}${fitted(what, beside, widths)}`];
  return [...inRows(head, columns(), widths), ownRow + fitted(what, columns() - ownRow.length, widths)];
}

function fitted(text: string, columns: number, widths: Widths): string {
  const room = Math.max(leastColumns, Math.floor(columns));
  return cut(text.slice(0, room * mostUnitsPerColumn), room, "end", widths);
}

function leftText({ expiresAt }: Request, now: number): string {
  if (expiresAt === null) return "no limit";
  return expiresAt <= now ? "its time is over" : `${durationText((expiresAt - now) / 1_000)} left`;
}

function answeringText(kind: Kind): string {
  switch (kind) {
    case "approval":
      return "Answer: /approvals approve ID, which shows all of it first, or /approvals deny ID [why]";
    case "fact":
      return "Facts: /facts keep ID [project|global], which shows all of it first, or /facts drop ID [for-good]";
    case "question":
      return "Questions: /questions answer ID, which asks for the answer, or /questions decline ID [why]";
    default:
      return kind satisfies never;
  }
}
