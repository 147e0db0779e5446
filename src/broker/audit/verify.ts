/**
 * Does a log still say what was written into it? Reads every file that is kept, in order, in pieces: a log of any length
 * takes the same memory. It writes nothing and takes no lock.
 */
import { join } from "node:path";
import { readOpened } from "../files/read.js";
import { judgeIfMade } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import { shellQuoted } from "../request/shell-quote.js";
import { chainLabel } from "./chain.js";
import { type FoundHead, readAnchor, readHead, saidBy } from "./head.js";
import { asideIn, auditDirectory, headName, logName } from "./places.js";
import { existingSigner } from "./signing-key.js";
import { type Bad, type BadPlace, createWalk, type LogFault, type Walk } from "./walk.js";

/** What came of it. `records`: how many were good, up to the first that was not; `says`: what is wrong there, in words. */
export type Verification =
  | { readonly ok: true; readonly records: number; readonly firstBad: null; readonly fault: null }
  | {
      readonly ok: false;
      readonly records: number;
      readonly firstBad: BadPlace;
      readonly fault: LogFault;
      readonly says: string;
    };

/**
 * Verifies the log of the home at `path`. One that was never written is good. Throws channel_unsafe, channel_unavailable
 * for a directory, a file or keys that are not ours alone, and audit_unavailable for a file that cannot be read.
 */
export function verifyLog(path: string, keys: Pick<Keys, "existingKey">): Verification {
  const directory = auditDirectory(path);
  if (!judgeIfMade(directory)) return verdictOf(readAnchor(path).seq === 0 ? null : gone);
  for (let tries = 0; ; tries += 1) {
    const signer = existingSigner(path);
    const found = readHead(directory, signer);
    const verification = verifyOnce(path, found, keys.existingKey(chainLabel));
    // Files may be put aside and removed while they are read; then the head has moved on as well.
    const hasMoved = found.kind === "good" && saidBy(readHead(directory, signer)) !== saidBy(found);
    if (verification.ok || !hasMoved || tries === mostTries) return verification;
  }
}

const mostTries = 5;

/** Where the log should be nothing is. */
const gone = missingFrom(1);

function missingFrom(seq: number | null): Bad {
  const says = "it is missing, and records with it";
  return { place: { file: logName, line: 1, seq }, fault: "head_mismatch", says };
}

function verdictOf(bad: Bad | null, records = 0): Verification {
  return bad === null
    ? { ok: true, records, firstBad: null, fault: null }
    : { ok: false, records, firstBad: bad.place, fault: bad.fault, says: bad.says };
}

function verifyOnce(path: string, found: FoundHead, key: Uint8Array | null): Verification {
  const directory = auditDirectory(path);
  const walk = createWalk(found.kind === "good" ? found.head : null, key);
  // It is opened before the others are listed: put aside meanwhile, it is read once, under either name.
  const current = readOpened(join(directory, logName), Number.MAX_SAFE_INTEGER, (file, stats) => {
    const { bad, hasOpen } = walkAside(directory, found, walk, stats);
    return bad === null && !hasOpen ? walk.file(file, logName, true) : bad;
  });
  if (current !== null && "kind" in current) {
    if (current.kind === "refused") throw unreadable(join(directory, logName), current.objection);
    const { bad } = walkAside(directory, found, walk, null);
    return verdictOf(bad ?? endOf(path, found, walk, false), walk.records());
  }
  return verdictOf(current ?? endOf(path, found, walk, true), walk.records());
}

/** Walks the files that were put aside and are kept, as far as they are good; is the open one among them? */
function walkAside(
  directory: string,
  found: FoundHead,
  walk: Walk,
  open: { readonly dev: bigint; readonly ino: bigint } | null,
): { readonly bad: Bad | null; readonly hasOpen: boolean } {
  const from = found.kind === "good" ? found.head.start.seq : 0;
  let hasOpen = false;
  for (const { name, last } of asideIn(directory)) {
    // What the head has let go of may not be removed yet.
    if (last < from) continue;
    const file = join(directory, name);
    const bad = readOpened(file, Number.MAX_SAFE_INTEGER, (opened, stats) => {
      hasOpen ||= open !== null && stats.dev === open.dev && stats.ino === open.ino;
      return walk.file(opened, name, false);
    });
    if (bad === null) continue;
    if (!("kind" in bad)) return { bad, hasOpen };
    // A missing one shows at the number of the record after it.
    if (bad.kind === "refused") throw unreadable(file, bad.objection);
  }
  return { bad: null, hasOpen };
}

/** What is wrong with the head or the anchor where every record is good. `isThere`: is `log.jsonl`? */
function endOf(path: string, found: FoundHead, walk: Walk, isThere: boolean): Bad | null {
  const head: BadPlace = { file: headName, line: 1, seq: null };
  const anchor = readAnchor(path);
  if (found.kind === "bad") {
    const says = existingSigner(path) === null ? headSays.no_key : headSays[found.fault];
    return { place: head, fault: "bad_signature", says };
  }
  if (found.kind === "missing") {
    const isNew = walk.records() === 0 && anchor.seq === 0;
    return isNew ? null : { place: head, fault: "head_mismatch", says: headSays.head_missing };
  }
  const place = walk.next();
  if (place.seq !== null && Math.max(found.head.seq, anchor.seq) >= place.seq) {
    if (!isThere) return missingFrom(place.seq);
    return { place, fault: "head_mismatch", says: "records are missing from here on" };
  }
  const isOlder = anchor.head > found.head.seq || anchor.start > found.head.start.seq;
  const says = "it is older than the one that was signed last";
  return isOlder ? { place: head, fault: "head_mismatch", says } : null;
}

const headSays = {
  head_missing: "it is missing, so it is not known where the log ended",
  head_unreadable: "it is no head",
  head_not_signed: "it was not signed by this home",
  no_key: "keys/audit is missing: nothing proves who signed it",
} as const;

function unreadable(path: string, objection: string): WispError {
  return new WispError("audit_unavailable", `${path}: ${objection}.`, {
    why: "It is not a private file of yours, so what it says is not looked at.",
    fix:
      objection === "open to others" ? `chmod 600 ${shellQuoted(path)}` : `Move ${shellQuoted(path)} away.`,
  });
}
