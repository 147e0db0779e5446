/**
 * What a person types to answer a question, and how its options are told. Numbers choose what was numbered; everything
 * else is a text, where the question takes one.
 */
import { longestAnswerBytes, type QuestionContent, type QuestionRequest, shown } from "../broker/index.js";

type Question = QuestionRequest["question"];

/** An answer that the question takes, or why what was typed is none: a sentence of our own, safe to print. */
export type Reply =
  | { readonly kind: "content"; readonly content: QuestionContent }
  | { readonly kind: "wrong"; readonly why: string };

/** The options with their numbers, from 1, safe to print. */
export function numberedOptions({ options }: Pick<Question, "options">): readonly NumberedOption[] {
  return (options ?? []).map(({ label, description }, index) => ({
    number: index + 1,
    label: shown(label).text,
    description: description === null ? null : shown(description).text,
  }));
}

/** One option as a face lists it. */
export interface NumberedOption {
  readonly number: number;
  readonly label: string;
  readonly description: string | null;
}

/** What it takes, in words of our own that are true in every face: how it is typed or chosen differs. */
export function takenText({ options, multiple, allowText }: Question): string {
  if (options === null) return "a text";
  const choice = multiple ? "one or several of these" : "one of these";
  return allowText ? `${choice}, or a text` : choice;
}

/** How an answer is typed on one line. */
export function askedFor({ options, multiple, allowText }: Question): string {
  if (options === null) return "a text";
  const numbers = multiple ? "one or several numbers, with commas between them" : "a number";
  return allowText ? `${numbers}, or a text, where "2" in quotes is a text` : numbers;
}

/** The prompt before an answer that is typed: short enough for one row. */
export function promptFor({ options, multiple, allowText }: Question): string {
  const numbers = options === null ? null : multiple ? "Numbers (1,2)" : "Number";
  const asked = numbers === null ? "Text" : allowText ? `${numbers} or text ("2" is a text)` : numbers;
  return `${asked}, Enter (empty: nothing): `;
}

/**
 * What `typed` answers to `question`. Blanks at its ends do not matter. Where options have numbers, quotes around what
 * would be one make a text of it; quotes around anything else are part of the text.
 */
export function replyFrom(typed: string, question: Question): Reply {
  const text = typed.trim();
  if (text === "") return wrong("nothing was typed");
  const { options } = question;
  const quoted = options === null ? null : quotedNumbers(text, options.length);
  if (quoted !== null) return written(quoted, question);
  if (options !== null && beginsWithChoices(text, options.length)) {
    return wrong(
      question.allowText
        ? "it begins with numbers of options: type numbers alone, or the text in quotes"
        : "it begins with numbers of options: type numbers alone",
    );
  }
  const numbers = options === null ? null : numbersIn(text);
  return numbers === null ? written(text, question) : chosen(numbers, question);
}

/** What stands within quotes and would be read as numbers without them; one pair of quotes is taken off. */
function quotedNumbers(text: string, count: number): string | null {
  const [, quotes, inner = ""] = /^("+)([^"]+)\1$/.exec(text) ?? [];
  if (quotes === undefined) return null;
  const isChoice = numbersIn(inner.trim()) !== null || beginsWithChoices(inner.trim(), count);
  return isChoice ? text.slice(1, -1).trim() : null;
}

/** Is it half a choice? As a text it would choose nothing, and whoever typed it would not know. */
function beginsWithChoices(text: string, count: number): boolean {
  const [, first] = /^([0-9]+)\s*(?:,|and\b)/i.exec(text) ?? [];
  const isOption = first !== undefined && Number(first) >= 1 && Number(first) <= count;
  return isOption && numbersIn(text) === null;
}

/** The numbers that `text` is, with commas or blanks between them; null where it is anything else. */
export function numbersIn(text: string): readonly number[] | null {
  if (!/^[0-9][0-9, ]*$/.test(text)) return null;
  return text
    .split(/[, ]+/)
    .filter((part) => part !== "")
    .map(Number);
}

/** The answer that chooses these numbers. */
export function chosen(numbers: readonly number[], { options, multiple }: Question): Reply {
  const offered = options ?? [];
  if (numbers.length === 0) return wrong("nothing is chosen");
  if (numbers.length > 1 && !multiple) return wrong("it takes one number");
  const values: string[] = [];
  for (const number of numbers) {
    const option = offered[number - 1];
    if (option === undefined) return wrong(`there is no option ${number}; they are 1 to ${offered.length}`);
    if (values.includes(option.value)) return wrong(`${number} stands there twice`);
    values.push(option.value);
  }
  return { kind: "content", content: { values, text: null } };
}

/** The answer that is this text. */
export function written(text: string, question: Question): Reply {
  if (!question.allowText) return wrong(`it takes ${askedFor(question)}`);
  if (text.trim() === "") return wrong("nothing was typed");
  const bytes = Buffer.byteLength(text);
  if (bytes > longestAnswerBytes) {
    return wrong(`an answer has at most ${longestAnswerBytes} bytes, and this one has ${bytes}`);
  }
  return { kind: "content", content: { values: null, text } };
}

function wrong(why: string): Reply {
  return { kind: "wrong", why };
}
