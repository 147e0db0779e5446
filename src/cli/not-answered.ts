/** A question at the terminal was not answered, so neither is the request. */
import type { Request } from "../broker/index.js";
import { proofOf } from "../face/ended.js";
import { verbOf } from "../face/verb-of.js";
import type { Typed } from "./confirm.js";
import { exits } from "./exits.js";
import { lineForList, lineToType } from "./line-to-type.js";
import { complain } from "./report.js";
import { reportEnded, reportGone } from "./report-ended.js";
import type { Terminal } from "./terminal.js";

/** What was typed was no answer: `why`. Returns the exit code. */
export function notAnswered({ id, kind }: Request, why: string | null, terminal: Terminal): number {
  const verb = verbOf(kind, false);
  complain(terminal, {
    what: `Not answered: ${id} still waits.`,
    why,
    fix: `To ${verb[1]} it: ${lineToType(terminal, [...verb, id])}`,
  });
  return exits.notApproved;
}

/** Nothing was typed: Ctrl-C came first, or the end of the request. Returns the exit code. */
export function notAsked(
  said: Exclude<Typed, { kind: "line" }>,
  request: Request,
  terminal: Terminal,
): number {
  switch (said.kind) {
    case "interrupted":
      complain(terminal, {
        what: `Not answered: ${request.id} still waits.`,
        why: null,
        fix: lineForList(terminal),
      });
      return exits.interrupted;
    case "ended":
      return said.receipt === null
        ? reportGone(request.id, terminal)
        : reportEnded(said.receipt, proofOf(said.receipt, request), terminal);
    default:
      return said satisfies never;
  }
}
