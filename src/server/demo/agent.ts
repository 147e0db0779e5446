/**
 * What stands in for an agent: a client of the official SDK with a server of its own, started as any client starts
 * one. Nothing here knows how the server asks.
 */
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod";
import { version } from "../../broker/index.js";

/** How the client presents itself, and which server it starts. */
export interface AgentOptions {
  /** What the client calls itself. */
  readonly name: string;
  /** The server's program and arguments. */
  readonly server: readonly string[];
  readonly directory: string;
  /** What the server gets beside the few variables that the SDK passes on. */
  readonly environment: Readonly<Record<string, string>>;
  /** Plays the person at the client's dialog, given what it shows; null for a client that has none. */
  readonly dialog: ((message: string) => Promise<"approve" | "deny">) | null;
}

/** A client whose server has greeted it. */
export interface Agent {
  readonly serverPid: number | null;
  /**
   * Calls `run_command`; null when `signal` aborted, which cancels the call on the wire. `onProgress` is called
   * whenever the server says that it waits. Throws when the server is gone or breaks the protocol.
   */
  run(argv: readonly string[], signal: AbortSignal, onProgress: () => void): Promise<CallResult | null>;
  /** The end of what the server wrote on standard error, as it was written. */
  complaints(): string;
  /** Leaves, and waits until the server is gone. */
  close(): Promise<void>;
}

/** What a tool's result says, as far as the demo looks at it. */
export interface CallResult {
  readonly isError: boolean;
  readonly text: string;
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly stdout: string;
}

/** Starts the server and greets it. Throws when it cannot be started. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { name, dialog, directory, environment } = options;
  const [command = "", ...args] = options.server;
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: directory,
    env: { ...getDefaultEnvironment(), ...environment },
    stderr: "pipe",
  });
  let complaints = "";
  // A pipe that nobody reads fills up and stops the server.
  transport.stderr?.on("data", (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString("utf8")}`.slice(-mostComplaints);
  });
  const capabilities = dialog === null ? {} : { elicitation: { form: {} } };
  const client = new Client({ name, version }, { capabilities });
  if (dialog !== null) {
    client.setRequestHandler("elicitation/create", async ({ params }): Promise<ElicitResult> => {
      return { action: "accept", content: { decision: await dialog(params.message) } };
    });
  }
  await client.connect(transport);
  return {
    serverPid: transport.pid,
    async run(argv, signal, onProgress) {
      const call = { name: "run_command", arguments: { argv: [...argv], says: "to show how wisp asks" } };
      try {
        const result = await client.callTool(call, { signal, onprogress: onProgress, timeout: forEverMs });
        return callResultOf(result);
      } catch (error) {
        if (signal.aborted) return null;
        throw new Error(`The call broke off: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    },
    complaints: () => complaints,
    close: () => client.close(),
  };
}

const mostComplaints = 2_000;

/** The longest a timer can wait: how long a person has is the server's affair. */
const forEverMs = 2 ** 31 - 1;

const resultSchema = z.looseObject({
  isError: z.boolean().default(false),
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z
    .looseObject({
      outcome: z.string().optional(),
      exitCode: z.number().nullish(),
      stdout: z.string().optional(),
    })
    .default({}),
});

function callResultOf(result: unknown): CallResult {
  const { isError, content, structuredContent } = resultSchema.parse(result);
  return {
    isError,
    text: content.map((block) => block.text ?? "").join(" "),
    outcome: structuredContent.outcome ?? null,
    exitCode: structuredContent.exitCode ?? null,
    stdout: structuredContent.stdout ?? "",
  };
}
