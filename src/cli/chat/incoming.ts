/**
 * Lines from a front end. Each is held against what this wisp knows; types and fields that it does not know may be of a
 * newer front end and are passed over. What it knows and cannot read is told, never guessed.
 */
import { isIdentifier, type Kind, longestNote, parseStrictJson } from "../../broker/index.js";
import type { Line } from "./bounded-lines.js";

/** What a front end can do for a person, each for one kind of request. */
export const effects = ["approve", "keep-facts", "answer-questions"] as const;
/** One of these, as it stands in `hello`. */
export type Effect = (typeof effects)[number];

/** The kind that each effect is about. */
export const kindOf = {
  approve: "approval",
  "keep-facts": "fact",
  "answer-questions": "question",
} as const satisfies Record<Effect, Kind>;

/** The longest line that is read, in bytes: the size of an answer's file. */
export const longestLine = 64 * 1024;

/** An answer as it came; whether it fits its request is not known yet. */
export interface AnswerLine {
  readonly id: string;
  readonly decision: string;
  readonly scope: string | null;
  /** Which of the offered rules a wider yes remembers, as it was offered. */
  readonly rule: string | null;
  readonly word: string | null;
  readonly note: string | null;
  /** What is answered to a question: of its options, or in words. */
  readonly values: readonly string[] | null;
  readonly text: string | null;
}

/** What a line says. */
export type Incoming =
  | { readonly kind: "hello"; readonly effects: readonly Effect[] }
  | { readonly kind: "answer"; readonly answer: AnswerLine }
  /** Of a newer front end. */
  | { readonly kind: "unknown" }
  /** `why` is a text of our own, but for nothing. */
  | { readonly kind: "unreadable"; readonly id: string | null; readonly why: string };

/** Reads one line. */
export function incomingFrom(line: Line): Incoming {
  if (line.kind === "too long") return unreadable(`a line is over ${longestLine} bytes`);
  const parsed = parseStrictJson(line.bytes);
  if (!parsed.ok) return unreadable(`a line is not taken as JSON: ${parsed.objection}`);
  const { value } = parsed;
  if (!isObject(value)) return unreadable("a line is no object");
  const { type } = value;
  switch (type) {
    case "hello":
      return helloFrom(value);
    case "answer":
      return answerFrom(value);
    default:
      return typeof type === "string" ? { kind: "unknown" } : unreadable("a line has no type");
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable(why: string, id: string | null = null): Incoming {
  return { kind: "unreadable", id, why };
}

function helloFrom({ effects: declared }: Fields): Incoming {
  if (!Array.isArray(declared)) return unreadable("hello has no list of effects");
  return { kind: "hello", effects: effects.filter((effect) => declared.includes(effect)) };
}

function answerFrom(fields: Fields): Incoming {
  const { id, decision } = fields;
  if (typeof id !== "string" || !isIdentifier(id))
    return unreadable("answer names no request by its whole id");
  if (typeof decision !== "string") return unreadable("answer has no decision", id);
  const { scope = null, rule = null, word = null, note = null, text = null, values = null } = fields;
  if (!isTextOrNull(scope) || !isTextOrNull(rule)) return unreadable("scope and rule are texts", id);
  if (!isTextOrNull(word) || !isTextOrNull(note) || !isTextOrNull(text)) {
    return unreadable("word, note and text are texts", id);
  }
  if (values !== null && !isTexts(values)) return unreadable("values is a list of texts", id);
  if (note !== null && note.length > longestNote)
    return unreadable(`note is over ${longestNote} characters`, id);
  return {
    kind: "answer",
    answer: { id, decision, scope, rule, word, note: note === "" ? null : note, values, text },
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
