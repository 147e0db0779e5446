/** What one line of plain chat does. Answers are given by the verbs of the command line, with all of their checks. */
import { type Kind, type Request, shownText } from "../../broker/index.js";
import { besides } from "../../face/besides.js";
import { keepScopeText } from "../../face/fact-scope.js";
import { findRequest, isLate, lateIds, matching } from "../../face/find.js";
import { parseSlash, type Slash, slashHelp } from "../../face/slash.js";
import { openWaiting } from "../../face/waiting.js";
import { widthsFor } from "../../face/widths.js";
import { approve } from "../commands/approve.js";
import { deny } from "../commands/deny.js";
import { exits } from "../exits.js";
import { drop, keep } from "../fact-verbs.js";
import { answer, decline } from "../question-verbs.js";
import { complain, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import type { Verb } from "../verb.js";
import { writeWaiting } from "../write-waiting.js";
import type { News } from "./news.js";
import { helpRows, inRows } from "./rows.js";

/** What came of a line. */
export type Done =
  | { readonly kind: "nothing" }
  /** Something was asked or answered, so what was typed meanwhile was typed unseen. */
  | { readonly kind: "answering"; readonly typedId: string; readonly exit: number }
  | { readonly kind: "leave" };

/** Does what `line` says. Whatever goes wrong is told on `terminal`; what is listed counts as told. */
export async function doLine(line: string, terminal: Terminal, news: Telling): Promise<Done> {
  try {
    return await doSlash(parseSlash(line), terminal, news);
  } catch (error) {
    reportError(error, terminal);
    return { kind: "nothing" };
  }
}

type Telling = Pick<News, "tell" | "told">;

async function doSlash(slash: Slash, terminal: Terminal, news: Telling): Promise<Done> {
  switch (slash.kind) {
    case "pending":
      await listWaiting(terminal, news);
      return nothing;
    case "late":
      await listLate(terminal, news);
      return nothing;
    case "approve":
      return await runYes(approve, slash.id, approveFlags(slash), terminal, news);
    case "deny":
      return await runAnswering(deny, slash.id, optionsOf("note", slash.note), terminal);
    case "keep": {
      const scope = slash.scope === null ? null : keepScopeText(slash.scope);
      return await runYes(keep, slash.id, optionsOf("scope", scope), terminal, news);
    }
    case "drop":
      return await runAnswering(drop, slash.id, { switches: slash.isForGood ? ["for-good"] : [] }, terminal);
    case "answer":
      return await runYes(answer, slash.id, {}, terminal, news);
    case "decline":
      return await runAnswering(decline, slash.id, optionsOf("note", slash.note), terminal);
    case "help":
      terminal.out.write(await helpFor(terminal));
      return nothing;
    case "quit":
      return { kind: "leave" };
    case "text":
      terminal.err.write("That is no command, and nothing was answered. See /help\n");
      return nothing;
    case "wrong":
      complain(terminal, {
        what: shownText(slash.what),
        why: null,
        fix: slash.what.includes("/help") ? null : "/help",
      });
      return nothing;
    default:
      return slash satisfies never;
  }
}

const nothing: Done = { kind: "nothing" };

async function helpFor({ out }: Terminal): Promise<string> {
  const columns = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const widths = await widthsFor(slashHelp);
  const rows = [
    ...slashHelp.flatMap((line) => helpRows(line, columns, widths)),
    ...inRows(lastOfHelp, columns, widths),
  ];
  return `${rows.join("\n")}\n`;
}

const lastOfHelp = "TAB completes commands and ids. Lines that come several at once are not run.";

/** What stands behind the id, as flags of the verb. */
interface Flags {
  readonly switches?: readonly string[];
  readonly options?: readonly (readonly [string, string])[];
}

function approveFlags({ scope, form }: Extract<Slash, { kind: "approve" }>): Flags {
  const rule = form === null ? [] : [["rule", String(form)] as const];
  return { options: [...(scope === null ? [] : [["scope", scope] as const]), ...rule] };
}

function optionsOf(name: string, value: string | null): Flags {
  return value === null ? {} : { options: [[name, value]] };
}

/** A yes, or an answer, is given only to what was told before. */
async function runYes(
  verb: Verb,
  typed: string,
  flags: Flags,
  terminal: Terminal,
  news: Telling,
): Promise<Done> {
  const id = await toldId(typed, verb === approve, terminal, news);
  if (id === null) return { kind: "answering", typedId: typed, exit: exits.notApproved };
  return await runAnswering(verb, id, flags, terminal);
}

async function runAnswering(
  verb: Verb,
  id: string,
  { switches = [], options = [] }: Flags,
  terminal: Terminal,
): Promise<Done> {
  const given = { switches: new Set(switches), options: new Map(options), id, words: [], isHelp: false };
  try {
    const exit = await verb.run(given, terminal);
    return { kind: "answering", typedId: id, exit };
  } catch (error) {
    return { kind: "answering", typedId: id, exit: reportError(error, terminal) };
  }
}

/**
 * The whole id that `typed` means; as it was typed where it means none. What was not told yet is told first, for whoever
 * types has seen nothing that came meanwhile: it may be another one that an id, or TAB, leads to. Null without a y.
 */
async function toldId(
  typed: string,
  canBeLate: boolean,
  terminal: Terminal,
  news: Telling,
): Promise<string | null> {
  if (!terminal.canAnswer) return typed;
  const waiting = openWaiting(terminal);
  waiting.channel.close();
  const found = findRequest(typed, waiting);
  const [late, other] = canBeLate && isLate(typed, waiting) ? matching(lateIds(waiting.home), typed) : [];
  const id = found.kind === "request" ? found.request.id : other === undefined ? late : undefined;
  if (id === undefined) return typed;
  if (news.told.has(id)) return id;
  if (found.kind === "request") terminal.out.write(news.tell(found.request));
  else await listLate(terminal, news);
  const question = `${id} was not told here before. Type y and Enter to go on; anything else answers nothing: `;
  const typedNow = await terminal.readLine(question, terminal.interruption());
  if (typedNow?.trim().toLowerCase() === "y") return id;
  terminal.err.write(`Not answered: ${id}.\n`);
  return null;
}

async function listLate(terminal: Terminal, { told }: Telling): Promise<void> {
  const { listEnded } = await import("../kept/main.js");
  const ids = lateIds(openWaiting(terminal).home);
  await listEnded(false, terminal);
  for (const id of ids) told.add(id);
}

async function listWaiting(terminal: Terminal, { told }: Telling): Promise<void> {
  const { err } = terminal;
  const waiting = openWaiting(terminal);
  const { home, listing, swept } = waiting;
  const { requests } = listing;
  await writeWaiting(requests, false, waiting, terminal);
  for (const { id } of requests) told.add(id);
  err.write(besides(listing, swept));
  if (lateIds(home).length > 0) err.write("Some ended unanswered; what may still be answered: /late\n");
}

/**
 * The ids among `requests` that `typed` in a line may mean, of the kind that the line is about; and those that are late.
 * Only what was `told`: nobody means what they have not seen.
 */
export function idsFor(
  line: string,
  requests: readonly Request[],
  late: readonly string[],
  told: ReadonlySet<string>,
): readonly string[] {
  const [head = ""] = line.trimStart().split(/\s/);
  const ofKind = (kind: Kind): readonly string[] =>
    requests.filter((request) => request.kind === kind && told.has(request.id)).map(({ id }) => id);
  switch (head) {
    case "/approvals":
      return [...ofKind("approval"), ...late.filter((id) => told.has(id))];
    case "/facts":
      return ofKind("fact");
    case "/questions":
      return ofKind("question");
    default:
      return [];
  }
}

/** The one among `requests` that `typed` means; null where it means none or several. */
export function meantBy(typed: string, requests: readonly Request[]): string | null {
  const [id, other] = matching(
    requests.map((request) => request.id),
    typed,
  );
  return other === undefined ? (id ?? null) : null;
}
