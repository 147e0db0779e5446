/** Events of approvals: what the policy said, asking, answering, and what a yes leaves behind. */
import { decisions } from "../request/answer.js";
import { type OutcomeName, outcomes, receiptOutcomes } from "../request/outcome.js";
import { scopes } from "../request/scope.js";
import { flag, hash, id, list, maybe, one, rarely, seconds, text } from "./event-fields.js";
import {
  allowedVia,
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
  answer: hash("Of the answer, as in its receipt."),
  note: maybe(hash("Of what the person wrote beside it.")),
  assurance: maybe(assurance),
  seconds: seconds("From asking to the answer; of a dialog from raising it."),
  unseen: flag("Did it come sooner than anybody reads?"),
};

/** By kind. */
export const approvalEvents = {
  "policy.judged": {
    says: "A call came that nobody had just said no to: what the policy says of it, before anybody is asked.",
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
    says: "Before it is filed, or when it joins an identical call.",
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
    says: "It waits, or why nothing was filed.",
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
    says: "The request ended: what its receipt says. A second one of a request corrects the first.",
    verified: {},
    selfReported: {},
    details: {
      ...ended,
      outcome: one(receiptOutcomes, "How it ended."),
      ran: maybe(flag("False where it is certain that nothing ran; null where that is not known yet.")),
    },
  },
  "approval.decided": {
    says: "The ending of a call, filed or not, or allowed by a rule or by a yes before. Identical calls share a request; each has its own line. A second one corrects the first.",
    verified: {},
    selfReported: callClaims,
    details: {
      ...asked,
      outcome: one(Object.keys(outcomes) as readonly string[] as readonly OutcomeName[], "How it ended."),
      via: rarely(allowedVia),
      scope: rarely(scope),
      assurance: rarely(assurance),
      seconds: seconds("Since the call asked."),
      why: rarely(text("Why, where no answer of a person ended it.")),
      redeemed: rarely(flag("Did it use up a yes that came when no call waited?")),
      repeated: rarely(flag("Was a no of a moment ago told again?")),
      remembered,
      run,
    },
  },
  "answer.refused": {
    says: "An answer in the channel was not taken, and moved away.",
    verified: seen,
    selfReported: {},
    details: {
      reason: text("Why. Of one that fell short: `assurance_insufficient: ` and what was wanting."),
      movedTo: maybe(text("The file in `rejected/` that holds it now.")),
    },
  },
  "request.swept": {
    says: "A sweep cleared something away whose process is gone.",
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
    says: "A yes waits for the next identical call: no call waited when it came, or its request had ended.",
    verified: {},
    selfReported: {},
    details: { grant: text("Its name."), seconds: seconds("For how long.") },
  },
  "grant.claimed": {
    says: "That yes is used up.",
    verified: {},
    selfReported: {},
    details: {
      grant: text("Its name."),
      how: one(["used", "drifted"], "By a call, or because what it was for has changed."),
    },
  },
  "grant.released": {
    says: "Nothing ran, so that yes is about to be given back.",
    verified: {},
    selfReported: {},
    details: { grant: text("Its name.") },
  },
  "grant.revoked": {
    says: "A person took such a yes, or one for a session, back.",
    verified: {},
    selfReported: {},
    details: { grant: text("Its name.") },
  },
} as const;
