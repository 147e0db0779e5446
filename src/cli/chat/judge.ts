/** Whether the answer of a front end may be given: the checks of every face, before anything is written. */
import {
  type ApprovalRequest,
  type ErrorCode,
  type Home,
  type Request,
  scopes,
  typedWord,
} from "../../broker/index.js";
import type { Given } from "../../face/answer.js";
import { objectionTo } from "../../face/view.js";
import { wholeTextsOf } from "../../face/whole-texts.js";
import type { AnswerLine } from "./incoming.js";

/** Why not: `why` is a text of our own that names what was wrong. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly why: string;
}

/** An answer that may be given, or why it may not. */
export type Judged = { readonly given: Given } | { readonly refusal: Refusal };

/** `request` is what the front end was sent: what it answers is what it was shown. */
export function judged(answer: AnswerLine, request: Request, home: Home): Judged {
  const { decision, hasContent, scope } = answer;
  if (!decisionsOf[request.kind].includes(decision)) {
    return refused(
      "invalid_input",
      `a request of this kind is decided with ${decisionsOf[request.kind].join(" or ")}`,
    );
  }
  if (request.kind !== "approval") {
    return refused("answer_refused", `this version of wisp decides no ${request.kind}; it goes on waiting`);
  }
  if (hasContent) return refused("invalid_input", "only a question is answered with values or text");
  if (decision === "approve") return judgedYes(answer, request, home);
  if (scope !== null) return refused("invalid_input", "a no has no scope");
  // A no that is bound to something else than what its server holds would not be taken.
  if (objectionTo(request, wholeTextsOf(request, home)) === altered)
    return refused("request_altered", altered);
  return { given: { decision: "deny", scope: null, note: answer.note } };
}

const decisionsOf: Readonly<Record<Request["kind"], readonly string[]>> = {
  approval: ["approve", "deny"],
  fact: ["keep", "drop"],
  question: ["answer", "decline"],
};

const altered = "the request was changed after it was filed";

function judgedYes({ scope: wanted, word, note }: AnswerLine, request: ApprovalRequest, home: Home): Judged {
  const { scopes: offered, level, assurance } = request;
  const narrowest = scopes.find((one) => offered.includes(one));
  const scope = offered.find((one) => one === (wanted ?? narrowest));
  if (scope === undefined) return refused("invalid_input", `it offers only: ${offered.join(", ")}`);
  if (assurance === "signed") {
    return refused("assurance_insufficient", "it takes only an answer that is signed by an enrolled key");
  }
  const objection = objectionTo(request, wholeTextsOf(request, home));
  if (objection !== null) return refused("request_altered", objection);
  // At level dangerous the person types it; elsewhere a word that was typed must at least be of what was shown.
  const expected = typedWord(request.subject);
  if (word === null ? level === "dangerous" : word !== expected) {
    return refused("answer_refused", `the word to type is "${expected}"`);
  }
  return { given: { decision: "approve", scope, note } };
}

function refused(code: ErrorCode, why: string): Judged {
  return { refusal: { code, why } };
}
