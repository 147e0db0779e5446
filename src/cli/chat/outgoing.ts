/** Lines for a front end, each an object with `type`. Reference: docs/chat.md. */
import { type ApprovalRequest, type Home, type Request, typedWord, version } from "../../broker/index.js";
import type { Given } from "../../face/answer.js";
import type { Left } from "../../face/inbox.js";
import { objectionTo } from "../../face/view.js";
import { wholeTextsOf } from "../../face/whole-texts.js";
import { effects } from "./incoming.js";
import type { Refusal } from "./refusal.js";

/** The first line. */
export function helloLine(): object {
  return { type: "hello", version, effects };
}

/** A request as it was filed, and beside it what an approval cannot be shown or answered without. */
export function requestLine(request: Request, home: Home): object {
  const beside = request.kind === "approval" ? besideApproval(request, home) : {};
  return { type: request.kind, request, ...beside };
}

/** What of the person's files waits to be accepted or cannot be used, all of it; empty where nothing does any more. */
export function filesLine(notices: readonly string[]): object {
  return { type: "files", notices };
}

/** This front end's own answer was taken; for less than it asked where what is dangerous is not remembered. */
export function acceptedLine(id: string, given: Given): object {
  const downgradedFrom =
    given.decision === "approve" && "downgradedFrom" in given ? given.downgradedFrom : null;
  return { type: "accepted", id, ...(downgradedFrom == null ? {} : { scope: given.scope, downgradedFrom }) };
}

/** It waits no longer; nulls where nothing says how it ended. */
export function withdrawnLine(id: string, ending: Left | null): object {
  const { outcome = null, decision = null, via = null } = ending?.receipt ?? {};
  return { type: "withdrawn", id, outcome, decision, via, proved: ending?.proof === "proved" };
}

/** An answer, or a line, that was not taken; a request that it names goes on waiting unless it has ended. */
export function refusedLine(id: string | null, { code, why }: Refusal): object {
  return { type: "refused", id, code, why };
}

/** Nothing happened. It is written so that the end of whoever reads is noticed. */
export const aliveLine: object = { type: "alive" };

function besideApproval(request: ApprovalRequest, home: Home): object {
  const { subject, level } = request;
  const texts = wholeTextsOf(request, home);
  const isSpooled =
    subject.type === "command" && (typeof subject.line !== "string" || typeof subject.command !== "string");
  return {
    word: level === "dangerous" ? typedWord(subject) : null,
    texts: isSpooled ? texts : null,
    objection: objectionTo(request, texts),
  };
}
