/** Asks the person on behalf of an author's tool what only they can say. It allows nothing. */
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { expectWispError, type QuestionEnd } from "../../broker/index.js";
import { legPartsOf } from "../mcp/asking-call.js";
import { startHeartbeat } from "../mcp/heartbeat.js";
import { parseInput } from "../mcp/input.js";
import { misconfiguredBy, runLeg } from "../mcp/leg.js";
import { questionLeg } from "../mcp/question-ask.js";
import { questionResult } from "../mcp/question-result.js";
import { errorResult, withSentence } from "../mcp/result.js";
import { type QuestionInput, questionInput, questionOf } from "../mcp/tools/question-input.js";
import { type LibraryCall, marked } from "./open-call.js";
import { type RefusalResult, refusal } from "./results.js";

/** What may be answered: the input of the tool `ask_person`, by the same limits. */
export type QuestionSchema = z.input<typeof questionInput>;

/** What became of a question. Whatever is no answer brings the result that the tool is to return. */
export type QuestionReply =
  | {
      readonly kind: "answered";
      /** The values of the options that were chosen; null where the person wrote a text. */
      readonly values: readonly string[] | null;
      /** What they wrote; null where they chose. Any text: shown to nobody as it is. */
      readonly text: string | null;
    }
  /** The person does not want to answer; what they said beside that, or null. */
  | { readonly kind: "declined"; readonly note: string | null; readonly result: RefusalResult }
  /** Nobody answered, and why is said in the result; or it waits for the same call to come again. */
  | {
      readonly kind: "unanswered";
      readonly name: Exclude<QuestionEnd["name"], "answered" | "declined">;
      readonly result: RefusalResult;
    }
  /** The client shows its dialog, and makes the call again with what was answered. */
  | { readonly kind: "dialog"; readonly result: InputRequiredResult };

/** Rejects for programmer's errors only: a schema that asks nothing is refused, for it may come from the caller. */
export async function askQuestion(schema: QuestionSchema, call: LibraryCall): Promise<QuestionReply> {
  try {
    return await replyTo(parseInput(questionInput, schema), call);
  } catch (error) {
    const broken = expectWispError(error);
    const name = broken.code === "invalid_input" ? "refused" : "failed";
    return { kind: "unanswered", name, result: refusal(errorResult(broken, null, call.asking.doctorLine)) };
  }
}

async function replyTo(input: QuestionInput, call: LibraryCall): Promise<QuestionReply> {
  const { peer, wire, asking, parts } = call;
  const { config, questioner, doctorLine: doctor } = asking;
  const { holdSeconds, keepSeconds } = config.settings.questions;
  const heartbeat = startHeartbeat(peer, wire.notify, parts.options.clock);
  try {
    heartbeat.says(() => "Asking a person.");
    const question = questionOf(input, parts.options.directory);
    const asked = { question, client: peer.client, caller: "stdio", thread: input.thread ?? null };
    const leg = questionLeg(asked, questioner, holdSeconds);
    const end = await runLeg(leg, legPartsOf(call, asking, heartbeat));
    if (end.kind === "dialog") return { kind: "dialog", result: marked(end.result, call.rounds) };
    const { outcome, unused, hadDialog } = end;
    if (outcome.name === "answered") return { kind: "answered", ...outcome.content };
    const misconfigured = misconfiguredBy({ outcome, hadDialog }, config);
    const facts = { doctor, keepSeconds, hasReadAnswer: false, isAnswered: unused !== null, misconfigured };
    const result = refusal(withSentence(questionResult(outcome, facts), unused));
    if (outcome.name === "declined") return { kind: "declined", note: outcome.note, result };
    return { kind: "unanswered", name: outcome.name, result };
  } finally {
    heartbeat.stop();
  }
}
