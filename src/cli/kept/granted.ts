/** What yeses left behind and may still be used, for scripts and to read. */
import {
  callLine,
  type GrantFault,
  type GrantListing,
  type Moment,
  type RememberedListing,
  type RememberedRule,
  remainingMs,
  type Scope,
  type Subject,
  shownText,
} from "../../broker/index.js";
import { durationText } from "../../face/describe.js";
import type { Kept } from "../../face/kept.js";
import { wispLine } from "../../face/quote.js";
import { widthsFor } from "../../face/widths.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { fitted } from "../table.js";
import type { Terminal } from "../terminal.js";

/** One thing that lets a call through without asking. Its texts are hostile. */
export interface Granted {
  readonly id: string;
  /** For one call, for a connection, or for as long as it is remembered. */
  readonly scope: Scope;
  /** What it allows, in full. */
  readonly rule: string;
  readonly directory: string | null;
  /** Epoch milliseconds, as is the next. */
  readonly createdAt: number;
  /** Of a rule that is not used before: each use puts it off, up to its longest life. */
  readonly expiresAt: number;
  /** `stdio:<name>`, by the client's own word. */
  readonly client: string;
  /** The request whose yes it was. */
  readonly request: string;
}

/** What yeses left behind, as it was read once. */
export interface LeftBehind {
  readonly grants: GrantListing;
  readonly rules: RememberedListing;
}

/** Reads all of it. */
export function leftBehind({ grants, remembered }: Pick<Kept, "grants" | "remembered">): LeftBehind {
  return { grants: grants.list(), rules: remembered.list() };
}

/** All that would be used, the oldest first. */
export function grantedIn({ grants, rules }: LeftBehind, now: Moment): readonly Granted[] {
  return inOrder([...listed(grants, now, (fault) => fault === null), ...rules.rules]);
}

/**
 * What can be taken back: `rules`, and of the grants also those of which nobody can say whether they were used, for to take
 * them back settles that.
 */
export function revocableIn(
  { grants }: Pick<LeftBehind, "grants">,
  rules: readonly RememberedRule[],
  now: Moment,
): readonly Granted[] {
  const isWanted = (fault: GrantFault | null): boolean =>
    fault === null || fault === "what was spent is gone";
  return inOrder([...listed(grants, now, isWanted), ...rules]);
}

function inOrder(granted: readonly Granted[]): readonly Granted[] {
  return [...granted].sort((one, other) => one.createdAt - other.createdAt);
}

function listed(
  { unspent, sessions }: GrantListing,
  now: Moment,
  isWanted: (fault: GrantFault | null) => boolean,
): readonly Granted[] {
  const once = unspent.flatMap(({ approval, fault }) => {
    const { id, request, bound, life } = approval;
    const left = remainingMs(life, now);
    if (!isWanted(fault) || left === null) return [];
    const directory = bound.directory === "" ? null : bound.directory;
    const times = { createdAt: life.from.at, expiresAt: now.at + left };
    return [
      {
        id,
        scope: "once" as const,
        rule: callOf(request.subject),
        directory,
        ...times,
        client: bound.client,
        request: request.id,
      },
    ];
  });
  const session = sessions.flatMap(
    ({ rule: { id, rule, directory, client, request, life, idle }, fault }) => {
      const whole = remainingMs(life, now);
      if (!isWanted(fault) || whole === null) return [];
      // Somebody may have set a time of use that is to come: it lengthens nothing.
      const left = Math.min(whole, remainingMs(idle, now) ?? idle.forMs);
      const times = { createdAt: life.from.at, expiresAt: now.at + left };
      const place = directory === "" ? null : directory;
      return [{ id, scope: "session" as const, rule, directory: place, ...times, client, request }];
    },
  );
  return [...once, ...session];
}

