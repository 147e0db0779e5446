/** Answering as a face does it: through the channel, with what was read there. */
import {
  type Answer,
  type AnswerEnding,
  type ApprovalRequest,
  answerAndWait,
  ownIdentity,
  version,
} from "../../broker/index.js";
import type { Stage } from "./ask.js";

/** This process's answer to `request`; its `via` is that of the command line, whose face the demo is. */
export function answerTo(
  request: ApprovalRequest,
  decision: "approve" | "deny",
  { clock }: Pick<Stage, "clock">,
): Answer {
  const { pid, startedAt } = ownIdentity();
  return {
    v: 1,
    id: request.id,
    binding: request.binding,
    decision,
    scope: decision === "approve" ? "once" : null,
    note: null,
    via: "cli",
    answeredAt: clock.now(),
    by: { pid, startedAt, tty: null, version },
  };
}

/** Gives `answer` and says what became of it; `unread` when `signal` aborted or nobody looked at it for long. */
export async function give(
  answer: Answer,
  request: ApprovalRequest,
  { channel, clock }: Pick<Stage, "channel" | "clock">,
  signal: AbortSignal,
): Promise<AnswerEnding["kind"]> {
  const limit = new AbortController();
  const timer = clock.after(longestUnreadMs, () => limit.abort(), true);
  try {
    const { kind } = await answerAndWait(request, answer, {
      channel,
      clock,
      signal: AbortSignal.any([signal, limit.signal]),
      onSilent: () => undefined,
      sweep: () => undefined,
    });
    return kind;
  } finally {
    timer.cancel();
  }
}

/** A living server reads an answer within a second even where no event reaches it. */
const longestUnreadMs = 10_000;

/** What became of an answer, in few words. */
export function endingText(ending: AnswerEnding["kind"]): string {
  switch (ending) {
    case "won":
      return "taken";
    case "settled":
      return "too late";
    case "first":
      return "somebody was first";
    case "refused":
      return "not taken";
    case "gone":
      return "the request is gone";
    case "unread":
      return "nobody has read it";
    default:
      return ending satisfies never;
  }
}
