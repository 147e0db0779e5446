/** Events of facts and questions, and of telling a person that something waits. */
import { decisions } from "../request/answer.js";
import { receiptOutcomes } from "../request/outcome.js";
import { scopes } from "../request/scope.js";
import { answer } from "./approval-events.js";
import { count, flag, group, hash, id, list, maybe, one, rarely, seconds, text } from "./event-fields.js";
import { answeredBy, claims, ended, pending, scope, seen, via } from "./shared-fields.js";

const toldOutcomes = [
  "answered",
  "declined",
  "pending",
  "not_obtained",
  "timed_out",
  "abandoned",
  "withdrawn",
  "failed",
  "refused",
  "already_decided",
] as const;

/** By kind. */
export const questionEvents = {
  "question.requested": {
    says: "Before a question is filed, or when a call joins an identical one.",
    verified: {},
    selfReported: claims,
    details: {
      question: hash("Of its text."),
      options: maybe(count("How many answers it offers; null for an answer in words.")),
      multiple: flag("May several be chosen?"),
      allowText: flag("May the person write instead?"),
      caller: text("Which face of wisp was called, and how."),
      channel: rarely(flag("Is it about to be filed?")),
      dialog: rarely(flag("Is the client's dialog about to be raised?")),
      joins: rarely(id("Of the question that waits already.")),
    },
  },
  "question.pending": {
    says: "It waits, or why nothing was filed.",
    verified: {},
    selfReported: {},
    details: pending,
  },
  "question.answered": {
    says: "A person answered or declined, before any call is told.",
    verified: seen,
    selfReported: answeredBy,
    details: answer,
  },
  "question.settled": {
    says: "The question ended: what its receipt says. A second one corrects the first.",
    verified: {},
    selfReported: {},
    details: {
      ...ended,
      outcome: one(receiptOutcomes, "How it ended."),
      decision: one(decisions, "What was said."),
    },
  },
  "question.told": {
    says: "How it ended for one call, filed or not, or for `read_answer`. A second one of a call corrects the first.",
    verified: {},
    selfReported: claims,
    details: {
      outcome: one(toldOutcomes, "How it ended."),
      why: maybe(text("Why nobody answered.")),
      seconds: seconds("Since the call asked."),
      kept: flag("Had it ended before?"),
    },
  },
  "fact.requested": {
    says: "A fact waits for a person.",
    verified: {},
    selfReported: { ...claims, source: maybe(hash("Of where the agent has it from.")) },
    details: {
      subject: text("What it is about."),
      name: text("Which of its properties."),
      value: hash("Of what would be kept."),
      directory: maybe(text("The project it belongs to.")),
      caller: text("Which face of wisp was called, and how."),
      similar: count("How many kept facts are like it."),
      expiresAt: maybe(count("When it stops waiting, in milliseconds since 1970.")),
      binding: hash("Of all that is asked; an answer names it."),
      joins: flag("Did an identical ask wait already?"),
    },
  },
  "fact.answered": {
    says: "A person answered, before anything is kept; written by the server or, where that is gone, by whoever carries it out.",
    verified: seen,
    selfReported: answeredBy,
    details: {
      ...answer,
      scope: maybe(scope),
      rule: rarely(text("Of no fact.")),
      downgradedFrom: rarely(one(scopes, "Of no fact.")),
    },
  },
  "fact.settled": {
    says: "The fact is decided: what its receipt says. A second one corrects the first.",
    verified: {},
    selfReported: {},
    details: {
      outcome: one(receiptOutcomes, "How it ended."),
      decision: maybe(one(decisions, "What was said.")),
      scope: maybe(scope),
      via: maybe(via),
      seconds: seconds("Since it was asked."),
      banner: maybe(one(["posted", "skipped", "none"], "What became of the banner.")),
      why: maybe(text("Why an answer came to nothing.")),
    },
  },
  "fact.forgotten": {
    says: "A person forgets what was kept or dropped, before it is done.",
    verified: {},
    selfReported: {},
    details: { was: text("What it was, and where it counted.") },
  },
  notification: {
    says: "An attempt to show a banner; `call` is null where it was about none or several.",
    verified: {},
    selfReported: {
      client: rarely(text("The client whose agent had it shown.")),
      thread: rarely(text("Its thread.")),
      title: hash("Of its title."),
      body: hash("Of its text."),
    },
    details: {
      source: one(["approval", "reminder", "fact", "question", "notify"], "What it is about."),
      outcome: one(["posted", "failed", "refused"], "What became of it; posted never means seen."),
      route: maybe(text("What showed it.")),
      skipped: list(
        group({ route: text("Which."), why: text("Why.") }, "One of them."),
        "Routes that were not taken: each with its name and why.",
      ),
      requests: list(id("One of them."), "The requests it announces, 20 at most."),
      count: count("How many it announces."),
    },
  },
} as const;
