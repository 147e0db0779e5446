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
  resolveHome,
  rootSecretOf,
  shownText,
  type Testimony,
  writeAccepted,
} from "../../broker/index.js";
import { auditIn } from "../../face/kept-log.js";
import { wispLine } from "../../face/quote.js";
import { exits } from "../exits.js";
import { judgeLasting, type LastingLook } from "../lasting.js";
import { paintFor } from "../render.js";
import { complain, refuse, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { countText, isWaiting, proposalsIn } from "./proposals.js";
import { proposalText } from "./show.js";

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
  const { err, environment } = terminal;
  for (const one of changed) err.write(proposalText(one, paintFor(err, environment)));
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
    terminal.out.write(changed.map((one) => `accepted: ${one.name} (${countText(one)})\n`).join(""));
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

/** What makes more ask needs a y; what lets more through a whole word, which nobody types by the way. */
async function notConfirmed(changed: readonly AcceptProposal[], terminal: Terminal): Promise<number | null> {
  const isLooser = changed.some(({ changes, distrust }) => distrust !== null || changes.some(isWaiting));
  const word = isLooser ? "accept" : "y";
  const interrupted = terminal.interruption();
  const question = `Type ${isLooser ? '"accept"' : "y"} and Enter to accept all of it; anything else changes nothing: `;
  const typed = await terminal.readLine(question, interrupted);
  if (!interrupted.aborted && typed?.trim() === word) return null;
  complain(terminal, {
    what: "Nothing was accepted.",
    why: isLooser ? "What is looser still waits." : null,
    fix: null,
  });
  return interrupted.aborted ? exits.interrupted : exits.notApproved;
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

async function seal({ name, value }: AcceptProposal, place: Place): Promise<void> {
  if (value === null) await removeAccepted(place, name, place.keys);
  else await writeAccepted(place, name, value, place.keys);
}
