/**
 * The slot of one request as its race sees it: in the channel, or in memory when the channel cannot be used and
 * the dialog alone decides.
 */

import type { Channel, Ending, News, Taken } from "../channel/channel.js";
import type { Answer, AnsweredBy, Decision, ServerDecision } from "../request/answer.js";
import { answerHash } from "../request/binding.js";
import { type ApprovalRequest, formatVersion, type RequestServer } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { Clock } from "../system/clock.js";

/** The part of `Channel` that decides one request; the same promises hold. */
export interface DecisionSlot {
  /** Can anybody but the client's dialog answer this request? */
  readonly isFiled: boolean;
  answer(answer: Answer): boolean;
  take(): News | null;
  withdraw(decision: ServerDecision, note: string | null): Taken;
  settle(ending: Ending): void;
}

/** The slot of request `id`, which this process filed. Throws what `channel` throws. */
export function channelSlot(channel: Channel, id: string): DecisionSlot {
  return {
    isFiled: true,
    answer: (answer) => channel.answer(answer),
    take: () => channel.take(id),
    withdraw: (decision, note) => channel.withdraw(id, decision, note),
    settle: (ending) => void channel.settle(id, ending),
  };
}

/** A slot that no other process reaches: nothing is filed and no receipt is left. */
export function memorySlot(request: ApprovalRequest, writeAnswer: WriteAnswer): DecisionSlot {
  let taken: Taken | null = null;
  function claim(answer: Answer): boolean {
    if (taken !== null) return false;
    taken = { answer, hash: answerHash(answer), testimony: null };
    return true;
  }
  return {
    isFiled: false,
    answer: claim,
    take: () => (taken === null ? null : { kind: "answer", taken }),
    withdraw(decision, note) {
      const own = writeAnswer(request, { decision, via: "server", scope: null, note });
      taken ??= { answer: own, hash: answerHash(own), testimony: null };
      return taken;
    },
    settle() {},
  };
}

/** Composes an answer that the asking process gives itself: its own decision, or what its client's dialog said. */
export type WriteAnswer = (
  request: Pick<ApprovalRequest, "id" | "binding">,
  words: {
    readonly decision: Decision;
    readonly via: "server" | "elicitation";
    readonly scope: Scope | null;
    readonly note: string | null;
  },
) => Answer;

/** Writes answers in the name of `server`'s process, which has no terminal; the time in them is wall time. */
export function answerWriter(clock: Clock, server: RequestServer, version: string): WriteAnswer {
  const by: AnsweredBy = { pid: server.pid, startedAt: server.startedAt, tty: null, version };
  return ({ id, binding }, words) => ({
    v: formatVersion,
    id,
    binding,
    ...words,
    answeredAt: clock.now(),
    by,
  });
}
