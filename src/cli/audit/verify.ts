/** `wisp audit verify`: does the log still say what was written into it? */
import {
  ensureHome,
  type Home,
  type LogFault,
  rootSecretOf,
  shownText,
  verifyLog,
} from "../../broker/index.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import { placeText } from "./place.js";

/** Verifies, and tells what came of it. Rejects as `verifyLog` does. */
export function verifyHome(home: Home, isJson: boolean, terminal: Terminal): number {
  const { clock, out } = terminal;
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const found = verifyLog(home.path, keys);
  const { ok, records, firstBad, fault } = found;
  if (isJson) {
    const bad = ok ? {} : { firstBad, fault };
    out.write(jsonLine({ schemaVersion: 1, ok, records, ...bad }));
  } else if (ok) out.write(`${goodText(records)}\n`);
  if (ok) return exits.done;
  const what = `${shownText(placeText(firstBad))}: ${found.says}.`;
  complain(terminal, { what, why: whys[fault], fix: whatToDo });
  return exits.unexpected;
}

function goodText(records: number): string {
  if (records === 0) return "Nothing is written down yet.";
  return records === 1 ? "1 record, as it was written." : `${records} records, each as it was written.`;
}

/** In two lines of 80 columns. */
const whatToDo = "Keep a copy of audit/ and keys/, and ask who wrote there: docs/audit.md";

const whys = {
  hash_mismatch: "Its bytes are not those that its hash was made of (hash_mismatch).",
  seq_gap: "Numbers follow each other without a gap in a whole log (seq_gap).",
  chain_break: "Each record names the hash of the one before (chain_break).",
  head_mismatch: "audit/head.json or keys/audit-anchor says otherwise (head_mismatch).",
  bad_signature: "What proves a record or the head is made with keys/ alone (bad_signature).",
} as const satisfies Record<LogFault, string>;