/** `Would not be used: k7q2mx9d (its seal is not ours)`, and what is written and not in force; "" where there is none. */
export function besidesGranted({ grants, rules }: LeftBehind): string {
  const { unspent, sessions, unreadable } = grants;
  const { unaccepted, fault: unusable } = rules;
  const all = [
    ...unspent.map(({ approval, fault }) => ({ id: approval.id, fault })),
    ...sessions.map(({ rule, fault }) => ({ id: rule.id, fault })),
  ];
  const faulty = all.flatMap(({ id, fault }) =>
    fault === null || fault === "it is spent" ? [] : [`${id} (${fault})`],
  );
  const lines = [
    ...(faulty.length === 0 ? [] : [`Would not be used: ${faulty.join(", ")}`]),
    ...(unreadable === 0 ? [] : [`Files in grants/ that are no grants: ${unreadable}`]),
    ...(unaccepted.length === 0
      ? []
      : [`Written into remembered.json and not in force: ${named(unaccepted)}`]),
    ...(unusable === null ? [] : [`None of remembered.json is in force: ${shownText(unusable)}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Some of them: whoever writes files can write any number. */
function named(rules: readonly string[]): string {
  const more = rules.length - mostNamed;
  return `${rules.slice(0, mostNamed).map(shownText).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const mostNamed = 10;

/** Lists them. Data to standard output, all else to standard error. Ends with 78 where what is remembered cannot be read. */
export async function listGranted(isJson: boolean, kept: Kept, terminal: Terminal): Promise<number> {
  const { out, err, environment } = terminal;
  const listing = leftBehind(kept);
  const now = kept.moment();
  const granted = grantedIn(listing, now);
  if (isJson) {
    const grants = granted.map(({ id, scope, rule, directory, createdAt, expiresAt, client }) => ({
      id,
      scope,
      rule,
      directory,
      createdAt,
      expiresAt,
      client,
    }));
    out.write(jsonLine({ schemaVersion: 1, grants }));
  } else if (!out.isTerminal) {
    out.write(granted.map((one) => `${cellsOf(one, now.at, String).join("\t")}\n`).join(""));
  } else if (granted.length > 0) out.write(await tableOf(granted, now.at, out.columns));
  if (granted.length === 0) err.write("Nothing is granted.\n");
  err.write(besidesGranted(listing));
  if (granted.length > 0 && !isJson && out.isTerminal && err.isTerminal) {
    const [one, all] = [["revoke", "ID"], ["clear"]].map((words) =>
      wispLine(environment, ["approvals", ...words]),
    );
    err.write(`Take one back: ${one}; all of them: ${all}\n`);
  }
  return listing.rules.fault === null ? exits.done : exits.faulty;
}

/** `git push origin main — for stdio:claude-code in /home/p/api`, safe to print. */
export function grantText({ rule, client, directory }: Granted): string {
  const place = directory === null ? "" : ` in ${directory}`;
  return shownText(`${rule} — for ${client}${place}`);
}

/** The one call that is let through. */
function callOf(subject: Subject): string {
  switch (subject.type) {
    case "command":
      return typeof subject.line === "string" ? subject.line : `${subject.line.head} …`;
    case "tool":
      return callLine(subject);
    case "permission":
      return subject.tool;
    default:
      return subject satisfies never;
  }
}

function cellsOf(one: Granted, now: number, left: (seconds: number) => string): readonly string[] {
  const seconds = Math.max(0, Math.floor((one.expiresAt - now) / 1_000));
  const { id, scope, client, directory, rule } = one;
  return [id, scope, left(seconds), shownText(client), shownText(directory ?? ""), shownText(rule)];
}

async function tableOf(granted: readonly Granted[], now: number, columns: number): Promise<string> {
  const head = ["id", "scope", "left", "client", "directory", "allows"];
  const rows = [head, ...granted.map((one) => cellsOf(one, now, durationText))];
  const widths = await widthsFor(rows.flat());
  return fitted(rows, columns, widths)
    .map((line) => `${line}\n`)
    .join("");
}
