/** One leg of a call that asks a question. */
import type { QuestionAsk, QuestionEnd, Questioner, QuestionRequest } from "../../broker/index.js";
import { questionHash } from "../../broker/index.js";
import type { LegAsk } from "./leg.js";
import { questionDialogs } from "./question-form.js";

/** For how long a call is held is one limit more than what its client waits. */
export function questionLeg(
  ask: QuestionAsk,
  questioner: Pick<Questioner, "ask" | "look">,
  holdSeconds: number,
): LegAsk<QuestionRequest, QuestionEnd> {
  return {
    kind: questionDialogs,
    subject: questionHash(ask.question),
    mostHeldSeconds: holdSeconds,
    async ask(dialog, signal, onAsked, earlier) {
      // A dialog that comes back after its question ended answers nothing; nor is the person asked once more for that.
      const end = earlier === null ? null : await questioner.look(earlier.request, ask.client);
      if (end !== null && end.name !== "pending") return end;
      return questioner.ask(ask, dialog, signal, onAsked);
    },
  };
}
