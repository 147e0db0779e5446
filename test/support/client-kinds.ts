/**
 * Every kind of client, each with or without a dialog, in front of a server of its own in this process: raw ones of each
 * revision, and those of the official SDK, which make their legs themselves.
 */
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { type EraCall, type Revision, revisions, serverOf } from "./era-call.js";
import {
  type MemoryServerOptions,
  saysWhere,
  serveOn,
  type WiredServer,
  waitingProgress,
} from "./mcp-server.js";
import type { Reply } from "./official-clients.js";
import { showsForms, type ToolResult } from "./raw-client.js";

export interface KindCall extends EraCall {
  /** Resolves once a person is asked and somebody else than its dialog can answer. */
  waits(): Promise<void>;
}

export interface KindServer extends WiredServer {
  /** Calls `tool`, `run_command` where none is named, without waiting. */
  call(args: Readonly<Record<string, unknown>>, tool?: string): KindCall;
  /** The revision of the protocol that both have agreed on. */
  readonly revision: string;
  /** Everything sent before has been read by then. */
  roundTrip(): Promise<void>;
}

export interface ClientKind {
  readonly name: string;
  /** What it is to speak. */
  readonly revision: Revision;
  readonly start: (hasDialog: boolean, options?: MemoryServerOptions) => Promise<KindServer>;
}

export const clientKinds: readonly ClientKind[] = [
  ...revisions.map((revision) => ({ name: `raw, ${revision}`, revision, start: startRaw(revision) })),
  { name: "SDK v1", revision: "2025-11-25", start: startV1 },
  { name: "SDK v2, auto", revision: "2026-07-28", start: startV2("auto") },
  { name: "SDK v2, pinned", revision: "2026-07-28", start: startV2({ pin: "2026-07-28" }) },
];

function startRaw(revision: Revision): ClientKind["start"] {
  return async (hasDialog, options) => {
    const server = await serverOf(revision, hasDialog ? showsForms : {}, options);
    const { client } = server;
    let calls = 0;
    return {
      ...server,
      revision,
      roundTrip: () => client.roundTrip(),
      call(args, tool) {
        calls += 1;
        const token = `call-${calls}`;
        const call = server.call(args, token, tool);
        return { ...call, waits: async () => void (await waitingProgress(client, token)) };
      },
    };
  };
}

/** As much of a client of the SDK as its calls need. */
interface SdkClient {
  callTool(call: SdkCall, options: SdkOptions): Promise<unknown>;
  listTools(): Promise<unknown>;
}

interface SdkCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

interface SdkOptions {
  readonly signal: AbortSignal;
  readonly onprogress: (progress: { readonly message?: string | undefined }) => void;
}

async function startV1(hasDialog: boolean, options?: MemoryServerOptions): Promise<KindServer> {
  const client = new ClientV1(
    { name: "v1", version: "1" },
    { capabilities: hasDialog ? { elicitation: {} } : {} },
  );
  const dialogs = new Dialogs();
  if (hasDialog) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => dialogs.show(params.message));
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = serveOn(far, options);
  onTestFinished(() => client.close());
  let revision = "";
  const wire = Object.assign(near, {
    setProtocolVersion(agreed: string) {
      revision = agreed;
    },
  });
  // The same shape, declared twice.
  await client.connect(wire as unknown as TransportV1);
  const sdk: SdkClient = {
    callTool: (call, how) => client.callTool(call, undefined, how),
    listTools: () => client.listTools(),
  };
  return { ...sdkServer(server, sdk, dialogs), revision };
}

function startV2(mode: VersionNegotiationMode): ClientKind["start"] {
  return async (hasDialog, options) => {
    const client = new Client(
      { name: "v2", version: "2" },
      { capabilities: hasDialog ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode } },
    );
    const dialogs = new Dialogs();
    if (hasDialog) {
      client.setRequestHandler("elicitation/create", ({ params }) => dialogs.show(params.message));
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = serveOn(far, options);
    onTestFinished(() => client.close());
    await client.connect(near);
    const revision = client.getNegotiatedProtocolVersion() ?? "";
    return { ...sdkServer(server, client, dialogs), revision };
  };
}

/** The dialog of a client of the SDK. */
class Dialogs {
  #answer: (reply: Reply) => void = () => {};
  readonly #shown: string[] = [];
  #onShown: (message: string) => void = () => {};

  show(message: string): Promise<Reply> {
    this.#shown.push(message);
    this.#onShown(message);
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  first(): Promise<string> {
    const [shown] = this.#shown;
    if (shown !== undefined) return Promise.resolve(shown);
    return new Promise((resolve) => {
      this.#onShown = resolve;
    });
  }

  reply(reply: unknown): void {
    this.#answer(reply as Reply);
  }
}

function sdkServer(server: WiredServer, client: SdkClient, dialogs: Dialogs): Omit<KindServer, "revision"> {
  return {
    ...server,
    roundTrip: async () => void (await client.listTools()),
    call(args, tool = "run_command") {
      let hasWaited = (): void => {};
      const waiting = new Promise<void>((resolve) => {
        hasWaited = resolve;
      });
      const controller = new AbortController();
      let hasEnded = false;
      const result = client.callTool(
        { name: tool, arguments: { ...args } },
        {
          signal: controller.signal,
          onprogress: ({ message = "" }) => saysWhere(message) && hasWaited(),
        },
      );
      result.then(
        () => {
          hasEnded = true;
        },
        () => {
          // Cancelled, or the connection is over: whoever awaits the result sees that.
        },
      );
      return {
        dialog: () => dialogs.first(),
        reply: (reply) => dialogs.reply(reply),
        result: async () => (await result) as ToolResult,
        cancel: (reason = "not wanted any more") => controller.abort(reason),
        hasEnded: () => hasEnded,
        waits: () => waiting,
      };
    },
  };
}
