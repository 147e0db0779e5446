/** What yeses left behind and may still be used, for scripts and to read. */
import {
  type GrantFault,
  type GrantListing,
  type Moment,
  remainingMs,
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
  /** For one call, or for a connection. */
  readonly scope: "once" | "session";
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

/** All that would be used, the oldest first. */
export function grantedIn(listing: GrantListing, now: Moment): readonly Granted[] {
  return listed(listing, now, (fault) => fault === null);
}

/** The same, and what nobody can say of whether it was used: to take it back settles that. */
export function revocableIn(listing: GrantListing, now: Moment): readonly Granted[] {
  return listed(listing, now, (fault) => fault === null || fault === "what was spent is gone");
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
  return [...once, ...session].sort((one, other) => one.createdAt - other.createdAt);
}

/** `2 files here would not be used: k7q2mx9d (its seal is not ours)`; "" where there are none. */
export function besidesGranted({ unspent, sessions, unreadable }: GrantListing): string {
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
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Lists them. Data to standard output, all else to standard error. */
export async function listGranted(isJson: boolean, kept: Kept, terminal: Terminal): Promise<number> {
  const { out, err, environment } = terminal;
  const listing = kept.grants.list();
  const now = kept.moment();
  const granted = grantedIn(listing, now);
  if (isJson) {
    const grants = granted.map(({ request: _request, ...one }) => one);
    out.write(jsonLine({ schemaVersion: 1, grants }));
  } else if (!out.isTerminal) {
    out.write(granted.map((one) => `${cellsOf(one, now.at, String).join("\t")}\n`).join(""));
  } else if (granted.length > 0) out.write(await tableOf(granted, now.at, out.columns));
  if (granted.length === 0) err.write("Nothing is granted: every call asks.\n");
  err.write(besidesGranted(listing));
  if (granted.length > 0 && out.isTerminal && err.isTerminal) {
    const line = wispLine(environment, ["approvals", "revoke", "ID"]);
    err.write(`Take one back: ${line}; all of them: clear.\n`);
  }
  return exits.done;
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
      return `${subject.server} · ${subject.tool}`;
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
