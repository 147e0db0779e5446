/**
 * The slot of one request as its race sees it: in the channel, or in memory when the channel cannot be used and
 * the dialog alone decides.
 */

import type { Channel, Ending, News, Taken } from "../channel/channel.js";
import type { Answer, AnsweredBy, Decision, ServerDecision } from "../request/answer.js";
import { answerHash } from "../request/binding.js";
import { formatVersion, type Request, type RequestServer } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { Clock } from "../system/clock.js";
import type { QuestionContent } from "./dialog.js";

/** The part of `Channel` that decides one request; the same promises hold. */
export interface DecisionSlot {
  /** Can anybody but the client's dialog answer this request? */
  readonly isFiled: boolean;
  answer(answer: Answer): boolean;
  take(): News | null;
  withdraw(decision: ServerDecision, note: string | null): Taken;
  settle(ending: Ending): void;
  /** Whether no call waits for it any more, for faces. */
  detached(isDetached: boolean): void;
}

/** The slot of request `id`, which this process filed. Throws what `channel` throws. */
export class ChannelSlot implements DecisionSlot {
  readonly isFiled = true;
  readonly #channel: Channel;
  readonly #id: string;

  constructor(channel: Channel, id: string) {
    this.#channel = channel;
    this.#id = id;
  }

  answer(answer: Answer): boolean {
    return this.#channel.answer(answer);
  }

  take(): News | null {
    return this.#channel.take(this.#id);
  }

  withdraw(decision: ServerDecision, note: string | null): Taken {
    return this.#channel.withdraw(this.#id, decision, note);
  }

  settle(ending: Ending): void {
    this.#channel.settle(this.#id, ending);
  }

  detached(isDetached: boolean): void {
    this.#channel.detached?.(this.#id, isDetached);
  }
}

/** A slot that no other process reaches: nothing is filed and no receipt is left. */
export class MemorySlot implements DecisionSlot {
  readonly isFiled = false;
  readonly #request: Request;
  readonly #writeAnswer: WriteAnswer;
  #taken: Taken | null = null;

  constructor(request: Request, writeAnswer: WriteAnswer) {
    this.#request = request;
    this.#writeAnswer = writeAnswer;
  }

  answer(answer: Answer): boolean {
    if (this.#taken !== null) return false;
    this.#taken = takenFrom(answer);
    return true;
  }

  take(): News | null {
    return this.#taken === null ? null : { kind: "answer", taken: this.#taken };
  }

  withdraw(decision: ServerDecision, note: string | null): Taken {
    const words = { decision, via: "server", scope: null, note } as const;
    this.#taken ??= takenFrom(this.#writeAnswer(this.#request, words));
    return this.#taken;
  }

  settle(): void {}

  detached(): void {}
}

/** What this process says itself: there is nobody to look at. */
function takenFrom(answer: Answer): Taken {
  return { answer, hash: answerHash(answer), testimony: null };
}

/** Composes an answer that the asking process gives itself: its own decision, or what its client's dialog said. */
export type WriteAnswer = (
  request: Pick<Request, "id" | "binding">,
  words: {
    readonly decision: Decision;
    readonly via: "server" | "elicitation";
    readonly scope: Scope | null;
    readonly note: string | null;
    /** Only of an answer to a question. */
    readonly content?: QuestionContent;
  },
) => Answer;

/** Writes answers in the name of `server`'s process, which has no terminal; the time in them is wall time. */
export function answerWriter(clock: Clock, server: RequestServer, version: string): WriteAnswer {
  const by: AnsweredBy = { pid: server.pid, startedAt: server.startedAt, tty: null, version };
  return ({ id, binding }, { content, ...words }) => ({
    v: formatVersion,
    id,
    binding,
    ...words,
    ...(content === undefined ? {} : { values: content.values && [...content.values], text: content.text }),
    answeredAt: clock.now(),
    by,
  });
}
