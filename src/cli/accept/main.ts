/**
 * `wisp accept`: what is looser in the person's files comes in force. A program of its own. Invariant: what is sealed is
 * what was shown, to the last byte; who changes a file meanwhile changes nothing, and all is asked again.
 */
import {
  type AcceptProposal,
  type AuditLog,
  changingSealed,
  ensureHome,
  isHomeMade,
  isSameProposal,
  judgeHome,
  type Keys,
  livenessOf,
  ownIdentity,
  removeAccepted,
  replaceNow,
  resolveHome,
  rootSecretOf,
  shownText,
  type Testimony,
  writeAccepted,
} from "../../broker/index.js";
import { auditIn } from "../../face/kept-log.js";
import { wispLine } from "../../face/quote.js";
import { widthsFor } from "../../face/widths.js";
import { exits } from "../exits.js";
import { judgeLasting, type LastingLook } from "../lasting.js";
import { paintFor } from "../render.js";
import { complain, refuse, reportError } from "../report.js";
import { askedIn } from "../talk.js";
import type { Terminal } from "../terminal.js";
import { countText, isWaiting, proposalsIn } from "./proposals.js";
import { linesOfAll, looserMark, pagesOf } from "./show.js";

/** Shows, asks, seals; returns the exit code. */
export async function accept(terminal: Terminal, look?: LastingLook): Promise<number> {
  try {
    return await accepting(terminal, look);
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  }
}

async function accepting(terminal: Terminal, look: LastingLook | undefined): Promise<number> {
  const what = { refusal: "Nothing was accepted", words: ["accept"] };
  const judged = await judgeLasting(terminal, what, look);
  if (judged.kind === "refused") return judged.exit;
  const place = placeOf(terminal);
  const shown = proposalsIn(place.path, place.keys, terminal.environment);
  const faults = shown.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  for (const fault of faults)
    complain(terminal, { what: shownText(fault.message), why: null, fix: shownText(fault.fix) });
  if (faults.length > 0) return exits.faulty;
  const changed = shown.filter(({ changes, distrust }) => changes.length > 0 || distrust !== null);
  if (changed.length === 0) {
    terminal.out.write("Nothing to accept: the files say what was accepted.\n");
    return exits.done;
  }
  const { environment } = terminal;
  const tooMany = refusedTooMany(changed, terminal);
  if (tooMany !== null) return tooMany;
  const stopped = await notConfirmed(changed, terminal);
  if (stopped !== null) return stopped;
  return await changingSealed(place, place.holders, async () => {
    const now = proposalsIn(place.path, place.keys, environment);
    const isSame = now.every((one, index) => {
      const before = shown[index];
      return before !== undefined && isSameProposal(one, before);
    });
    if (!isSame) return refusedChanged(terminal);
    // Written down before it is done: what nobody can look up later is not accepted.
    await writeDown(changed, judged.seen, place.audit);
    for (const one of changed) await seal(one, place);
    terminal.out.write(changed.map((one) => `accepted: ${one.name} (${countText([one])})\n`).join(""));
    return exits.done;
  });
}

type Place = ReturnType<typeof placeOf>;

function placeOf({ environment, directory, clock, via }: Terminal) {
  const home = resolveHome(environment, directory);
  if (isHomeMade(home)) judgeHome(home);
  const own = ownIdentity();
  const where = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const keys: Keys = rootSecretOf(where);
  const audit = auditIn(where, via, keys);
  const liveness = (one: Parameters<typeof livenessOf>[0]) => livenessOf(one, own);
  return { ...where, keys, audit, holders: { own, liveness } };
}

/** What nobody reads to its end is not accepted in one go. */
const mostWaiting = 200;

