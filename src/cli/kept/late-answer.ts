/** A person's yes or no to a request that has ended: nobody waits for it, so no server reads it. */
import {
  type LateRequest,
  lateObjection,
  type Receipt,
  type Scope,
  type Testimony,
} from "../../broker/index.js";
import { giveLateNo, giveLateYes } from "../../face/answer-late.js";
import { forWhom, summaryOf } from "../../face/describe.js";
import { noteText } from "../../face/ended.js";
import type { Kept } from "../../face/kept.js";
import { lateFactsOf, lateHereText } from "../../face/late-texts.js";
import { levelMarks, marked } from "../../face/level.js";
import { viewOf } from "../../face/view.js";
import { refusedAltered } from "../altered.js";
import { type Confirmation, confirm, isHardToRead } from "../confirm.js";
import { exits } from "../exits.js";
import { lineForList, lineToType } from "../line-to-type.js";
import { drawCard, paintFor } from "../render.js";
import { complain, refuse } from "../report.js";
import { talked } from "../talk.js";
import type { Terminal } from "../terminal.js";
import { chooseLate } from "./choose-late.js";

/** What was typed after `approve`. */
export interface LateApproval {
  readonly scope: Scope | null;
  readonly note: string | null;
  /** The word of `--confirm`. */
  readonly word: string | null;
}

/** Shows it, asks where it must, and keeps the yes for the next identical call. Ends with 0 only when it is kept. */
export async function approveOne(
  typed: string,
  { scope, note, word }: LateApproval,
  kept: Kept,
  look: () => Testimony,
  terminal: Terminal,
): Promise<number> {
  const late = chooseLate(typed, kept, terminal, true);
  if (typeof late === "number") return late;
  const { request } = late;
  const objection = lateObjection(request);
  if (objection !== null) return refusedLate(request.id, objection, terminal);
  if (scope !== null && scope !== "once") return refusedScope(request.id, scope, terminal);
  const facts = { ...lateFactsOf(late, kept.moment()), here: lateHereText(terminal) };
  const view = viewOf(request, kept.home, terminal, facts);
  if (view.objection !== null) return refusedAltered(request, view.objection, terminal);
  const { err, environment } = terminal;
  const drawn = await drawCard(view.card, err, paintFor(err, environment));
  err.write(drawn.text);
  const confirmation = await confirm(
    {
      request,
      scope: "once",
      given: word,
      isHardToRead: isHardToRead(drawn, view.card, err),
      untilEnd: (signal) => untilGone(request.id, kept, signal),
    },
    terminal,
    terminal.interruption(),
  );
  if (confirmation.kind !== "yes") return notConfirmed(confirmation, request.id, terminal);
  return await keep(late, note, kept, look, terminal);
}

/** Says no at once; from then on nobody can say yes to it. */
export async function denyOne(
  typed: string,
  note: string | null,
  kept: Kept,
  terminal: Terminal,
): Promise<number> {
  const late = chooseLate(typed, kept, terminal, true);
  if (typeof late === "number") return late;
  const { request } = late;
  const ending = await giveLateNo(late, note, { kept, via: terminal.via, seat: terminal });
  if (ending.kind === "gone") return reportGone(request.id, "denied", terminal);
  const next = "the next identical call asks again";
  terminal.out.write(talked(terminal.out, `denied: ${summaryOf(request)} — ${forWhom(request)}; ${next}\n`));
  if (note !== null) terminal.err.write("Nobody reads your note: no call waits for it.\n");
  return exits.done;
}

async function keep(
  late: LateRequest,
  note: string | null,
  kept: Kept,
  look: () => Testimony,
  terminal: Terminal,
): Promise<number> {
  const { request } = late;
  const ending = await giveLateYes(late, note, look, { kept, via: terminal.via, seat: terminal });
  switch (ending.kind) {
    case "kept": {
      const marks = ["once", ...levelMarks({ via: terminal.via, verified: ending.verified })];
      const what = marked("approved", marks);
      terminal.out.write(
        talked(terminal.out, `${what}: ${summaryOf(request)} — ${ending.effect}${noteText(note)}\n`),
      );
      return exits.done;
    }
    case "insufficient":
      return (await import("../shortfall.js")).refusedInsufficient(request, ending.shortfall, terminal);
    case "kept before":
      return refuse("answer_exists", terminal, {
        what: `${request.id} was approved before, or its time is over; your answer was not used.`,
        why: "One request lets one call through, however often it is answered.",
        fix: `See what is kept: ${lineToType(terminal, ["approvals", "granted"])}`,
      });
    case "gone":
      return reportGone(request.id, "approved", terminal);
    default:
      return ending satisfies never;
  }
}

/** Resolves when somebody else has answered it, or when `signal` is aborted: then the question goes away. */
function untilGone(id: string, { late, clock }: Kept, signal: AbortSignal): Promise<Receipt | null> {
  return new Promise((resolve) => {
    const timer = clock.every(
      lookAgainMs,
      () => {
        if (!isThere(id, late)) end();
      },
      true,
    );
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", end);
      resolve(null);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

const lookAgainMs = 1_000;

function isThere(id: string, late: Kept["late"]): boolean {
  try {
    return late.read(id) !== null;
  } catch {
    // The directory is not safe any more, and whoever answers is told so.
    return true;
  }
}

function refusedLate(id: string, objection: string, terminal: Terminal): number {
  const deny = lineToType(terminal, ["approvals", "deny", id]);
  return refuse("answer_exists", terminal, {
    what: `${id} has ended, and takes no late yes.`,
    why: `It cannot be approved any more: ${objection}.`,
    fix: `The next identical call asks again. To have done with this one: ${deny}`,
  });
}

function refusedScope(id: string, scope: Scope, terminal: Terminal): number {
  return refuse("invalid_input", terminal, {
    what: `${id} has ended, and takes no yes for the scope ${scope}.`,
    why: "It offers: once",
    fix: lineToType(terminal, ["approvals", "approve", id]),
  });
}

function reportGone(id: string, what: "approved" | "denied", terminal: Terminal): number {
  return refuse("answer_exists", terminal, {
    what: `Not ${what}: ${id} was answered, or asked again, in this moment.`,
    why: "Whoever came first took it away.",
    fix: `See what waits: ${lineForList(terminal)}`,
  });
}

function notConfirmed(
  confirmation: Exclude<Confirmation, { kind: "yes" }>,
  id: string,
  terminal: Terminal,
): number {
  const deny = `To deny it: ${lineToType(terminal, ["approvals", "deny", id])}`;
  switch (confirmation.kind) {
    case "no":
    case "wrong word":
      complain(terminal, {
        what: `Not approved: ${id} may still be answered.`,
        why:
          confirmation.kind === "no"
            ? `To approve it, type "${confirmation.expected}".`
            : `It needs no --confirm: leave it out, or name "${confirmation.expected}".`,
        fix: deny,
      });
      return exits.notApproved;
    case "interrupted":
      complain(terminal, { what: `Not answered: ${id} may still be answered.`, why: null, fix: deny });
      return exits.interrupted;
    case "ended":
      return reportGone(id, "approved", terminal);
    default:
      return confirmation satisfies never;
  }
}
