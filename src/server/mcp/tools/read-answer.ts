/**
 * The tool `read_answer`: how a question stands that `ask_person` returned from while it waited. Invariant: whoever gives
 * an id that is none of its own questions learns nothing about it, not even whether there is such a thing.
 */
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { expectWispError, WispError } from "../../../broker/index.js";
import type { Connection } from "../connection.js";
import { advertised, parseInput } from "../input.js";
import { withNotifications } from "../notifications.js";
import { type Era, type Peer, peerOf } from "../peer.js";
import { questionOutput, questionResult, unaskedResult } from "../question-result.js";
import { errorResult } from "../result.js";
import { readAnswerInput } from "./question-input.js";

/** The connection whose questions they are, and the era that its client speaks. */
export interface ReadAnswerParts {
  readonly connection: Connection;
  readonly era: Era;
}

const description = [
  "Tells how a question stands that you asked with ask_person and that returned `pending`. An answer is told once. It",
  "does not wait: go on with something else before you look again.",
].join(" ");

/** Adds the tool to `server`; nothing is opened or made by a call of it. */
export function registerReadAnswer(server: McpServer, parts: ReadAnswerParts): void {
  server.registerTool(
    "read_answer",
    {
      title: "Read an answer",
      description,
      inputSchema: advertised(readAnswerInput),
      outputSchema: questionOutput,
      annotations: { title: "Read an answer", readOnlyHint: true },
      // Whoever was told to call it must find it.
      _meta: { "anthropic/alwaysLoad": true },
    },
    (args, ctx) => parts.connection.track(read(args, peerOf(server, ctx, parts.era), parts.connection)),
  );
}

async function read(args: unknown, peer: Peer, connection: Connection): Promise<CallToolResult> {
  // An answer that is told to nobody must not count as told.
  if (peer.signal.aborted) return unaskedResult();
  try {
    const { request } = parseInput(readAnswerInput, args);
    const asking = connection.opened();
    const end = (await asking?.questioner.look(request, peer.client)) ?? null;
    if (asking === null || end === null) throw new WispError("invalid_input", notYours, { fix: askAgain });
    const { config, doctorLine: doctor, notices } = asking;
    const { keepSeconds } = config.settings.questions;
    const result = questionResult(end, {
      doctor,
      keepSeconds,
      hasReadAnswer: true,
      isAnswered: false,
      misconfigured: null,
    });
    return withNotifications(result, end.request === null ? [] : notices.receiptsOf(end.request));
  } catch (error) {
    return errorResult(expectWispError(error), null);
  }
}

const notYours = "request: no question of yours has this id, or its answer is not kept any more";
/** No other argument would help, and what keep_fact returned is an id as well. */
const askAgain =
  "Call ask_person again if you still need the answer; what became of a fact, read_facts tells.";