function refusedTooMany(changed: readonly AcceptProposal[], terminal: Terminal): number | null {
  const counts = changed.map(({ name, changes }) => ({ name, count: changes.filter(isWaiting).length }));
  if (counts.reduce((sum, { count }) => sum + count, 0) <= mostWaiting) return null;
  const named = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} in ${name}`);
  complain(terminal, {
    what: `Nothing was accepted: more wait than the ${mostWaiting} that are accepted at once: ${named.join(", ")}.`,
    why: "What lets more through is read before it counts, and nobody reads so many in one go.",
    fix: `Leave at most ${mostWaiting} of them in the files, accept those, then add the next. A * stands for many.`,
  });
  return exits.faulty;
}

/** Shows all of it, a page at a time; null once the person has seen it and said yes, else the exit code. */
async function notConfirmed(changed: readonly AcceptProposal[], terminal: Terminal): Promise<number | null> {
  const waiting = changed.map(({ changes, distrust }) => ({ changes: changes.filter(isWaiting), distrust }));
  const isLooser = waiting.some(({ changes, distrust }) => distrust !== null || changes.length > 0);
  const interrupted = terminal.interruption();
  const isTyped = async (question: string, word: string): Promise<boolean> => {
    const typed = await terminal.readLine(question, interrupted);
    return !interrupted.aborted && typed?.trim() === word;
  };
  // What makes more ask needs a y; what lets more through a whole word, which nobody types by the way.
  const [word, count] = isLooser ? ["accept", `${countText(waiting)}.\n`] : ["y", ""];
  const quoted = isLooser ? `"${word}"` : word;
  const asked = `${count}Type ${quoted} and Enter to accept all of it; anything else changes nothing: `;
  const question = askedIn(terminal.err.columns, asked, word);
  const isRead = await isSeen(changed, question, terminal, (next) => isTyped(next, ""));
  if (isRead && (await isTyped(question, word))) return null;
  complain(terminal, {
    what: "Nothing was accepted.",
    why: isLooser ? "What is looser still waits." : null,
    fix: null,
  });
  return interrupted.aborted ? exits.interrupted : exits.notApproved;
}

/** Rows for a question, and for what is typed. On a narrow screen the last one takes more. */
const questionRows = 3;

/** Shows the pages, with room for `last`; `goesOn` asks for the next one. False where the person did not want to see it. */
async function isSeen(
  changed: readonly AcceptProposal[],
  last: string,
  { err, environment }: Terminal,
  goesOn: (question: string) => Promise<boolean>,
): Promise<boolean> {
  const lines = linesOfAll(changed);
  const paint = paintFor(err, environment);
  const { columns, rows } = err;
  const beside = Math.max(questionRows, last.split("\n").length);
  const pages = pagesOf(lines, { columns, rows: rows - beside }, await widthsFor(lines));
  for (const [index, page] of pages.entries()) {
    for (const row of page) err.write(`${row.replace(looserMark, (mark) => paint("high", mark))}\n`);
    const isLast = index === pages.length - 1;
    const question = `Page ${index + 1} of ${pages.length}. Enter for the next; anything else changes nothing: `;
    if (!isLast && !(await goesOn(question))) return false;
  }
  return true;
}

function refusedChanged(terminal: Terminal): number {
  return refuse("not_accepted", terminal, {
    what: "Nothing was accepted: a file changed while you were reading.",
    why: "Only what was shown is accepted.",
    fix: `Look at it again: ${wispLine(terminal.environment, ["accept"])}`,
  });
}

async function writeDown(
  changed: readonly AcceptProposal[],
  seen: Testimony["seen"],
  audit: AuditLog,
): Promise<void> {
  await audit.append(
    changed.map(({ name, before, after, changes }) => ({
      kind: "policy.accepted" as const,
      call: null,
      verified: seen,
      details: {
        file: name,
        before,
        after,
        looser: changes.filter(isWaiting).map(({ text }) => shownText(text)),
      },
    })),
    "durable",
  );
}

async function seal({ name, value, rewritten }: AcceptProposal, place: Place): Promise<void> {
  if (value === null) await removeAccepted(place, name, place.keys);
  else await writeAccepted(place, name, value, place.keys);
  // After its seal: whoever dies in between leaves entries that wait.
  if (rewritten !== null) replaceNow(place.path, name, rewritten, place.clock);
}
