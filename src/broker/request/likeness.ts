/**
 * When two asks are the same ask: what a call that comes again is compared by, with one that waits, with a no that is
 * remembered and with a rule that a yes left behind. Hashes stand behind labels of their own, so that neither can
 * stand in for the other or for a binding.
 */
import { canonicalJson } from "./binding.js";
import { sha256Hex } from "./long-text.js";
import type { QuestionRequest, Subject } from "./request.js";

/** Both are SHA-256 in hex. Two asks are identical where both are the same. */
export interface Likeness {
  /** What would be done: the same words in the same directory, the same tool with the same arguments. */
  readonly subject: string;
  /** What it would be done to and with: the program's file, the directory, the tool's definition, the bound state. */
  readonly state: string;
}

/** Throws for a subject that has no canonical JSON: a text in it is not Unicode. */
export function likenessOf(subject: Subject): Likeness {
  const { done, bound } = partsOf(subject);
  return {
    subject: sha256Hex(`wisp/subject/v1\n${canonicalJson(done)}`),
    state: sha256Hex(`wisp/state/v1\n${canonicalJson(bound)}`),
  };
}

/** The same of a question: SHA-256 in hex over all that is asked, and where. Throws as `likenessOf`. */
export function questionHash(question: QuestionRequest["question"]): string {
  return sha256Hex(`wisp/question/v1\n${canonicalJson(question)}`);
}

/**
 * Is what it would be done to bound, so that a change between the yes and the run is noticed? The program that would do
 * it is none of that.
 */
export function isStateBound(subject: Subject): boolean {
  if (subject.type === "permission") return false;
  const { state } = subject;
  if (state === null || state === "none") return false;
  const program = subject.type === "command" ? (subject.program?.path ?? null) : null;
  return state.bound.some(({ target }) => target !== program);
}

/** No two kinds of subject have the same keys under `done`: none can be taken for another. */
function partsOf(subject: Subject): { readonly done: object; readonly bound: object } {
  switch (subject.type) {
    case "command": {
      const { argv, line, directory, program, directoryIdentity, state } = subject;
      const done = argv === null ? { line, directory } : { argv, directory };
      return { done, bound: { program, directoryIdentity, state } };
    }
    case "tool": {
      const { serverIdentity, tool, arguments: given, meta = null, definitionHash, state } = subject;
      const done = { serverIdentity, tool, arguments: given, ...(meta !== null && { meta }) };
      return { done, bound: { definitionHash, state } };
    }
    case "permission":
      // Its id is the client's own and new with each call.
      return { done: { tool: subject.tool, input: subject.input }, bound: {} };
    default:
      return subject satisfies never;
  }
}
