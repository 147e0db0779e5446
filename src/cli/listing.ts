/** What waits, as data for scripts and as lines to read. */
import { directoryOf, type Request, shownText } from "../broker/index.js";
import { ageSecondsOf, askerOf, durationText, summaryOf } from "../face/describe.js";
import { widthsFor } from "../face/widths.js";
import { jsonLine } from "./json.js";
import { fitted } from "./table.js";

/** `approvals pending --json`, one line; `detached` are the ids of requests whose agent stopped waiting. */
export function pendingJson(requests: readonly Request[], now: number, detached: readonly string[]): string {
  const left = new Set(detached);
  const entries = requests.map((request) => ({ ...entryOf(request, now), detached: left.has(request.id) }));
  return jsonLine({ schemaVersion: 1, requests: entries });
}

/** Tab-separated: id, level, age in seconds, client/thread, directory, command. Tabs inside a value are escaped. */
export function pendingLines(requests: readonly Request[], now: number): string {
  return requests
    .map((request) => {
      const { client, thread } = askerOf(request);
      const who = thread === null ? client : `${client}/${thread}`;
      const cells = [request.id, levelOf(request), String(ageSecondsOf(request, now)), who];
      return `${[...cells, shownText(directoryOf(request) ?? ""), summaryOf(request)].join("\t")}\n`;
    })
    .join("");
}

/**
 * A table for people, no line wider than `columns`; `paint` colours a level. Requests whose ids are in `altered` are
 * marked instead: what they say of their level counts for nothing.
 */
export async function pendingTable(
  requests: readonly Request[],
  now: number,
  columns: number,
  paint: (level: string, text: string) => string,
  altered: readonly string[] = [],
): Promise<string> {
  const levels = requests.map((request) => (altered.includes(request.id) ? alteredMark : levelOf(request)));
  const rows = requests.map((request, index) => {
    const { client, thread } = askerOf(request);
    const who = thread === null ? client : `${client} · ${thread}`;
    const age = durationText(ageSecondsOf(request, now));
    return [
      request.id,
      levels[index] ?? "",
      age,
      who,
      shownText(directoryOf(request) ?? ""),
      summaryOf(request),
    ];
  });
  const widths = await widthsFor(rows.flat());
  const lines = fitted([["id", "level", "age", "who", "directory", "what"], ...rows], columns, widths);
  return lines
    .map((line, index) => `${index === 0 ? line : painted(line, levels[index - 1] ?? "", paint)}\n`)
    .join("");
}

const alteredMark = "altered";

/** What stands where an approval has its level. */
export function levelOf(request: Request): string {
  return request.kind === "approval" ? request.level : request.kind;
}

/** What stands in JSON for a request in a list. */
export function entryOf(request: Request, now: number): Record<string, unknown> {
  const isApproval = request.kind === "approval";
  return {
    id: request.id,
    kind: request.kind,
    level: isApproval ? request.level : null,
    ageSeconds: ageSecondsOf(request, now),
    expiresAt: request.expiresAt,
    client: request.client,
    thread: request.thread,
    directory: directoryOf(request),
    summary: summaryOf(request),
    subject: isApproval ? request.subject : null,
    assurance: isApproval ? request.assurance : null,
  };
}

function painted(line: string, level: string, paint: (level: string, text: string) => string): string {
  // The level is the second column, after an id that holds no blank.
  const at = line.indexOf(` ${level}`) + 1;
  const coloured = paint(level === alteredMark ? "dangerous" : level, level);
  return at === 0 ? line : line.slice(0, at) + coloured + line.slice(at + level.length);
}

/** A request as filed, less what only its server and its answers need. */
export function published(request: Request): Record<string, unknown> {
  const { nonce: _nonce, receiptCommit: _commitment, binding: _binding, ...rest } = request;
  return rest;
}
