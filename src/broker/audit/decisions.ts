/** What the log says of one request, for whoever must know whether a yes was given and whether it was used. */
import { join } from "node:path";
import { eachLineWith } from "../files/lines.js";
import { parseStrictJson } from "../request/strict-json.js";

/** What was found about one request. */
export interface Recorded {
  /** The hashes of the answers that approved it. */
  readonly approvals: readonly string[];
  /** Whether something may have run because of it, and nobody wrote down since that it did not. */
  readonly hasEffect: boolean;
}

/**
 * Looks through the log of the home at `path` for request `id`. Null where the log is missing or cannot be read as
 * ours: then nobody can say what was done. A line about the request that cannot be read counts as an effect.
 */
export function recordedOf(path: string, id: string): Recorded | null {
  const approvals: string[] = [];
  let hasEffect = false;
  let isTorn = false;
  const result = eachLineWith(join(path, "audit", "log.jsonl"), `"${id}"`, (line, isWhole) => {
    const record = isWhole ? recordIn(line) : null;
    // Torn or not JSON: what it was about to say may be that the command ran.
    if (record === null) isTorn = true;
    else if (record.call === id) read(record);
  });
  return result.kind === "read" ? { approvals, hasEffect: hasEffect || isTorn } : null;

  function read({ kind, details }: LogRecord): void {
    switch (kind) {
      case "approval.answered":
        if (details.decision === "approve" && typeof details.answer === "string") {
          approvals.push(details.answer);
        }
        return;
      case "effect.started":
      case "effect.finished":
        hasEffect = true;
        return;
      case "grant.released":
        // It is written only when it is certain that nothing ran.
        hasEffect = false;
        return;
    }
  }
}

/**
 * The hashes of the answers that decided each of these facts, by id; none of a fact that nobody decided, nor where the log
 * is missing or cannot be read as ours. One reading for all.
 */
export function factAnswersRecordedOf(
  path: string,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const answers = new Map<string, string[]>();
  const result = eachLineWith(join(path, "audit", "log.jsonl"), '"kind":"fact.answered"', (line, isWhole) => {
    const id = isWhole ? callIn(line) : null;
    if (id === null || !ids.has(id)) return;
    const record = recordIn(line);
    if (record?.kind !== "fact.answered" || record.call !== id) return;
    const { answer } = record.details;
    if (typeof answer === "string") answers.set(id, [...(answers.get(id) ?? []), answer]);
  });
  return result.kind === "read" ? answers : new Map();
}

const beforeCall = '"call":"';

/** The request that a line is about, by its text: to parse every line of a long log takes much longer. */
function callIn(line: Uint8Array): string | null {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const at = bytes.indexOf(beforeCall);
  if (at === -1) return null;
  const start = at + beforeCall.length;
  const end = bytes.indexOf('"', start);
  return end === -1 ? null : bytes.toString("latin1", start, end);
}

interface LogRecord {
  readonly kind: unknown;
  readonly call: unknown;
  readonly details: Readonly<Record<string, unknown>>;
}

function recordIn(line: Uint8Array): LogRecord | null {
  const parsed = parseStrictJson(line);
  if (!parsed.ok || !isObject(parsed.value)) return null;
  const { kind, call, details } = parsed.value;
  return { kind, call, details: isObject(details) ? details : {} };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
