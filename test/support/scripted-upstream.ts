/** A server behind a gate, which does what a test says: it introduces itself, lists its tools, and keeps all that comes. */

import type { Message } from "./raw-client.js";
import { RawClient } from "./raw-client.js";

/** A tool as it stands in a list. */
export interface ListedTool {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A tool that writes, and one that says of itself that it only reads. */
export const writeFile: ListedTool = {
  name: "write_file",
  description: "Writes a file.",
  inputSchema: { type: "object" },
};
export const readFile: ListedTool = {
  name: "read_file",
  description: "Reads a file.",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
};

/** What comes back of a call, unless a test says otherwise. */
export const done = { content: [{ type: "text", text: "done" }] };

export class ScriptedUpstream {
  /** Lines as they were sent to it, in order. */
  readonly lines: string[] = [];
  /** Its wire: what it received, and what it says. */
  readonly wire: RawClient;
  tools: readonly ListedTool[] = [writeFile, readFile];
  /** So many tools stand on a page. */
  pageSize = 100;
  /** Null answers no call by itself. */
  onCall: ((call: Message) => object | null) | null = () => done;
  /** It answers nothing by itself, whatever it is asked. */
  isSilent = false;
  /** Once it is gone nothing reaches it. */
  isGone = false;
  readonly #say: (line: string) => void;

  /** `say` takes its lines, newline included. */
  constructor(say: (line: string) => void) {
    this.#say = say;
    this.wire = new RawClient((message) => this.says(JSON.stringify(message)));
  }

  /** Takes a line, soon; false once it is gone. */
  take(line: Buffer | string): boolean {
    if (this.isGone) return false;
    setImmediate(() => this.#read(line.toString()));
    return true;
  }

  /** Says this line, whatever it is. */
  says(line: string): void {
    if (!this.isGone) this.#say(`${line}\n`);
  }

  /** The calls of tools that reached it. */
  get calls(): readonly Message[] {
    return this.wire.allOf("tools/call");
  }

  #read(line: string): void {
    if (this.isGone) return;
    this.lines.push(line);
    const message = JSON.parse(line) as Message;
    this.wire.receive(message);
    const result = this.isSilent ? null : this.#resultOf(message);
    if (result !== null) this.says(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  }

  #resultOf(message: Message): object | null {
    const { method, params = {} } = message;
    switch (method) {
      case "initialize": {
        const serverInfo = { name: "scripted", version: "1" };
        return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
      }
      case "server/discover":
        return {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: "private",
          serverInfo: { name: "scripted", version: "1" },
        };
      case "tools/list": {
        const from = Number(params.cursor ?? 0);
        const next = from + this.pageSize;
        const tools = this.tools.slice(from, next);
        return {
          ...{ resultType: "complete", ttlMs: 0, cacheScope: "private", tools },
          ...(next < this.tools.length && { nextCursor: `${next}` }),
        };
      }
      case "tools/call":
        return this.onCall?.(message) ?? null;
      case "ping":
        return {};
      default:
        return null;
    }
  }
}
