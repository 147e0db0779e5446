/**
 * The form that the client's dialog shows for a question, and what its answer means. Nothing is filled in beforehand,
 * and a single choice lists "I do not answer" first: clients that preselect the first option, or send a form on one
 * Enter, then decline. Consts are numbers of ours; words of the agent appear only as shown text that is marked as its
 * own.
 */
import {
  longestAnswerBytes,
  type QuestionRequest,
  shown,
  shownLines,
  shownText,
} from "../../broker/index.js";
import {
  countsAs,
  type DialogKind,
  type Form,
  type FormFacts,
  inWisp,
  noInReply,
  oneOf,
  type RequestedSchema,
  readReply,
  type Titled,
} from "./elicitation.js";
import { declines, readAnswer } from "./question-reply.js";
import { fitted, guttered } from "./whole.js";

type Question = QuestionRequest["question"];

/** A question, as the client's dialog asks it. */
export const questionDialogs: DialogKind<QuestionRequest> = {
  form: questionForm,
  read: (request, reply) =>
    readReply(reply, (content) => readAnswer(request.question, isShownWhole(request.question), content)),
  noIn: (reply) => noInReply(reply, declines),
};

/** A description repeats the question only while it is short enough not to be cut there. */
const longestRepeated = 300;

/** The form for `request`: one that cannot show all of the question offers no way to answer it but elsewhere. */
function questionForm(request: QuestionRequest, facts: FormFacts): Form | string {
  const { question } = request;
  const { home, titles } = facts;
  const { answering, why } = facts.elsewhere;
  const asked = askedIn(question);
  if (!asked.isWhole && answering === null) return "the client's dialog cannot show all of the question";
  if (asked.isWhole && question.multiple && question.options !== null && titles === "enumNames") {
    return "the client's dialog knows no choice of several";
  }
  const lines = [
    asked.isWhole
      ? `${whatToDo(question)} Your answer goes to the agent; it allows nothing to run.${declining(question)}`
      : `This dialog cannot show all of it, so it cannot answer it. Answer in wisp: ${answering}`,
    home === null ? "" : `wisp home: ${shownText(home)}`,
    why ?? "",
    countsAs("An answer", asked.isWhole, answering !== null),
    `Question ${request.id}.${answering === null || !asked.isWhole ? "" : ` In a terminal: ${answering}`}`,
  ].filter((line) => line !== "");
  return {
    message: `${asked.blocks.join("\n")}\n\n${lines.join("\n")}`,
    requestedSchema: asked.isWhole
      ? answerSchema(request, titles)
      : elsewhereSchema(request, answering ?? "", titles),
  };
}

interface Asked {
  /** What stands above everything that we say. */
  readonly blocks: readonly string[];
  /** Everything is in them, character for character. */
  readonly isWhole: boolean;
}

/** The question with its numbered options: a line of the question must not look like one of them. */
function askedIn({ text, options }: Question): Asked {
  const asked = shownLines(text);
  const offered = (options ?? []).flatMap(({ label, description }, index) => {
    const said = shown(label);
    const option = { text: `${index + 1}. ${said.text}`, escapes: said.escapes };
    if (description === null) return [option];
    const more = shown(description);
    return [option, { text: `   — ${more.text}`, escapes: more.escapes }];
  });
  const offeredLines = offered.map((line) => line.text);
  const escapes = offered.reduce((sum, line) => sum + line.escapes, asked.escapes);
  const { lines, isWhole } = fitted([...asked.lines, ...offeredLines], escapes);
  const lead = "An agent asks you, in its own words:";
  if (!isWhole) return { blocks: [lead, guttered(lines)], isWhole };
  const offer = offered.length === 0 ? [] : ["It offers, in its own words:", guttered(offeredLines)];
  return { blocks: [lead, guttered(asked.lines), ...offer], isWhole };
}

function isShownWhole(question: Question): boolean {
  return askedIn(question).isWhole;
}

function whatToDo({ options, multiple, allowText }: Question): string {
  if (options === null) return "Write your answer.";
  const choose = multiple ? "Choose one or several" : "Choose one";
  return allowText ? `${choose}, or write an answer of your own: one of the two, not both.` : `${choose}.`;
}

/** Only a single choice has an option for it. */
function declining({ options, multiple }: Question): string {
  return options === null || multiple ? " If you do not want to answer, decline: the agent is told so." : "";
}

const noAnswer = { const: "decline", title: "I do not answer" };

function answerSchema({ id, question }: QuestionRequest, titles: FormFacts["titles"]): RequestedSchema {
  const { options, multiple, allowText } = question;
  const asked = shownText(question.text);
  const description = asked.length <= longestRepeated ? `The agent asks: ${asked}` : whatToDo(question);
  const text = {
    type: "string" as const,
    title: options === null ? `Answer to question ${id}` : `Or an answer of your own to question ${id}`,
    description: options === null ? description : "Leave it empty where you choose.",
    maxLength: longestAnswerBytes,
    ...(options === null && { minLength: 1 }),
  };
  if (options === null) return { type: "object", properties: { text }, required: ["text"] };
  const titled = options.map(({ label }, index) => ({
    const: String(index + 1),
    title: `${index + 1}. ${shownText(label)}`,
  }));
  const title = `Answer to question ${id}`;
  const choice = multiple
    ? { choices: severalOf(titled, { title, description, isNeeded: !allowText }) }
    : { choice: { type: "string" as const, title, description, ...oneOf([noAnswer, ...titled], titles) } };
  return {
    type: "object",
    properties: { ...choice, ...(allowText && { text }) },
    required: allowText ? [] : Object.keys(choice),
  };
}

/** What a dialog offers that cannot show the question. */
function elsewhereSchema(
  { id }: QuestionRequest,
  answering: string,
  titles: FormFacts["titles"],
): RequestedSchema {
  const options = [noAnswer, inWisp(answering)];
  const decision = { type: "string" as const, title: `Answer to question ${id}`, ...oneOf(options, titles) };
  return { type: "object", properties: { decision }, required: ["decision"] };
}

interface Several {
  readonly title: string;
  readonly description: string;
  readonly isNeeded: boolean;
}

function severalOf(options: readonly Titled[], { title, description, isNeeded }: Several) {
  return {
    type: "array" as const,
    title,
    description,
    ...(isNeeded && { minItems: 1 }),
    maxItems: options.length,
    items: { anyOf: [...options] },
  };
}
