/** A yes that was asked about once more and not given. */
import type { ApprovalRequest } from "../broker/index.js";
import type { Confirmation } from "./confirm.js";
import { exits } from "./exits.js";
import { lineToType } from "./line-to-type.js";
import { notAsked } from "./not-answered.js";
import { complain } from "./report.js";
import type { Terminal } from "./terminal.js";

/** Says that it still waits and what it takes, and returns the exit code. */
export function notConfirmed(
  confirmation: Exclude<Confirmation, { kind: "yes" }>,
  request: ApprovalRequest,
  terminal: Terminal,
): number {
  const { id } = request;
  switch (confirmation.kind) {
    case "no":
    case "wrong word": {
      const isTyped = confirmation.kind === "no";
      complain(terminal, {
        what: `Not approved: ${id} still waits${isTyped ? "" : ", and --confirm has another word than its action"}.`,
        why:
          isTyped || confirmation.isNeeded
            ? `To approve it, type "${confirmation.expected}".`
            : `It needs no --confirm: leave it out, or name "${confirmation.expected}".`,
        fix: `To deny it: ${lineToType(terminal, ["approvals", "deny", id])}`,
      });
      return exits.notApproved;
    }
    case "interrupted":
    case "ended":
      return notAsked(confirmation, request, terminal);
    default:
      return confirmation satisfies never;
  }
}
