/** What the life of a request has to know of approvals. */
import type { Outcome } from "../request/outcome.js";
import type { ApprovalRequest, Level } from "../request/request.js";
import type { Ask } from "./approver.js";
import { pendingEvent } from "./asking-record.js";
import { endedAlone } from "./call.js";
import { type DialogUse, noDialogThere } from "./dialog-use.js";
import { decidedEvent, joinedEvents, requestedEvents } from "./record.js";
import type { WaitKind } from "./wait-kind.js";

function rememberOf({ remember }: Ask): Pick<ApprovalRequest, "remember"> {
  if (remember === null) return {};
  const { offers, days } = remember;
  return { remember: { offers, days } };
}

/** `dialogCounts` says at which levels a dialog's answer is enough. */
export function approvalKind(
  dialogUse: DialogUse,
  dialogCounts: (level: Level) => boolean,
): WaitKind<Ask, ApprovalRequest, Outcome> {
  return {
    objection({ client, level }, dialog) {
      if (dialog === null) return noDialogThere;
      if (!dialogCounts(level)) {
        return `the client's dialog does not count for what is ${level} (approval.require)`;
      }
      return dialogUse.objection(client);
    },
    drafted(ask, expiresAt, assurance) {
      const { subject, level, reasons, rule, says, scopes, client, caller, thread, longTexts } = ask;
      const remember = rememberOf(ask);
      const what = { subject, level, reasons: [...reasons], rule, says, scopes: [...scopes], ...remember };
      const draft = { kind: "approval", expiresAt, ...what, assurance, client, caller, thread } as const;
      return { draft, longTexts };
    },
    requested: requestedEvents,
    joined: joinedEvents,
    pending: (request, how) => pendingEvent("approval.pending", request, how),
    ended: (ask, request, { name, why, seconds }) => [decidedEvent(ask, request, name, { why, seconds })],
    told: endedAlone,
  };
}
