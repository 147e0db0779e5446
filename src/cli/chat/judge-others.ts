/** Whether a front end's answer to a fact or a question may be given: the checks of every face. */
import type { FactRequest, QuestionRequest } from "../../broker/index.js";
import { narrowestScope } from "../../face/fact-scope.js";
import { written } from "../../face/reply.js";
import type { AnswerLine } from "./incoming.js";
import { type Judged, refused } from "./refusal.js";

/** `decision` is known to be one of a fact; its scopes are those of the channel. */
export function judgedFact({ decision, scope, note }: AnswerLine, { fact }: FactRequest): Judged {
  // Nobody reads one: it would be the person's words, lost without a word.
  if (note !== null) return refused("invalid_input", "a fact is kept or dropped without a note");
  if (decision === "drop") {
    if (scope !== null && scope !== "always")
      return refused("invalid_input", "a drop has the scope always or none");
    return { given: { decision: "drop", scope, note } };
  }
  const wanted = scope ?? narrowestScope(fact);
  if (wanted !== "project" && wanted !== "always") {
    return refused("invalid_input", "a fact is kept for the scope project or always");
  }
  if (wanted === "project" && fact.directory === null) {
    return refused("invalid_input", "it belongs to no directory: it is kept for the scope always");
  }
  return { given: { decision: "keep", scope: wanted, note } };
}

/** `decision` is known to be one of a question. */
export function judgedQuestion(answer: AnswerLine, { question }: QuestionRequest): Judged {
  const { decision, scope, note, values, text } = answer;
  if (scope !== null) return refused("invalid_input", "only approvals and facts have a scope");
  if (decision === "decline") {
    if (values !== null || text !== null) return refused("invalid_input", "who declines answers nothing");
    return { given: { decision: "decline", scope, note } };
  }
  if (note !== null) return refused("invalid_input", "an answer has no note beside it");
  if ((values === null) === (text === null)) {
    return refused("invalid_input", "a question is answered with either values or text");
  }
  const why = text === null ? valuesObjection(values ?? [], question) : textObjection(text, question);
  if (why !== null) return refused("invalid_input", why);
  const content = text === null ? { values: values ?? [], text } : { values: null, text };
  return { given: { decision: "answer", scope, note, ...content } };
}

type Question = QuestionRequest["question"];

function textObjection(text: string, question: Question): string | null {
  if (!question.allowText) return "it takes no text, but values of its options";
  const reply = written(text, question);
  return reply.kind === "wrong" ? reply.why : null;
}

function valuesObjection(values: readonly string[], { options, multiple }: Question): string | null {
  if (options === null) return "it has no options: it takes a text";
  if (values.length === 0) return "nothing is chosen";
  if (values.length > 1 && !multiple) return "it takes one value";
  if (new Set(values).size < values.length) return "a value stands twice";
  const isOffered = values.every((value) => options.some((option) => option.value === value));
  return isOffered ? null : "a value was not among its options";
}
