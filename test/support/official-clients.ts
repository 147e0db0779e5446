/** The official SDK's clients, each over stdio with a server of its own: today's (v1), and the second version. */
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { wispProgram } from "./built.js";
import type { Places } from "./mcp-server.js";
import type { ToolResult } from "./raw-client.js";

/** What a dialog answers. */
export type Reply =
  | { action: "accept"; content: Record<string, string> }
  | { action: "decline" }
  | { action: "cancel" };

/** A person in front of the dialog; null for a client that declares one and has none; or one that declares none. */
export type Answering = ((message: string) => Reply | Promise<Reply>) | null | "no dialog";

export interface OfficialClient {
  /** Calls `run_command`; `onWaiting` hears that a person is asked. */
  run(args: Readonly<Record<string, unknown>>, onWaiting?: () => void): Promise<ToolResult>;
  /** What its dialog was asked, in order. */
  readonly dialogs: readonly string[];
}

export type Connect = (places: Places, answering: Answering) => Promise<OfficialClient>;

/** Clients that show dialogs, by their names. */
export const officialClients: readonly (readonly [name: string, connect: Connect])[] = [
  ["v1", connectV1],
  ["v2", async (places, answering) => await connectV2(places, answering, "legacy")],
];

/** How a client starts our server: with nothing of this process's environment but PATH. */
export function launchIn({ root, home, work }: Places) {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: root, WISP_HOME: home };
  return { command: process.execPath, args: [wispProgram, "mcp"], cwd: work, env };
}

/** A client of the first version. */
export async function connectV1(places: Places, answering: Answering): Promise<OfficialClient> {
  const capabilities = answering === "no dialog" ? {} : { elicitation: {} };
  const client = new ClientV1({ name: "v1", version: "1" }, { capabilities });
  const dialogs: string[] = [];
  if (typeof answering === "function") {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      dialogs.push(params.message);
      return await answering(params.message);
    });
  }
  onTestFinished(() => client.close());
  await client.connect(new TransportV1(launchIn(places)));
  // From here on it validates every result against the published schema and throws where one does not fit.
  await client.listTools();
  return {
    dialogs,
    run: async (args, onWaiting = () => {}) => {
      const call = { name: "run_command", arguments: { ...args } };
      return (await client.callTool(call, undefined, { onprogress: listener(onWaiting) })) as ToolResult;
    },
  };
}

/** A client of the second version, with the way in which it opens its connection. */
export async function connectV2(
  places: Places,
  answering: Answering,
  mode: VersionNegotiationMode,
): Promise<OfficialClient & { readonly client: Client }> {
  const client = new Client(
    { name: "v2", version: "2" },
    {
      capabilities: answering === "no dialog" ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode },
    },
  );
  const dialogs: string[] = [];
  if (typeof answering === "function") {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      dialogs.push(params.message);
      return await answering(params.message);
    });
  }
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport(launchIn(places)));
  return {
    client,
    dialogs,
    run: async (args, onWaiting = () => {}) => {
      const call = { name: "run_command", arguments: { ...args } };
      return (await client.callTool(call, { onprogress: listener(onWaiting) })) as ToolResult;
    },
  };
}

/** Calls `onWaiting` with the first progress that says where to answer. */
function listener(onWaiting: () => void): (progress: { readonly message?: string | undefined }) => void {
  let isHeard = false;
  return ({ message = "" }) => {
    if (isHeard || !message.includes("wisp approvals approve ")) return;
    isHeard = true;
    onWaiting();
  };
}
