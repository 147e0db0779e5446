/** `wisp questions answer ID` and `decline ID`. An answer is read at a prompt of its own, below the whole question. */
import { askedFor, promptFor } from "../../face/reply.js";
import { viewOf } from "../../face/view.js";
import type { Waiting } from "../../face/waiting.js";
import { refusedAltered, refusedIfAltered } from "../altered.js";
import { chooseOf } from "../choose.js";
import { readOrEnd, untilEndOf } from "../confirm.js";
import { giveAnswer } from "../give-answer.js";
import { notAnswered, notAsked } from "../not-answered.js";
import { drawCard, paintFor } from "../render.js";
import type { Terminal } from "../terminal.js";
import { typedReply } from "./typed-reply.js";

/** Whoever was not understood so often is told to look once more. */
const mostReplies = 3;

/** Shows all of it, reads what is typed until that is an answer, and gives it. */
export async function answerOne(typed: string, waiting: Waiting, terminal: Terminal): Promise<number> {
  const request = chooseOf("question", true, typed, waiting, terminal);
  if (typeof request === "number") return request;
  const { card, objection } = viewOf(request, waiting.home, terminal);
  if (objection !== null) return refusedAltered(request, objection, terminal);
  const { err, environment } = terminal;
  err.write((await drawCard(card, err, paintFor(err, environment))).text);
  const interrupted = terminal.interruption();
  const untilEnd = untilEndOf(request, waiting, terminal);
  const prompt = promptFor(request.question);
  for (let replies = 0; replies < mostReplies; replies += 1) {
    const said = await readOrEnd(prompt, untilEnd, terminal, interrupted, true);
    if (said.kind !== "line") return notAsked(said, request, terminal);
    const line = said.line ?? "";
    if (line.trim() === "") return notAnswered(request, "Nothing was typed.", terminal);
    const reply = typedReply(line, request.question);
    switch (reply.kind) {
      case "content": {
        const given = { decision: "answer", scope: null, note: null, ...reply.content } as const;
        return await giveAnswer(request, given, waiting, terminal, interrupted);
      }
      case "wrong":
        err.write(`Not sent: ${reply.why}.\n`);
        break;
      default:
        return reply satisfies never;
    }
  }
  return notAnswered(request, `It takes ${askedFor(request.question)}.`, terminal);
}

/** Says at once that the person does not answer, which is an answer to the agent. */
export async function declineOne(
  typed: string,
  note: string | null,
  waiting: Waiting,
  terminal: Terminal,
): Promise<number> {
  const request = chooseOf("question", false, typed, waiting, terminal);
  if (typeof request === "number") return request;
  // What is bound to something else than what its server holds would not be taken.
  const altered = refusedIfAltered(request, terminal);
  if (altered !== null) return altered;
  const given = { decision: "decline", scope: null, note } as const;
  return await giveAnswer(request, given, waiting, terminal, terminal.interruption());
}
