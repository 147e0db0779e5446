/**
 * A person at a terminal of their own, outside whatever asked. What they type is the built command; where there is
 * much to answer, one process in one terminal gives all the answers that it is told.
 */
import { test as base, inject, type TestContext } from "vitest";
import { typedWord } from "../../src/broker/approval/typed-word.js";
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import { homeAt } from "../../src/broker/channel/home.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { ApprovalRequest, QuestionRequest, Request } from "../../src/broker/request/request.js";
import { wispOn } from "./built.js";
import { type Pty, ptyMissing, startInPty } from "./pty.js";

/** What a person does with requests of the home at `path`. Each promise ends with the command that was typed. */
export interface Person {
  /** Approves `request`, with the word that a dangerous one has typed, and a `y` where one is asked for. Rejects with what the terminal showed. */
  approves(path: string, request: ApprovalRequest, ...flags: readonly string[]): Promise<void>;
  /** The same where so much stands on the card that a `y` is asked for. */
  confirms(path: string, request: ApprovalRequest): Promise<void>;
  denies(path: string, request: ApprovalRequest, note: string): Promise<void>;
  /** Types `wisp` and these words, and says what the terminal showed. */
  types(path: string, ...words: readonly string[]): Promise<string>;
  /** Answers the question with this line, and says what the terminal showed. */
  replies(path: string, request: QuestionRequest, line: string): Promise<string>;
}

/** A test with a person, who needs a terminal; where none can be made it is skipped, with the reason. */
export const test = base.extend<{ person: Person }>({
  person: async ({ skip }, use) => {
    needsTerminal({ skip });
    await use({ approves, confirms, denies, types, replies });
  },
});

/** Skips the running test, with the reason, where no terminal can be made. */
export function needsTerminal({ skip }: Pick<TestContext, "skip">): void {
  skip(ptyMissing !== null, ptyMissing ?? "");
}

async function approves(path: string, request: ApprovalRequest, ...flags: readonly string[]): Promise<void> {
  const word = request.level === "dangerous" ? ["--confirm", typedWord(request.subject)] : [];
  const words = ["approvals", "approve", request.id, ...word, ...flags];
  const pty = startTyping(path, words);
  void pty.seen("Type y and Enter").then(
    () => pty.type("y\n"),
    // All of the card was on the screen, so nothing was asked.
    () => undefined,
  );
  await shownBy(pty, words);
}

async function confirms(path: string, { id }: ApprovalRequest): Promise<void> {
  const words = ["approvals", "approve", id];
  const pty = startTyping(path, words);
  await pty.seen("Type y and Enter");
  pty.type("y\n");
  await shownBy(pty, words);
}

async function denies(path: string, request: ApprovalRequest, note: string): Promise<void> {
  await types(path, "approvals", "deny", request.id, "--note", note);
}

async function types(path: string, ...words: readonly string[]): Promise<string> {
  const pty = startTyping(path, words);
  // What is kept everywhere, or remembered, is asked about once more.
  if (words.some((word) => ["global", "project", "always"].includes(word))) {
    await pty.seen("Type y and Enter");
    pty.type("y\n");
  }
  return await shownBy(pty, words);
}

async function replies(path: string, { id }: QuestionRequest, line: string): Promise<string> {
  const words = ["questions", "answer", id];
  const pty = startTyping(path, words);
  await pty.seen(replyPrompt);
  pty.type(`${line}\n`);
  return await shownBy(pty, words);
}

/** Stands before the line that answers a question. */
export const replyPrompt = ", Enter (empty: nothing): ";

function startTyping(path: string, words: readonly string[]): Pty {
  return startInPty(wispOn(homeAt(path, false), ...words), { isApart: true });
}

async function shownBy(pty: Pty, words: readonly string[]): Promise<string> {
  const exit = await pty.ended;
  if (exit !== 0) throw new Error(`wisp ${words.join(" ")} ended with ${exit}:\n${pty.output()}`);
  return pty.output();
}

/** A process that answers in a terminal of its own, many requests at once. */
export interface Answerer {
  readonly pty: Pty;
  /** Gives `answer`, as its own process, and says how that ended. */
  gives(request: Request, answer: Answer): Promise<AnswerEnding>;
}

/** What an answering process says about one answer. */
interface Ended {
  readonly id: string;
  readonly ending: AnswerEnding;
}

/** Starts an answering process on the home at `path`; it ends with the running test. */
export async function startAnswerer(path: string): Promise<Answerer> {
  const program = new URL("../e2e/workers/answerer.mjs", import.meta.url).pathname;
  const waiting = new Map<string, (ending: AnswerEnding) => void>();
  let isReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const pty = startInPty([process.execPath, program], {
    isApart: true,
    environment: { PATH: process.env.PATH, WISP_TEST_DOOR: inject("door"), WISP_TEST_HOME: path },
    onMessage: (message) => {
      if ("ready" in message) return isReady();
      const { id, ending } = message as Ended;
      waiting.get(id)?.(ending);
      waiting.delete(id);
    },
  });
  await Promise.race([ready, pty.ended.then(() => Promise.reject(new Error(pty.output())))]);
  return {
    pty,
    gives: (request, answer) =>
      new Promise((resolve) => {
        waiting.set(request.id, resolve);
        pty.send({ request, answer });
      }),
  };
}
