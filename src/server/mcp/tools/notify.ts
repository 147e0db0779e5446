/**
 * The tool `notify`: an agent tells the person something, once. Invariant: it asks nothing and answers nothing, whatever
 * its words are; a budget keeps it from hiding what does ask.
 */
import { basename } from "node:path";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  type AuditLog,
  type BannerReceipt,
  type BudgetedPost,
  errorCodes,
  expectWispError,
  notificationEvent,
  shownText,
} from "../../../broker/index.js";
import type { Connection } from "../connection.js";
import { advertised, filledInput, parseInput, textInput } from "../input.js";
import { notificationsOutput } from "../notifications.js";
import { type Era, type Peer, peerOf } from "../peer.js";
import { abandonedResult, errorResult } from "../result.js";

/** The connection whose budget it is, where its server was started, and the era that its client speaks. */
export interface NotifyParts {
  readonly connection: Connection;
  /** Absolute. */
  readonly directory: string;
  readonly era: Era;
}

const input = z.strictObject({
  title: filledInput(64).describe("What it is about, in a few words."),
  body: textInput(256).describe("What to tell, in one or two sentences."),
  thread: textInput(64).optional().describe("A short label for the task this belongs to."),
});

/** Only `outcome` is required, so that refusals fit too. */
const outputSchema = z.object({
  outcome: z.enum(["posted", "failed", "refused", "abandoned"]),
  code: z.string().optional(),
  retryable: z.boolean().optional(),
  recovery: z.string().optional(),
  request: z.string().nullable().optional(),
  notifications: notificationsOutput.optional(),
});

const description = [
  "Shows the person a short notification outside of this conversation. Use it when something long is done, or when you",
  "cannot go on without them. It asks nothing, brings no answer, and a person may not see it: say what matters in your",
  "reply as well. What run_command, ask_person and keep_fact ask is announced by itself: do not announce it.",
].join(" ");

/** Adds the tool to `server`; nothing is opened or made before it is called. */
export function registerNotify(server: McpServer, parts: NotifyParts): void {
  server.registerTool(
    "notify",
    {
      title: "Notify the person",
      description,
      inputSchema: advertised(input),
      outputSchema,
      annotations: { title: "Notify the person", readOnlyHint: true },
    },
    (args, ctx) => parts.connection.track(tell(args, peerOf(server, ctx, parts.era), parts)),
  );
}

async function tell(args: unknown, peer: Peer, parts: NotifyParts): Promise<CallToolResult> {
  // A cancellation may come in the same read as the call; its listeners would never hear it.
  if (peer.signal.aborted) return abandonedResult();
  try {
    const { title, body, thread = null } = parseInput(input, args);
    const { audit, banners } = parts.connection.open(peer.client);
    const client = peer.client?.name ?? null;
    const project = basename(parts.directory) || "/";
    const about = { source: "notify", request: null, level: null, client, project } as const;
    const post = await banners.post({ title, body, outside: body, ...about }, peer.signal);
    await note(audit, post.receipts, { client, thread });
    return resultOf(post);
  } catch (error) {
    return errorResult(expectWispError(error), null);
  }
}

interface Claims {
  readonly client: string | null;
  readonly thread: string | null;
}

async function note(
  audit: AuditLog,
  receipts: readonly BannerReceipt[],
  { client, thread }: Claims,
): Promise<void> {
  const claims = { client: client && shownText(client), thread: thread && shownText(thread) };
  try {
    await audit.append(
      receipts.map((receipt) => notificationEvent(receipt, [], claims)),
      "plain",
    );
  } catch (error) {
    // What was shown was shown. A log that cannot be written stops the next command.
    expectWispError(error);
  }
}

/** One place that showed it is enough. */
function resultOf({ isOver, receipts }: BudgetedPost): CallToolResult {
  const outcomes = receipts.map(({ outcome }) => outcome);
  if (outcomes.includes("posted")) {
    const text = "Posted: a notification was handed over. That is no proof that anybody saw it; go on.";
    return {
      content: [{ type: "text", text }],
      structuredContent: { outcome: "posted", notifications: receipts },
    };
  }
  const why = receipts.flatMap(({ skipped }) => skipped.map((one) => `${one.route}: ${one.why}`)).join("; ");
  if (outcomes.includes("failed")) {
    const recovery = "Nobody was notified. Do not repeat it; say it in your reply.";
    return refused(
      "failed",
      `Failed, no notification could be shown (${why}).`,
      { retryable: false, recovery },
      receipts,
    );
  }
  const code = isOver ? "rate_limited" : "policy_refused";
  return refused(
    "refused",
    `Refused, no notification was shown (${why}).`,
    { code, ...errorCodes[code] },
    receipts,
  );
}

interface WhatNext {
  readonly retryable: boolean;
  readonly recovery: string;
  readonly code?: string;
}

function refused(
  outcome: "failed" | "refused",
  lead: string,
  next: WhatNext,
  notifications: readonly BannerReceipt[],
): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: `${lead} ${next.recovery}` }],
    structuredContent: { outcome, ...next, notifications },
  };
}
