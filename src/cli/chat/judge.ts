/** Whether the answer of a front end may be given: the checks of every face, before anything is written. */
import { type ApprovalRequest, type Home, type Request, scopes, typedWord } from "../../broker/index.js";
import type { GivenYes } from "../../face/answer.js";
import { narrowYes, type Reach, reachOf } from "../../face/remember.js";
import { offeredScopes } from "../../face/remember-lines.js";
import { objectionTo } from "../../face/view.js";
import { wholeTextsOf } from "../../face/whole-texts.js";
import type { AnswerLine } from "./incoming.js";
import { judgedFact, judgedQuestion } from "./judge-others.js";
import { type Judged, refused } from "./refusal.js";

/** `request` is what the front end was sent: what it answers is what it was shown. */
export function judged(answer: AnswerLine, request: Request, home: Home): Judged {
  const { decision } = answer;
  if (!decisionsOf[request.kind].includes(decision)) {
    return refused(
      "invalid_input",
      `a request of this kind is decided with ${decisionsOf[request.kind].join(" or ")}`,
    );
  }
  if (answer.rule !== null && decision !== "approve") {
    return refused("invalid_input", "only a yes to an approval remembers a rule");
  }
  const isContent = answer.values !== null || answer.text !== null;
  if (isContent && request.kind !== "question") {
    return refused("invalid_input", "only a question is answered with values or text");
  }
  switch (request.kind) {
    case "approval":
      return decision === "approve"
        ? judgedYes(answer, request, home)
        : (unaltered(request) ?? judgedNo(answer));
    case "fact":
      return unaltered(request) ?? judgedFact(answer, request);
    case "question":
      return unaltered(request) ?? judgedQuestion(answer, request);
    default:
      return request satisfies never;
  }
}

const decisionsOf: Readonly<Record<Request["kind"], readonly string[]>> = {
  approval: ["approve", "deny"],
  fact: ["keep", "drop"],
  question: ["answer", "decline"],
};

const altered = "the request was changed after it was filed";

/** What is bound to something else than what its server holds would not be taken; null where it would. */
function unaltered(request: Request): Judged | null {
  return objectionTo(request, null) === altered ? refused("request_altered", altered) : null;
}

function judgedNo({ scope, note }: AnswerLine): Judged {
  if (scope !== null) return refused("invalid_input", "a no has no scope");
  return { given: { decision: "deny", scope: null, note } };
}

function judgedYes(answer: AnswerLine, request: ApprovalRequest, home: Home): Judged {
  const { word } = answer;
  const wanted = scopes.find((one) => one === answer.scope) ?? null;
  const { level, assurance } = request;
  const reach = reachOf(request, wanted);
  if (wanted !== answer.scope || reach.kind === "not offered") {
    return refused("invalid_input", `it offers only: ${offeredScopes(request).join(", ")}`);
  }
  const yes = yesOf(answer, reach);
  if (yes === null) return refused("invalid_input", "its rule was not offered for this scope");
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
  return { given: yes };
}

/** Null where it names a rule that nobody was shown. Without one a wider yes remembers exactly this call. */
function yesOf({ rule, note }: AnswerLine, reach: Exclude<Reach, { kind: "not offered" }>): GivenYes | null {
  if (reach.kind === "narrow") {
    return rule !== null && reach.downgradedFrom === null ? null : narrowYes(reach, note);
  }
  const offer = rule === null ? reach.offers[0] : reach.offers.find((one) => one.rule === rule);
  return offer === undefined ? null : { decision: "approve", scope: reach.scope, note, rule: offer.rule };
}
