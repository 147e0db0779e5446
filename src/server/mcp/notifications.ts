/** What the person was told, in the results of the calls that it was about. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { BannerReceipt } from "../../broker/index.js";

/** `structuredContent.notifications` of every tool: what became of each banner. */
export const notificationsOutput = z.array(
  z.object({
    title: z.string(),
    body: z.string(),
    source: z.string(),
    outcome: z.enum(["posted", "failed", "refused"]),
    route: z.string().nullable(),
    skipped: z.array(z.object({ route: z.string(), why: z.string() })),
    at: z.number(),
  }),
);

/** `result` with what the person was told, as far as that is known by now. */
export function withNotifications(
  result: CallToolResult,
  receipts: readonly BannerReceipt[],
): CallToolResult {
  const { structuredContent } = result;
  if (structuredContent === undefined) return result;
  return { ...result, structuredContent: { ...structuredContent, notifications: [...receipts] } };
}
