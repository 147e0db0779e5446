/**
 * The tool `keep_fact`: an agent proposes something to keep for good. Invariant: it files a question and returns; only a
 * person keeps, and no call waits for them.
 */
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Clock, expectWispError } from "../../../broker/index.js";
import type { Connection } from "../connection.js";
import { factAskedResult } from "../fact-result.js";
import { factOutput } from "../facts-here.js";
import { advertised, filledInput, parseInput, textInput } from "../input.js";
import { withNotifications } from "../notifications.js";
import { type Era, type Peer, peerOf } from "../peer.js";
import { abandonedResult, commonOutput, errorResult } from "../result.js";

/** The connection that asks, where its server was started, and the era that its client speaks. */
export interface KeepFactParts {
  readonly connection: Connection;
  /** Absolute; what is kept holds here unless the person says everywhere. */
  readonly directory: string;
  readonly era: Era;
  readonly clock: Clock;
}

const input = z.strictObject({
  subject: filledInput(120).describe("What it is about: a project, a person, a tool."),
  name: filledInput(64).describe("Which property of it, in a word or two."),
  value: filledInput(1_000).describe(
    "What is so. One fact, in full sentences where it needs them; no secrets.",
  ),
  source: textInput(200).optional().describe("Where you have it from, for the person who is asked."),
  thread: textInput(64).optional().describe("A short label for the task this belongs to."),
});

const outputSchema = z.object({ ...commonOutput, fact: factOutput.optional() });

const description = [
  "Asks a person to keep one fact for good, so that later sessions can read it with read_facts. Use it for what was",
  "hard to find out and stays true: a decision, a convention, a preference the person stated. It returns at once: a",
  "person is asked, may take days, and nothing is kept without their yes. Go on working, do not wait for it and do not",
  "ask again. A fact that was dropped is not wanted. Look with read_facts first.",
].join(" ");

/** Adds the tool to `server`; nothing is opened or made before it is called. */
export function registerKeepFact(server: McpServer, parts: KeepFactParts): void {
  server.registerTool(
    "keep_fact",
    {
      title: "Keep a fact",
      description,
      inputSchema: advertised(input),
      outputSchema,
      annotations: {
        title: "Keep a fact",
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    (args, ctx) => parts.connection.track(propose(args, peerOf(server, ctx, parts.era), parts)),
  );
}

/** A banner is handed over in a tenth of it. One that hangs is told as far as it is known. */
const longestTellingMs = 500;

const so = "nobody was asked and it is not kept";

async function propose(
  args: unknown,
  peer: Peer,
  { connection, directory, clock }: KeepFactParts,
): Promise<CallToolResult> {
  // A cancellation may come in the same read as the call; its listeners would never hear it.
  if (peer.signal.aborted) return abandonedResult();
  try {
    const { subject, name, value, source = null, thread = null } = parseInput(input, args);
    const { keeper, notices, doctorLine } = connection.open(peer.client);
    const asked = await keeper.ask({
      words: { subject, name, value, source, directory },
      client: peer.client,
      caller: "stdio",
      thread,
    });
    const result = factAskedResult(asked, doctorLine);
    if (asked.kind !== "waits") return result;
    const { id } = asked.request;
    // A client that leaves with this result takes what is still being posted with it.
    await within(longestTellingMs, notices.whenTold(id), clock);
    return withNotifications(result, notices.receiptsOf(id));
  } catch (error) {
    return errorResult(expectWispError(error), null, connection.doctorLine(), so);
  }
}

/** Resolves with `done`, or after `ms`. */
async function within(ms: number, done: Promise<void>, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.after(ms, resolve);
    void done.then(() => {
      timer.cancel();
      resolve();
    });
  });
}
