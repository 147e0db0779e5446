/**
 * Gives one answer and stays until it is known what became of it. Exactly one face ends with success: the one whose
 * own answer stands in the receipt.
 */
import {
  type AnswerEnding,
  answerAndWait,
  isOfAltered,
  isYes,
  type Receipt,
  type Request,
} from "../broker/index.js";
import { answerOf, type Given } from "../face/answer.js";
import { asCarriedOut } from "../face/carried-out.js";
import { contentText, forWhom, titleOf } from "../face/describe.js";
import { answerText, decisionWords, endText, noteText, nothingCame, proofOf } from "../face/ended.js";
import { levelMarks, marked } from "../face/level.js";
import { lifeText } from "../face/remember-lines.js";
import { hasServerGone } from "../face/server-gone.js";
import type { Waiting } from "../face/waiting.js";
import { exits } from "./exits.js";
import { lineForDoctor, lineToType } from "./line-to-type.js";
import { complain, refuse } from "./report.js";
import { reportGone, reportTooLate } from "./report-ended.js";
import { talked } from "./talk.js";
import type { Terminal } from "./terminal.js";

/** Answers `request` as it was shown, tells the person how it ended, and returns the exit code. */
export async function giveAnswer(
  request: Request,
  given: Given,
  waiting: Waiting,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<number> {
  const { clock, err } = terminal;
  const answer = answerOf(request, given, terminal.via, terminal);
  const ending = await answerAndWait(request, answer, {
    channel: waiting.channel,
    clock,
    signal: interrupted,
    onSilent: () =>
      err.write(
        isLeft(request, waiting, terminal)
          ? "still at it: its server is gone, so this command itself carries your answer out\n"
          : `waiting for the server (process ${request.server.pid}), which has not read it yet; a yes counts only while this command is there\n`,
      ),
    sweep: waiting.sweepAgain,
    given: waiting.given,
  });
  const seen = await asCarriedOut(ending, request, answer, waiting.home, terminal, terminal.via);
  return await reportEnding(seen, request, given, waiting, terminal);
}

/** A fact waits on without its server. */
function isLeft(request: Request, { home }: Waiting, terminal: Terminal): boolean {
  return request.kind === "fact" && hasServerGone(request, home, terminal);
}

async function reportEnding(
  ending: AnswerEnding,
  request: Request,
  given: Given,
  waiting: Waiting,
  terminal: Terminal,
): Promise<number> {
  const see = `See how it ends: ${lineToType(terminal, ["approvals", "wait", request.id])}`;
  switch (ending.kind) {
    case "won":
      return ending.receipt.outcome === "answered"
        ? reportTaken(request, given, ending, waiting, terminal)
        : (await import("./shortfall.js")).reportNotRun(ending.receipt, request, terminal);
    case "settled":
      return isOfAltered(ending.receipt)
        ? reportAltered(ending.receipt, request, terminal)
        : reportTooLate(ending.receipt, proofOf(ending.receipt, request), terminal);
    case "first":
      return refuse("answer_exists", terminal, {
        ...(ending.winner === null
          ? {
              what: `Your answer to ${request.id} was not used: something that is no answer stands in its place.`,
              why: "Its server has not cleared it away; it is stopped or busy, and the request still waits.",
            }
          : {
              what: `${request.id} was answered first elsewhere; your answer was not used.`,
              why: `It is ${answerText(ending.winner)}; its server has not looked yet at who gave it.`,
            }),
        fix: see,
      });
    case "refused":
      return ending.shortfall === null
        ? (await import("./shortfall.js")).reportRefused(request, waiting, terminal)
        : (await import("./shortfall.js")).refusedInsufficient(request, ending.shortfall, terminal);
    case "gone":
      return reportGone(request.id, terminal);
    case "unread":
      complain(terminal, {
        what: `Not read yet: the server has not looked at your answer to ${request.id}.`,
        why: isYes(given.decision)
          ? "It will not count: a server looks at the command that says yes while that is there."
          : "It stays where it is and counts as soon as the server reads it.",
        fix: see,
      });
      return exits.interrupted;
    default:
      return ending satisfies never;
  }
}

function reportTaken(
  request: Request,
  given: Given,
  { receipt, isVerified }: Extract<AnswerEnding, { kind: "won" }>,
  waiting: Waiting,
  terminal: Terminal,
): number {
  // A yes that was to be remembered, and could not be, counts once: its receipt says so.
  const { what, scope } = decisionWords(given.decision, receipt.scope);
  // Where nobody is left to prove it, this command kept or dropped it: that is no reason to doubt.
  const isAlone = !isVerified && isLeft(request, waiting, terminal);
  const head = isAlone
    ? marked(what, [scope, "its server is gone"])
    : marked(what, [
        scope,
        lifeText(request, receipt),
        ...levelMarks(receipt),
        isVerified ? null : "unverified",
      ]);
  const words = given.decision === "answer" ? contentText(request, given) : receipt.note;
  terminal.out.write(
    talked(terminal.out, `${head}: ${titleOf(request)} — ${forWhom(request)}${noteText(words)}\n`),
  );
  // A yes is one thing, and what becomes of the call another: it may have drifted, or its server may be gone.
  if (given.decision === "approve" && request.kind === "approval" && request.subject.type === "tool") {
    terminal.err.write(`Whether it ran: ${lineToType(terminal, ["audit", "show", request.id])}\n`);
  }
  return exits.done;
}

/** What was shown and answered was not what its server had filed, which nobody could see before the server looked. */
function reportAltered(receipt: Receipt, request: Request, terminal: Terminal): number {
  return refuse("request_altered", terminal, {
    what: `${request.id} was changed after it was filed: what you were shown is not what was asked.`,
    why: `It ended: ${endText(receipt, proofOf(receipt, request))}; ${nothingCame[request.kind]}.`,
    fix: lineForDoctor(terminal),
  });
}
