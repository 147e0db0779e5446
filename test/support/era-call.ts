/** One call of a tool by a raw client of any revision, from the first message to its result. */
import type { MemoryServer } from "./mcp-server.js";
import { connectInMemory, type MemoryServerOptions, startInMemory } from "./mcp-server.js";
import { answerDialog, dialogIn, type Leg, sendLeg } from "./modern-client.js";
import type { Message, RawClient, ToolResult } from "./raw-client.js";

/** The revisions that there are, each as its clients speak it. */
export const revisions = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

export interface EraCall {
  /** Resolves with what the client's dialog says, once it is up. */
  dialog(): Promise<string>;
  /** The dialog that is up is answered. */
  reply(reply: unknown): void;
  /** The call's result, whatever came before it. */
  result(): Promise<ToolResult>;
  cancel(reason?: string): void;
  /** Did anything come for it that ends it? */
  hasEnded(): boolean;
}

export interface EraServer extends MemoryServer {
  /** Calls `tool`, `run_command` where none is named, without waiting. */
  call(args: Readonly<Record<string, unknown>>, progressToken: string, tool?: string): EraCall;
}

/** A server and its client of this revision, which declares these capabilities. */
export async function serverOf(
  revision: Revision,
  capabilities: Readonly<Record<string, unknown>>,
  options: MemoryServerOptions = {},
): Promise<EraServer> {
  const is2026 = revision === "2026-07-28";
  const server = is2026
    ? await startInMemory(options)
    : await connectInMemory({ capabilities, revision }, options);
  return { ...server, call: callsOf(server.client, revision, capabilities) };
}

/** How a client of this revision, which was introduced where that has to be, makes a call. */
export function callsOf(
  client: RawClient,
  revision: Revision,
  capabilities: Readonly<Record<string, unknown>>,
): EraServer["call"] {
  if (revision !== "2026-07-28") return (args, token, tool) => callOf2025({ client }, args, token, tool);
  return (args, progressToken, tool = "run_command") =>
    callOf2026({ client }, { args, tool, progressToken, capabilities });
}

function callOf2025(
  { client }: Pick<MemoryServer, "client">,
  args: Readonly<Record<string, unknown>>,
  progressToken: string,
  tool = "run_command",
): EraCall {
  const call = client.call(tool, args, { progressToken });
  let shown: Message | null = null;
  return {
    async dialog() {
      shown = await client.firstOf("elicitation/create");
      return String(shown.params?.message);
    },
    reply(reply) {
      if (shown === null) throw new Error("No dialog is up.");
      client.answer(shown, reply as Readonly<Record<string, unknown>>);
    },
    result: () => client.resultOf(call),
    cancel: (reason) =>
      client.notify("notifications/cancelled", { requestId: call, ...(reason && { reason }) }),
    hasEnded: () => client.hasResponseTo(call),
  };
}

function callOf2026({ client }: Pick<MemoryServer, "client">, leg: Leg): EraCall {
  let call = sendLeg(client, leg);
  let onReply: () => void = () => undefined;
  let replied = new Promise<void>((resolve) => {
    onReply = resolve;
  });
  const shown = async () => dialogIn(await client.resultOf(call));
  return {
    dialog: async () => (await shown()).message,
    reply(reply) {
      void shown().then((dialog) => {
        call = answerDialog(client, leg, dialog, reply);
        onReply();
      });
    },
    async result() {
      for (;;) {
        const result = await client.resultOf(call);
        if (result.resultType !== "input_required") return result;
        await replied;
        replied = new Promise((resolve) => {
          onReply = resolve;
        });
      }
    },
    cancel: (reason) =>
      client.notify("notifications/cancelled", { requestId: call, ...(reason && { reason }) }),
    hasEnded: () => client.hasResponseTo(call),
  };
}
