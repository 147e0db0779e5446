/** The MCP server of this project with a throw-away home, in this process and behind a wire in memory. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/server";
import { expect, onTestFinished } from "vitest";
import type { WitnessOptions } from "../../src/broker/identity/witness.js";
import type { Notifier } from "../../src/broker/notify/notifier.js";
import type { Witness } from "../../src/broker/request/assurance.js";
import { type Clock, systemClock } from "../../src/broker/system/clock.js";
import type { ConnectionOptions } from "../../src/server/mcp/connection.js";
import { fileRules } from "../../src/server/mcp/file-rules.js";
import type { Rules, RulesPlace } from "../../src/server/mcp/rules.js";
import { type Served, serve } from "../../src/server/mcp/server.js";
import { writeAcceptedConfig } from "./config-files.js";
import { type Face, openFace } from "./face.js";
import {
  type Introduction,
  type Message,
  memoryClient,
  type RawClient,
  type ToolResult,
} from "./raw-client.js";
import { takesAll } from "./witnesses.js";

export interface Places {
  /** Where everything below lies; removed at the end. */
  readonly root: string;
  /** Not made yet. */
  readonly home: string;
  /** Where commands run. */
  readonly work: string;
  remove(): void;
}

export function makePlaces(): Places {
  const root = mkdtempSync(join(tmpdir(), "wisp-mcp-"));
  const work = join(root, "work");
  mkdirSync(work);
  return {
    root,
    home: join(root, "home"),
    work,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface MemoryServer extends Places {
  readonly client: RawClient;
  readonly served: Served;
  readonly face: Face;
  readonly errors: Error[];
  /** What it said on its standard error, line by line. */
  readonly said: readonly string[];
  /** The processes of commands that run. */
  readonly groups: Set<number>;
  /** The client goes away. */
  leave(): Promise<void>;
  /** Resolves when the connection is over and everything is settled. */
  settled(): Promise<void>;
}

export interface MemoryServerOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Seconds, as its command line says it. */
  readonly hold?: number;
  /** What stands in the `config.json` of its home; the home is made for it. */
  readonly config?: unknown;
  /** Takes every answer unless another is given: faces of tests have no terminal of their own. */
  readonly createWitness?: (options: WitnessOptions) => Witness;
  /** Where banners go; nowhere unless the test says so. */
  readonly notifiers?: readonly Notifier[];
  /** What judges and what remembers; without files everything asks. */
  readonly openRules?: (place: RulesPlace) => Rules | Promise<Rules>;
}

/** Starts a server, which ends with the running test; nothing has been said to it yet. */
export async function startInMemory(options: MemoryServerOptions = {}): Promise<MemoryServer> {
  const { client, transport, leave } = await memoryClient();
  return { ...serveOn(transport, options), client, leave };
}

/** What a connection in these places is opened with. */
export function connectionOptions(
  places: Places,
  options: MemoryServerOptions,
): Omit<ConnectionOptions, "say" | "groups"> {
  const { PATH } = process.env;
  return {
    // Where the home is refused, what came of it is kept below HOME: not below that of whoever runs the tests.
    environment: { PATH, HOME: places.root, WISP_HOME: places.home, ...options.environment },
    directory: places.work,
    clock: options.clock ?? systemClock,
    createWitness: options.createWitness ?? (() => takesAll),
    createNotifiers: () => options.notifiers ?? [],
    openRules: options.openRules ?? fileRules,
    umask: null,
    hold: options.hold ?? null,
  };
}

/** A server at one end of a wire, whoever is at the other. */
export type WiredServer = Omit<MemoryServer, "client" | "leave">;

/** Starts one, which ends with the running test. */
export function serveOn(transport: Transport, options: MemoryServerOptions = {}): WiredServer {
  const places = makePlaces();
  if (options.config !== undefined) writeAcceptedConfig(places.home, options.config);
  const errors: Error[] = [];
  const said: string[] = [];
  const groups = new Set<number>();
  const served = serve(transport, {
    ...connectionOptions(places, options),
    groups,
    onIntroduced: () => undefined,
    say: (line) => void said.push(line),
    onError: (error) => void errors.push(error),
  });
  const settled = async (): Promise<void> => {
    await served.gone;
    await served.settled();
  };
  onTestFinished(async () => {
    served.stop("the test is over");
    await settled();
    places.remove();
  });
  return { ...places, served, face: openFace(places.home), errors, said, groups, settled };
}

/** Starts a server and introduces the client. */
export async function connectInMemory(
  introduction: Introduction = {},
  options: MemoryServerOptions = {},
): Promise<MemoryServer> {
  const server = await startInMemory(options);
  await server.client.initialize(introduction);
  return server;
}

/** The progress that says what to answer and where: once it is there, the request waits. */
export function waitingProgress(client: RawClient, progressToken: string | number = "p"): Promise<Message> {
  return client.first(
    ({ method, params }) =>
      method === "notifications/progress" &&
      params?.progressToken === progressToken &&
      saysWhere(String(params.message)),
  );
}

/** Does a text of progress name the command that answers? */
export function saysWhere(message: string): boolean {
  return /wisp (approvals approve|questions answer) /.test(message);
}

/** Resolves once there is a file at `path`. Asked again and again: events are lost where thousands of files are made. */
export async function appears(path: string): Promise<void> {
  await expect.poll(() => existsSync(path), { interval: 5, timeout: 60_000 }).toBe(true);
}

/** Arguments of a command that harms nothing and prints `once`. */
export const printing = { argv: ["printf", "%s", "once"] };

/** What a call carries that wants progress. */
export const withProgress = { progressToken: "p" };

/** For tests in which a dialog is answered at once: their answers count as read. */
export const readAtOnce = { approval: { unseenAnswerMs: 0 } };

/** The dialog's answer that approves. */
export const approval = { action: "accept", content: { decision: "approve" } };

export function textOf(result: ToolResult): string {
  return result.content?.map((block) => block.text).join("\n") ?? "";
}
