/** What there is to say beside the requests that can be answered. */
import {
  type Answer,
  type Channel,
  type Home,
  isUnaltered,
  type Kind,
  keepsNoAnswers,
  kinds,
  type Listing,
  notTakenIn,
  type Request,
  type Shortfall,
  type Swept,
  shownText,
} from "../broker/index.js";
import { detachedIds, detachedText } from "./detached.js";
import { whyNotEnough } from "./not-enough.js";

/** A line for each kind of thing, safe to print; "" where there is nothing to say. */
export function besides({ requests, newer, unreadable }: Listing, swept: readonly Swept[]): string {
  const stale = swept.filter(({ what }) => what === "stale" || what === "decided, not run");
  const nothing = `Nothing waits${newer.length === 0 ? "" : " that this wisp can answer"}.`;
  const lines = [
    ...(requests.length === 0 ? [nothing] : []),
    ...counted(
      stale.map(({ id }) => id),
      "request was swept: its server is",
      "requests were swept: their servers are",
      " gone",
    ),
    ...counted(newer, "request was", "requests were", " filed by a newer wisp and cannot be answered here"),
    ...counted(
      unreadable.map(({ name, reason }) => `${name} (${reason})`),
      "file here is not a request",
      "files here are not requests",
      "",
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Ids of requests that wait and about which a person has to know more than what they ask. */
export interface Standing {
  /** Changed after they were filed: nobody can answer them. */
  readonly altered: readonly string[];
  /** A well-formed answer lies there and their server has not read it. */
  readonly unread: readonly string[];
  /** Their agent stopped waiting. */
  readonly detached: readonly Pick<Request, "id" | "kind">[];
  /** Is no answer to a question of those kept? */
  readonly keepsNone: boolean;
  /** Answers came that were in order and not enough. */
  readonly notEnough: readonly { readonly id: string; readonly shortfalls: readonly Shortfall[] }[];
}

/** How `requests` stand. Costs a hash and a look into its slot for each, and one look at what was not taken. */
export function standingOf(
  requests: readonly Request[],
  { home, channel }: { readonly home: Home; readonly channel: Pick<Channel, "slot"> },
): Standing {
  const ids = (some: readonly Request[]): readonly string[] => some.map(({ id }) => id);
  const { refusals } = notTakenIn(home);
  const left = new Set(detachedIds(requests, home));
  const notEnough = ids(requests).map((id) => ({
    id,
    shortfalls: refusals.filter((refusal) => refusal.id === id).map(({ shortfall }) => shortfall),
  }));
  return {
    altered: ids(requests.filter((request) => !isUnaltered(request))),
    unread: ids(requests.filter((request) => unreadAnswer(request, channel) !== null)),
    detached: requests.filter(({ id }) => left.has(id)),
    keepsNone: left.size > 0 && keepsNoAnswers(home.path),
    notEnough: notEnough.filter(({ shortfalls }) => shortfalls.length > 0),
  };
}

/** The person's answer that lies in the slot of `request` and has not been read yet, or null. */
export function unreadAnswer(request: Request, channel: Pick<Channel, "slot">): Answer | null {
  const slot = channel.slot(request.id);
  if (slot.kind !== "answer" || slot.answer.binding !== request.binding) return null;
  return slot.answer.via === "server" ? null : slot.answer;
}

/** A line for each kind of standing, safe to print; `doctor` is the command that says what to do. */
export function standingLines(standing: Standing, doctor: string): string {
  const { altered, unread, detached, keepsNone, notEnough } = standing;
  const lines = [
    ...counted(
      altered,
      "request was changed after it was",
      "requests were changed after they were",
      ` filed and cannot be answered (see ${doctor})`,
    ),
    ...counted(
      unread,
      "request is answered, not read yet: its server is",
      "requests are answered, not read yet: their servers are",
      " stopped or busy",
    ),
    ...kinds.flatMap((kind) =>
      counted(
        detached.filter((one) => one.kind === kind).map(({ id }) => id),
        `${nounOf(kind)} has an agent`,
        `${nounOf(kind)}s have agents`,
        ` that ${detachedText(kind, keepsNone)}`,
      ),
    ),
    ...counted(
      notEnough.map(({ id, shortfalls }) => `${id} (${whyNotEnough(shortfalls)})`),
      "answer was",
      "answers were",
      " not enough",
      notEnough.reduce((sum, { shortfalls }) => sum + shortfalls.length, 0),
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Of an approval the word by which a person knows it. */
function nounOf(kind: Kind): string {
  return kind === "approval" ? "request" : kind;
}

const mostNamed = 10;

/**
 * `2 files here are not requests: a (why), b (why)`, where what is said of one and of several ends with the same words;
 * `count` where a name stands for several.
 */
function counted(
  names: readonly string[],
  one: string,
  several: string,
  end: string,
  count = names.length,
): readonly string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, mostNamed).map(shownText).join(", ");
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return [`${count} ${count === 1 ? one : several}${end}: ${named}${rest}`];
}
