/**
 * The tool `ask_person`: an agent asks what only a person knows. Invariant: what it tells as an answer is what a person
 * said; where nobody said anything, it says so.
 */
import type { CallToolResult, InputRequiredResult, McpServer } from "@modelcontextprotocol/server";
import { expectWispError } from "../../../broker/index.js";
import { type AskingCall, type AskingToolParts, legPartsOf } from "../asking-call.js";
import { startHeartbeat } from "../heartbeat.js";
import { advertised, parseInput } from "../input.js";
import { misconfiguredBy, runLeg } from "../leg.js";
import { withNotifications } from "../notifications.js";
import { peerOf } from "../peer.js";
import { questionLeg } from "../question-ask.js";
import { questionOutput, questionResult, unaskedResult } from "../question-result.js";
import { errorResult, withSentence } from "../result.js";
import { type QuestionInput, questionInput, questionOf } from "./question-input.js";

const description = [
  "Asks the person one question that only they can answer, and returns what they say. Use it instead of guessing what",
  "they want, and where a wrong guess would cost them something. Give options where you know them. They may take minutes:",
  "the call may return `pending`, and read_answer collects the answer later. They may decline, which is an answer too.",
  "It asks for no permission: what run_command takes is shown to the person by itself.",
].join(" ");

/** Adds the tool to `server`; nothing is opened or made before it is called. */
export function registerAskPerson(server: McpServer, parts: AskingToolParts): void {
  server.registerTool(
    "ask_person",
    {
      title: "Ask the person",
      description,
      inputSchema: advertised(questionInput),
      outputSchema: questionOutput,
      annotations: { title: "Ask the person", readOnlyHint: true, openWorldHint: true },
      // One client hides tools behind a search unless they ask not to be.
      _meta: { "anthropic/alwaysLoad": true },
    },
    (args, ctx) => {
      const call = { peer: peerOf(server, ctx, parts.era), wire: ctx.mcpReq, parts };
      return parts.connection.track(answerCall(args, call));
    },
  );
}

async function answerCall(args: unknown, call: AskingCall): Promise<CallToolResult | InputRequiredResult> {
  // A cancellation may come in the same read as the call; its listeners would never hear it.
  if (call.peer.signal.aborted) return unaskedResult();
  try {
    return await ask(parseInput(questionInput, args), call);
  } catch (error) {
    return errorResult(expectWispError(error), null);
  }
}

async function ask(input: QuestionInput, call: AskingCall): Promise<CallToolResult | InputRequiredResult> {
  const { peer, wire, parts } = call;
  const { client } = peer;
  const asking = parts.connection.open(client);
  const { config, questioner, doctorLine: doctor } = asking;
  const { holdSeconds, keepSeconds } = config.settings.questions;
  const heartbeat = startHeartbeat(peer, wire.notify, parts.options.clock);
  try {
    heartbeat.says(() => "Asking a person.");
    const question = questionOf(input, parts.options.directory);
    const asked = { question, client, caller: "stdio", thread: input.thread ?? null };
    const leg = questionLeg(asked, questioner, holdSeconds);
    const end = await runLeg(leg, legPartsOf(call, asking, heartbeat));
    if (end.kind === "dialog") return end.result;
    const { outcome, unused, hadDialog } = end;
    const misconfigured = misconfiguredBy({ outcome, hadDialog }, config);
    const facts = { doctor, keepSeconds, hasReadAnswer: true, isAnswered: unused !== null, misconfigured };
    const result = withSentence(questionResult(outcome, facts), unused);
    const about = end.request ?? outcome.request;
    return withNotifications(result, about === null ? [] : asking.notices.receiptsOf(about));
  } finally {
    heartbeat.stop();
  }
}
