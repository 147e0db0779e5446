/** The servers of the protocol's own repository as they are published, and real clients of one that stands behind the built gate. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { wispProgram } from "./built.js";
import type { Places } from "./mcp-server.js";
import type { ToolResult } from "./raw-client.js";

const require = createRequire(import.meta.url);

/** What starts each of them; what it takes comes behind. */
export const published = {
  filesystem: script(require.resolve("@modelcontextprotocol/server-filesystem/package.json")),
  memory: script(require.resolve("@modelcontextprotocol/server-memory/package.json")),
  thinking: script(require.resolve("@modelcontextprotocol/server-sequential-thinking/package.json")),
  everything: script(require.resolve("@modelcontextprotocol/server-everything/package.json")),
} as const;

function script(manifest: string): readonly [string, string] {
  return [process.execPath, join(dirname(manifest), "dist", "index.js")];
}

/** The same server behind the gate; `flags` are those of the gate. */
export function gated(argv: readonly string[], ...flags: readonly string[]): readonly string[] {
  return [process.execPath, wispProgram, "gate", ...flags, "--", ...argv];
}

/** A client as a program has it that uses the SDK. */
export interface PublishedClient {
  call(tool: string, given?: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** The names of the tools, all pages. */
  tools(): Promise<readonly string[]>;
  /** What its dialog was asked, in order. It accepts everything, as Ada. */
  readonly dialogs: readonly string[];
}

/** Starts what `argv` says in `places`, and connects to it until the running test ends. */
export type ConnectTo = (
  argv: readonly string[],
  places: Places,
  environment?: Readonly<Record<string, string>>,
) => Promise<PublishedClient>;

/** Clients of both majors; the second one probes for its own era before it falls back. */
export const publishedClients: readonly (readonly [major: string, connect: ConnectTo])[] = [
  ["v1", connectV1],
  ["v2", connectV2],
];

const capabilities = { elicitation: { form: {} } };

/** Nothing of this process's environment but PATH goes with it. The gate asks in no dialog: those are the server's own. */
function launchOf(argv: readonly string[], { root, home, work }: Places, environment = {}) {
  const [command = process.execPath, ...args] = argv;
  const { PATH = "" } = process.env;
  return {
    ...{ command, args, cwd: work, stderr: "ignore" as const },
    env: { PATH, HOME: root, WISP_HOME: home, WISP_ELICITATION: "off", ...environment },
  };
}

/** A client of the first major. */
export async function connectV1(
  ...[argv, places, environment]: Parameters<ConnectTo>
): Promise<PublishedClient> {
  const client = new ClientV1({ name: "v1", version: "1" }, { capabilities });
  const dialogs: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answered(params.message, dialogs));
  onTestFinished(() => client.close());
  await client.connect(new TransportV1(launchOf(argv, places, environment)));
  return {
    dialogs,
    // Once it has listed the tools, it validates every result against the schema of its tool, and throws where one does not fit.
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) =>
      (await client.callTool({ name, arguments: { ...given } })) as ToolResult,
  };
}

async function connectV2(...[argv, places, environment]: Parameters<ConnectTo>): Promise<PublishedClient> {
  const client = new Client(
    { name: "v2", version: "2" },
    { capabilities, versionNegotiation: { mode: "auto" } },
  );
  const dialogs: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => answered(params.message, dialogs));
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport(launchOf(argv, places, environment)));
  return {
    dialogs,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) =>
      (await client.callTool({ name, arguments: { ...given } })) as ToolResult,
  };
}

function answered(message: string, dialogs: string[]) {
  dialogs.push(message);
  return { action: "accept" as const, content: { name: "Ada" } };
}
