/**
 * What was filled in to the form of a question. Checked here and nowhere else: only what the form offers answers, once,
 * and with nothing beside it.
 */
import * as z from "zod";
import {
  type DialogAnswer,
  longestAnswerBytes,
  type QuestionContent,
  type QuestionRequest,
  textObjection,
} from "../../broker/index.js";
import { isInWisp, notTheForm } from "./elicitation.js";

type Question = QuestionRequest["question"];

/** What `content` means; `isWhole` says whether the form showed all of the question, and so took an answer to it. */
export function readAnswer(question: Question, isWhole: boolean, content: unknown): DialogAnswer {
  if (declines(content)) return { kind: "deny" };
  if (!isWhole) return isInWisp(content) ? { kind: "dismissed" } : notTheForm;
  const given = givenIn(question, content);
  if (given === null) return notTheForm;
  const { numbers, text } = given;
  if (numbers.length > 0 && text !== null) return invalid("it chooses, and writes an answer beside that");
  if (text !== null) return written(text);
  return numbers.length > 0 ? chosen(question, numbers) : invalid("nothing was chosen or written");
}

/** Says `content` no, and nothing else? Whoever wrote an answer beside it may have been shown that choice. */
export function declines(content: unknown): boolean {
  return choiceOfNone.safeParse(content).success || decline.safeParse(content).success;
}

/** A text field that was left empty comes as none, or as an empty one. */
const blank = z.string().refine((text) => text.trim() === "");
const choiceOfNone = z.strictObject({ choice: z.literal("decline"), text: blank.optional() });
const decline = z.strictObject({ decision: z.literal("decline") });

const oneText = z.strictObject({ text: z.string() });
const oneChoice = z.strictObject({ choice: z.string() });
const someChoices = z.strictObject({ choices: z.array(z.string()) });
const choiceOrText = z.strictObject({ choice: z.string().optional(), text: z.string().optional() });
const choicesOrText = z.strictObject({
  choices: z.array(z.string()).optional(),
  text: z.string().optional(),
});

interface Given {
  /** As they came. */
  readonly numbers: readonly string[];
  /** Null for none, and for blanks. */
  readonly text: string | null;
}

/** Null for what is not of the form's shape. */
function givenIn({ options, multiple, allowText }: Question, content: unknown): Given | null {
  if (options === null) return given(oneText.safeParse(content).data);
  if (multiple) return given((allowText ? choicesOrText : someChoices).safeParse(content).data);
  return given((allowText ? choiceOrText : oneChoice).safeParse(content).data);
}

interface Fields {
  readonly choice?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly text?: string | undefined;
}

function given(fields: Fields | undefined): Given | null {
  if (fields === undefined) return null;
  const { choice, choices = choice === undefined ? [] : [choice], text = "" } = fields;
  return { numbers: choices, text: text.trim() === "" ? null : text };
}

function chosen({ options }: Question, numbers: readonly string[]): DialogAnswer {
  const values: string[] = [];
  for (const number of numbers) {
    const option = (options ?? []).find((_one, index) => String(index + 1) === number);
    if (option === undefined) return invalid("an option was chosen that was not offered");
    if (values.includes(option.value)) return invalid("an option was chosen twice");
    values.push(option.value);
  }
  return answer({ values, text: null });
}

function written(text: string): DialogAnswer {
  if (Buffer.byteLength(text) > longestAnswerBytes) {
    return invalid(`an answer has at most ${longestAnswerBytes} bytes`);
  }
  const objection = textObjection(text);
  return objection === null ? answer({ values: null, text }) : invalid(`the answer holds a ${objection}`);
}

function answer(content: QuestionContent): DialogAnswer {
  return { kind: "answer", ...content };
}

function invalid(why: string): DialogAnswer {
  return { kind: "invalid", why };
}
