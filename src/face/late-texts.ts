/** What a late yes does, in the words in which a person is told before and after it. */
import { isStateBound, type LateRequest, localDay, type Moment, remainingMs } from "../broker/index.js";
import type { LateFacts } from "./card.js";
import { durationText } from "./describe.js";
import { unansweredText } from "./ended.js";
import type { Seat } from "./seat.js";

/** For the card. */
export function lateFactsOf(late: LateRequest, now: Moment): LateFacts {
  const { how, life } = late;
  const passedSeconds = (life.forMs - leftMs(late, now)) / 1_000;
  const ended = `${unansweredText(how)}, ${durationText(passedSeconds)} ago`;
  return { ended, effect: effectText(late, now) };
}

/** Names client and directory as they were given: hostile text. */
export function effectText(late: LateRequest, now: Moment): string {
  const { request, bound } = late;
  const client = request.client?.name ?? request.caller;
  const place = bound.directory === "" ? "" : ` in ${bound.directory}`;
  const until = localTime(untilOf(late, now));
  return `the next identical call of ${client}${place} runs once, until ${until}; ${boundText(request)}`;
}

/** Until when it may be answered, and a yes to it used: epoch milliseconds, as long as nobody sets the clock. */
export function untilOf(late: Pick<LateRequest, "life">, now: Moment): number {
  return now.at + leftMs(late, now);
}

/** What an answer from this terminal would be. This very command looks at itself, for no server does. */
export function lateHereText({
  canAnswer,
  isControlling,
}: Pick<Seat, "canAnswer" | "isControlling">): string {
  if (!canAnswer) return "no answer: standard input is no terminal";
  if (isControlling === false) {
    return "no yes: standard input is not the terminal that controls this command";
  }
  return "terminal; no yes if this command finds itself within a client's own processes";
}

/** `2026-11-30 09:14`, as the clock on the wall here shows it. */
export function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${localDay(at)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function leftMs({ life }: Pick<LateRequest, "life">, now: Moment): number {
  return remainingMs(life, now) ?? 0;
}

/** What is compared before it runs: that is all that refuses. */
function boundText({ subject }: LateRequest["request"]): string {
  switch (subject.type) {
    case "command":
      return isStateBound(subject)
        ? "what changed meanwhile still refuses"
        : "of what changed meanwhile only another program or directory refuses";
    case "tool":
      return isStateBound(subject)
        ? "what changed meanwhile still refuses"
        : "of what changed meanwhile only another definition of the tool refuses";
    case "permission":
      return "nothing that changed meanwhile refuses";
    default:
      return subject satisfies never;
  }
}
