/** Answers requests in a directory as a face does, without a terminal. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnswerEnding, answerAndWait } from "../../src/broker/channel/answering.js";
import { DirectoryChannel } from "../../src/broker/channel/directory.js";
import { homeAt } from "../../src/broker/channel/home.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import type { ApprovalRequest, QuestionRequest } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { answerTo, denialOf } from "./builders.js";

export interface Face {
  /** The approvals that wait, oldest first. */
  waiting(): readonly ApprovalRequest[];
  /** The one approval that waits. */
  only(): ApprovalRequest;
  /** Links an answer into the slot. */
  approve(request: ApprovalRequest, overrides?: Partial<Answer>): void;
  deny(request: ApprovalRequest, note?: string): void;
  /** The one question that waits. */
  question(): QuestionRequest;
  /** Links what a person says to it into the slot: `answer` unless the words say otherwise. */
  reply(request: QuestionRequest, words: Partial<Answer>): void;
  /** Answers and stays until it is told how that ended. */
  approveAndWait(request: ApprovalRequest, overrides?: Partial<Answer>): Promise<AnswerEnding>;
  receiptOf(id: string): Receipt | null;
  /** The records of the audit log, oldest first. */
  audit(): readonly AuditRecord[];
}

export interface AuditRecord {
  readonly kind: string;
  readonly call: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export function openFace(path: string): Face {
  const home = homeAt(path, false);
  const channel = new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => {} });
  const waiting = (): readonly ApprovalRequest[] =>
    channel.pending().requests.filter((request) => request.kind === "approval");
  return {
    question() {
      const [first, ...others] = channel.pending().requests.filter(({ kind }) => kind === "question");
      if (first?.kind !== "question" || others.length > 0) throw new Error(`${others.length} others wait.`);
      return first;
    },
    reply: (request, words) =>
      void channel.answer(answerTo(request, { decision: "answer", scope: null, ...words })),
    waiting,
    only() {
      const [first, ...others] = waiting();
      if (first === undefined || others.length > 0) throw new Error(`${others.length} others wait.`);
      return first;
    },
    approve: (request, overrides) => void channel.answer(answerTo(request, overrides)),
    deny: (request, note) => void channel.answer(denialOf(request, note ?? null)),
    approveAndWait: (request, overrides) =>
      answerAndWait(request, answerTo(request, overrides), {
        channel,
        clock: systemClock,
        signal: new AbortController().signal,
        onSilent: () => {},
        sweep: () => {},
      }),
    receiptOf: (id) => channel.receipt(id),
    audit() {
      const file = join(path, "audit", "log.jsonl");
      if (!existsSync(file)) return [];
      return readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
  };
}
