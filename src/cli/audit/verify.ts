/** `wisp audit verify`: does the log still say what was written into it? */
import {
  type BadPlace,
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

/** Verifies, and tells what came of it. Rejects as `verifyLog` does. */
export function verifyHome(home: Home, isJson: boolean, terminal: Terminal): number {
  const { clock, out } = terminal;
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const { ok, records, firstBad, fault } = verifyLog(home.path, keys);
  if (isJson) {
    const bad = ok ? {} : { firstBad, fault };
    out.write(jsonLine({ schemaVersion: 1, ok, records, ...bad }));
  } else if (ok) out.write(`${goodText(records)}\n`);
  if (ok) return exits.done;
  const { what, why } = faultTexts[fault];
  complain(terminal, { what: `${shownText(placeText(firstBad))}: ${what}`, why, fix: whatToDo });
  return exits.unexpected;
}

function goodText(records: number): string {
  return records === 0 ? "Nothing is written down yet." : `${records} records, each as it was written.`;
}

function placeText({ file, line, seq }: BadPlace): string {
  return seq === null ? `audit/${file}` : `audit/${file}:${line} (record ${seq})`;
}

/** In two lines of 80 columns. */
const whatToDo = "Keep a copy of audit/ and keys/, and ask who wrote there: docs/audit.md";

const faultTexts = {
  hash_mismatch: {
    what: "it is not what was written.",
    why: "Its bytes are not those that its hash was made of (hash_mismatch).",
  },
  seq_gap: {
    what: "records are missing before it, or are there twice.",
    why: "Numbers follow each other without a gap in a whole log (seq_gap).",
  },
  chain_break: {
    what: "it does not follow the record before it.",
    why: "Each record names the hash of the one before (chain_break).",
  },
  head_mismatch: {
    what: "the signed head says something else than the records.",
    why: "Records at the end were taken away, or the head is another (head_mismatch).",
  },
  bad_signature: {
    what: "it was not written by this home.",
    why: "What proves a record or the head is made with keys/ alone (bad_signature).",
  },
} as const satisfies Record<LogFault, { readonly what: string; readonly why: string }>;
