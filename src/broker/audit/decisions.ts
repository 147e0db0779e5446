/**
 * What the log says of one request, for whoever must know whether a yes was given and whether it was used. Invariant: only
 * records with a good mac say that something was decided. A line that is not ours can only stop something.
 */
import { eachLineWith } from "../files/lines.js";
import type { Keys } from "../request/seal.js";
import { type AuditRecord, chainLabel, ownPlace } from "./chain.js";
import { logPathsNewestFirst } from "./places.js";

/** What was found about one request. */
export interface Recorded {
  /** The hashes of the answers that approved it. */
  readonly approvals: readonly string[];
  /** Whether something may have run because of it, and nobody wrote down since that it did not. */
  readonly hasEffect: boolean;
}

/** What a line that names the request says; null for one that is torn, or not ours. */
type Said = AuditRecord | null;

/**
 * Looks through the log of the home at `path` for request `id`, back to where it was filed. Null where the log is missing or
 * cannot be read as ours: then nobody can say what was done. A line that names the request and is not ours counts as an
 * effect: what was there before it was altered may be that the command ran.
 */
export function recordedOf(path: string, id: string, keys: Pick<Keys, "existingKey">): Recorded | null {
  const key = keyOrNull(keys);
  if (key === null) return null;
  const said: Said[] = [];
  let hasLog = false;
  for (const file of logPathsNewestFirst(path)) {
    const here: Said[] = [];
    const result = eachLineWith(file, `"${id}"`, (line, isWhole) =>
      here.push(ownRecordIn(line, isWhole, key)),
    );
    if (result.kind === "refused") return null;
    hasLog ||= result.kind === "read";
    said.unshift(...here);
    // Nothing is said of a request before it is filed.
    if (here.some((one) => one?.call === id && one.kind === "approval.requested")) break;
  }
  return hasLog ? foundIn(said, id) : null;
}

function foundIn(said: readonly Said[], id: string): Recorded {
  const approvals: string[] = [];
  let hasEffect = false;
  let hasForeign = false;
  for (const record of said) {
    if (record === null) hasForeign = true;
    else if (record.call === id) read(record);
  }
  return { approvals, hasEffect: hasEffect || hasForeign };

  function read({ kind, details }: AuditRecord): void {
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
 * is missing or cannot be read as ours. One reading for all, back to where the last of them was filed.
 */
export function factAnswersRecordedOf(
  path: string,
  ids: ReadonlySet<string>,
  keys: Pick<Keys, "existingKey">,
): ReadonlyMap<string, readonly string[]> {
  const key = keyOrNull(keys);
  if (key === null) return new Map();
  const answers = new Map<string, string[]>();
  const filed = new Set<string>();
  for (const file of logPathsNewestFirst(path)) {
    const here = new Map<string, string[]>();
    const result = eachLineWith(file, '"kind":"fact.', (line, isWhole) => {
      const id = isWhole ? callIn(line) : null;
      if (id === null || !ids.has(id)) return;
      const record = ownRecordIn(line, true, key);
      if (record?.call !== id) return;
      const { answer } = record.details;
      if (record.kind === "fact.requested") filed.add(id);
      else if (record.kind === "fact.answered" && typeof answer === "string")
        here.set(id, [...(here.get(id) ?? []), answer]);
    });
    if (result.kind === "refused") return new Map();
    for (const [id, found] of here) answers.set(id, [...found, ...(answers.get(id) ?? [])]);
    if (filed.size === ids.size) break;
  }
  return answers;
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

function ownRecordIn(line: Uint8Array, isWhole: boolean, key: Uint8Array): Said {
  if (!isWhole || ownPlace(line, key) === null) return null;
  return JSON.parse(Buffer.from(line).toString("utf8")) as AuditRecord;
}

function keyOrNull(keys: Pick<Keys, "existingKey">): Uint8Array | null {
  try {
    return keys.existingKey(chainLabel);
  } catch {
    // Without a secret that can be trusted no record can be.
    return null;
  }
}
