/** Events of approvals: what the policy said, asking, answering, and what a yes leaves behind. */
import { decisions } from "../request/answer.js";
import { type OutcomeName, outcomes, receiptOutcomes } from "../request/outcome.js";
import { scopes } from "../request/scope.js";
import { flag, hash, id, list, maybe, one, rarely, seconds, text } from "./event-fields.js";
import {
  answeredBy,
  asked,
  assurance,
  callClaims,
  ended,
  pending,
  remembered,
  run,
  scope,
  seen,
  via,
} from "./shared-fields.js";

/** What the answer to anything says of itself, but for its scope. */
export const answer = {
  decision: one(decisions, "What was said."),
  via,
  answer: hash("Of the answer, as its receipt has it."),
  note: maybe(hash("Of what the person wrote beside it.")),
  assurance: maybe(assurance),
  seconds: seconds("From asking to the answer; of a dialog from raising it."),
  unseen: flag("Did it come sooner than anybody reads?"),
};

/** By kind. */
export const approvalEvents = {
  "policy.judged": {
    says: "What the policy said of a call, before anybody was asked.",
    verified: {},
    selfReported: callClaims,
    details: {
      ...asked,
      verdict: one(["allow", "ask", "deny"], "What becomes of the call."),
      reasons: list(text("One of them."), "Why it has this level; of a refusal also why it is refused."),
      remembered,
    },
  },
  "approval.requested": {
    says: "A call is about to be asked about, or joins one that waits.",
    verified: {},
    selfReported: callClaims,
    details: {
      ...asked,
      caller: text("Which face of wisp was called, and how."),
      scopes: list(one(scopes, "One of them."), "The answers that are offered."),
      channel: rarely(flag("Is it about to be filed?")),
      dialog: rarely(flag("Is the client's dialog about to be raised?")),
      joins: rarely(id("Of the request that waits already.")),
    },
  },
  "approval.pending": {
    says: "It is put before a person, or could not be.",
    verified: {},
    selfReported: {},
    details: pending,
  },
  "dialog.ended": {
    says: "The client's dialog is over and decided nothing.",
    verified: {},
    selfReported: {},
    details: {
      how: one(["dismissed", "invalid", "failed", "unsupported", "declined"], "How it ended."),
      seconds: seconds("From raising it."),
      unseen: flag("Was that sooner than anybody reads?"),
      why: text("What the caller is told where the dialog was the only way."),
    },
  },
  "approval.answered": {
    says: "A person answered. A yes is on disk before what it allows begins.",
    verified: seen,
    selfReported: answeredBy,
    details: {
      ...answer,
      scope: maybe(scope),
      rule: rarely(text("The rule that the yes remembers.")),
      downgradedFrom: rarely(one(scopes, "The wider scope that was asked for where it is not offered.")),
    },
  },
  "approval.settled": {
    says: "The request is over: what its receipt says. A second one of a request corrects the first.",
    verified: {},
    selfReported: {},
    details: {
      ...ended,
      outcome: one(receiptOutcomes, "How it ended."),
      ran: maybe(flag("False where it is certain that nothing ran; null where that is not known yet.")),
    },
  },
  "approval.decided": {
    says: "How it ended for one call. Calls that ask for the same share a request; each has its own line.",
    verified: {},
    selfReported: callClaims,
    details: {
      ...asked,
      outcome: one(Object.keys(outcomes) as readonly string[] as readonly OutcomeName[], "How it ended."),
      via: rarely(via),
      scope: rarely(scope),
      assurance: rarely(assurance),
      seconds: seconds("Since the call asked."),
      why: rarely(text("Why, where no answer of a person ended it.")),
      redeemed: rarely(flag("It used up a yes that was given while no call was there.")),
      repeated: rarely(flag("The same no was said a moment ago; nobody was asked again.")),
      remembered,
      run,
    },
  },
  "answer.refused": {
    says: "An answer was not taken, and moved away.",
    verified: seen,
    selfReported: {},
    details: {
      reason: text("Why."),
      movedTo: maybe(text("The file in `rejected/` that holds it now.")),
    },
  },
  "request.swept": {
    says: "Something was cleared away whose process is gone.",
    verified: {
      what: one(
        ["stale", "decided, not run", "cleared", "orphan answer", "timed out", "altered", "answer not taken"],
        "What was found.",
      ),
    },
    selfReported: {},
    details: {},
  },
  "grant.kept": {
    says: "A yes waits for the next identical call.",
    verified: {},
    selfReported: {},
    details: { grant: text("Its name."), seconds: seconds("For how long.") },
  },
  "grant.claimed": {
    says: "A kept yes is used up.",
    verified: {},
    selfReported: {},
    details: {
      grant: text("Its name."),
      how: one(["used", "drifted"], "By a call, or because what it was for has changed."),
    },
  },
  "grant.released": {
    says: "It is certain that nothing ran: the yes may be used once more.",
    verified: {},
    selfReported: {},
    details: { grant: text("Its name.") },
  },
  "grant.revoked": {
    says: "A person took back what a yes had left.",
    verified: {},
    selfReported: {},
    details: { grant: text("Its name.") },
  },
} as const;
