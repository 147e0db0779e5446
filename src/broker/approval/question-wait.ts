/** The life of one question: beside what all requests share, its end is handed over, for calls that come for it later. */
import type { QuestionRequest } from "../request/request.js";
import type { Gone } from "./call.js";
import type { Placed } from "./place.js";
import { questionPending } from "./question-ends.js";
import type { QuestionAsk, QuestionEnd } from "./questioner.js";
import { type QuestionConclusion, type SettledQuestion, settleQuestion } from "./settle-question.js";
import { Wait } from "./wait.js";
import type { WaitKind } from "./wait-kind.js";
import type { WaitParts } from "./wait-parts.js";

/** Who hears how far the questions of one questioner have come. */
export interface QuestionWaitParts extends WaitParts {
  /** `Wait` says when each of these is called, and that `onClosed` may be several times. */
  readonly onRacing: (wait: QuestionWait, placed: Placed<QuestionRequest>) => void;
  readonly onDecided: (wait: QuestionWait, placed: Placed<QuestionRequest>) => void;
  readonly onClosed: (wait: QuestionWait) => void;
  /** Its receipt is there. Called in the step in which the calls are told. */
  readonly onSettled: (wait: QuestionWait, settled: SettledQuestion) => void;
}

/** A decision about it leaves nothing. */
export class QuestionWait extends Wait<QuestionAsk, QuestionRequest, QuestionEnd, null> {
  readonly #parts: QuestionWaitParts;

  constructor(
    ask: QuestionAsk,
    key: string,
    kind: WaitKind<QuestionAsk, QuestionRequest, QuestionEnd>,
    parts: QuestionWaitParts,
  ) {
    super(ask, key, kind, parts);
    this.#parts = parts;
  }

  protected onRacing(placed: Placed<QuestionRequest>): void {
    this.#parts.onRacing(this, placed);
  }

  protected onDecided(placed: Placed<QuestionRequest>): null {
    this.#parts.onDecided(this, placed);
    return null;
  }

  protected onClosed(): void {
    this.#parts.onClosed(this);
  }

  protected toldMsAgo(): number | null {
    return null;
  }

  protected whyReplaced(): Gone | null {
    return null;
  }

  protected pendingEnd(request: QuestionRequest, seconds: number): QuestionEnd {
    return questionPending(request, seconds);
  }

  protected async conclude(conclusion: QuestionConclusion): Promise<readonly QuestionEnd[]> {
    const settled = await settleQuestion(conclusion, this.#parts.write);
    this.#parts.onSettled(this, settled);
    return settled.told;
  }
}
