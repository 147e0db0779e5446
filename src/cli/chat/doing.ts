/** What one line of plain chat does. Answers are given by the verbs of the command line, with all of their checks. */
import { type Kind, type Request, shownText } from "../../broker/index.js";
import { besides, standingLines, standingOf } from "../../face/besides.js";
import { findRequest, isLate, lateIds, matching } from "../../face/find.js";
import { parseSlash, type Slash, slashHelp } from "../../face/slash.js";
import { openWaiting } from "../../face/waiting.js";
import { widthsFor } from "../../face/widths.js";
import { reportMissing } from "../choose.js";
import { approve } from "../commands/approve.js";
import { deny } from "../commands/deny.js";
import { exits } from "../exits.js";
import { lineForDoctor, lineToType } from "../line-to-type.js";
import { pendingLines, pendingTable } from "../listing.js";
import { paintFor } from "../render.js";
import { complain, refuse, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import type { Verb } from "../verb.js";
import { laterText, type News } from "./news.js";
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
    case "approve": {
      const id = await toldId(slash.id, terminal, news);
      if (id === null) return { kind: "answering", typedId: slash.id, exit: exits.notApproved };
      return await runAnswering(approve, id, "scope", slash.scope, terminal);
    }
    case "deny":
      return await runAnswering(deny, slash.id, "note", slash.note, terminal);
    case "keep":
    case "drop":
      tellLater(slash.id, "fact", terminal);
      return nothing;
    case "answer":
    case "decline":
      tellLater(slash.id, "question", terminal);
      return nothing;
    case "help":
      terminal.out.write(await helpFor(terminal));
      return nothing;
    case "quit":
      return { kind: "leave" };
    case "text":
      terminal.err.write("That is no command, and nothing was answered. See /help\n");
      return nothing;
    case "wrong":
      complain(terminal, { what: shownText(slash.what), why: null, fix: "/help" });
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

async function runAnswering(
  verb: Verb,
  id: string,
  option: string,
  value: string | null,
  terminal: Terminal,
): Promise<Done> {
  const options = new Map(value === null ? [] : [[option, value]]);
  try {
    const exit = await verb.run({ switches: new Set(), options, id, isHelp: false }, terminal);
    return { kind: "answering", typedId: id, exit };
  } catch (error) {
    return { kind: "answering", typedId: id, exit: reportError(error, terminal) };
  }
}

/**
 * The whole id that `typed` means; as it was typed where it means none. What was not told yet is told first, for whoever
 * types has seen nothing that came meanwhile: it may be another one that an id, or TAB, leads to. Null without a y.
 */
async function toldId(typed: string, terminal: Terminal, news: Telling): Promise<string | null> {
  if (!terminal.canAnswer) return typed;
  const waiting = openWaiting(terminal);
  waiting.channel.close();
  const found = findRequest(typed, waiting);
  const [late, other] = isLate(typed, waiting) ? matching(lateIds(waiting.home), typed) : [];
  const id = found.kind === "request" ? found.request.id : other === undefined ? late : undefined;
  if (id === undefined) return typed;
  if (news.told.has(id)) return id;
  if (found.kind === "request") terminal.out.write(news.tell(found.request));
  else await listLate(terminal, news);
  const question = `${id} was not told here before. Type y and Enter to go on; anything else answers nothing: `;
  const answer = await terminal.readLine(question, terminal.interruption());
  if (answer?.trim().toLowerCase() === "y") return id;
  terminal.err.write(`Not approved: ${id}.\n`);
  return null;
}

async function listLate(terminal: Terminal, { told }: Telling): Promise<void> {
  const { listEnded } = await import("../kept/main.js");
  const ids = lateIds(openWaiting(terminal).home);
  await listEnded(false, terminal);
  for (const id of ids) told.add(id);
}

async function listWaiting(terminal: Terminal, { told }: Telling): Promise<void> {
  const { out, err, clock, environment } = terminal;
  const waiting = openWaiting(terminal);
  const { home, listing, swept } = waiting;
  const { requests } = listing;
  const now = clock.now();
  if (!out.isTerminal) out.write(pendingLines(requests, now));
  else if (requests.length > 0) {
    const standing = standingOf(requests, waiting);
    out.write(await pendingTable(requests, now, out.columns, paintFor(out, environment), standing.altered));
    err.write(standingLines(standing, lineForDoctor(terminal)));
  }
  for (const { id } of requests) told.add(id);
  err.write(besides(listing, swept));
  if (lateIds(home).length > 0) err.write("Some ended unanswered; what may still be answered: /late\n");
}

/** They are noted and listed; nothing decides them yet, and nothing may look as if it did. */
function tellLater(typed: string, kind: Exclude<Kind, "approval">, terminal: Terminal): number {
  const found = findRequest(typed, openWaiting(terminal));
  if (found.kind !== "request") return reportMissing(typed, found, terminal);
  const { request } = found;
  if (request.kind === kind) {
    terminal.err.write(`${request.id} still waits: ${laterText}.\n`);
    return exits.done;
  }
  return refuse("invalid_input", terminal, {
    what: `${request.id} is ${request.kind === "approval" ? "an" : "a"} ${request.kind}, not a ${kind}.`,
    why: null,
    fix: lineToType(terminal, [`${request.kind}s`, yesOf[request.kind], request.id]),
  });
}

const yesOf = { approval: "approve", fact: "keep", question: "answer" } as const satisfies Record<
  Kind,
  string
>;

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
