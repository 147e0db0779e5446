/** What the life of a request has to know of questions. */
import type { QuestionRequest } from "../request/request.js";
import { pendingEvent } from "./asking-record.js";
import { type DialogUse, noDialogThere } from "./dialog-use.js";
import { questionEndedAlone } from "./question-ends.js";
import { questionRequestedEvent, questionToldEvent } from "./question-record.js";
import type { QuestionAsk, QuestionEnd } from "./questioner.js";
import type { WaitKind } from "./wait-kind.js";

/** `dialogCounts` says whether a dialog's answer is enough, which has no level here. */
export function questionKind(
  dialogUse: DialogUse,
  dialogCounts: () => boolean,
): WaitKind<QuestionAsk, QuestionRequest, QuestionEnd> {
  return {
    objection({ client }, dialog) {
      if (dialog === null) return noDialogThere;
      if (!dialogCounts()) return "the client's dialog does not count for anything (approval.require)";
      return dialogUse.objection(client);
    },
    drafted({ question, client, caller, thread }, expiresAt) {
      const draft = { kind: "question", expiresAt, question, says: null, client, caller, thread } as const;
      return { draft, longTexts: [] };
    },
    requested: (ask, ways) => [questionRequestedEvent(ask, null, ways)],
    joined: (ask, joins) => [questionRequestedEvent(ask, joins, { joins })],
    pending: (request, how) => pendingEvent("question.pending", request, how),
    ended: (ask, request, { name, why, seconds }) => [
      questionToldEvent(ask, { name, request, note: why, seconds }, false),
    ],
    told: questionEndedAlone,
  };
}
