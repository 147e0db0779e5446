/** A router between a client and an upstream that only keep what reaches them; calls step aside and wait until a test says what becomes of them. */

import type { RefusedFrame, ToolCallFrame } from "../../src/server/gate/frames/client-frame.js";
import type { Passage } from "../../src/server/gate/frames/passage.js";
import { createRouter, type Router, type RouterParts } from "../../src/server/gate/frames/router.js";
import { upstreamLine } from "./upstream-line.js";

/** A call as the judge sees it. */
export interface HeldCall {
  readonly frame: ToolCallFrame;
  readonly passage: Passage;
}

/** What went where. Lines are texts, with their newlines. */
export interface Routed {
  readonly router: Router;
  readonly client: string[];
  readonly upstream: string[];
  readonly calls: HeldCall[];
  readonly refused: RefusedFrame[];
  readonly strays: string[];
  /** Methods of what the upstream sent of its own. */
  readonly heard: string[];
  /** Whether the upstream can be reached. */
  isReachable: boolean;
  /** How many bytes of the client waited for their turn, each time that changed. */
  readonly waiting: number[];
  /** A line of the client: a text as it is, anything else as JSON. */
  fromClient(message: unknown): void;
  fromUpstream(message: unknown): void;
  /** What the client has, from `from` on, parsed. */
  answers(from?: number): readonly Readonly<Record<string, unknown>>[];
}

/** A line of `message`. */
export function lineOf(message: unknown): string {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** With nothing on its way. */
export function routing(overrides: Partial<RouterParts> = {}): Routed {
  let lastId = 0;
  const client: string[] = [];
  const upstream: string[] = [];
  const calls: HeldCall[] = [];
  const refused: RefusedFrame[] = [];
  const strays: string[] = [];
  const heard: string[] = [];
  const waiting: number[] = [];
  const router = createRouter(
    {
      toClient: (line) => void client.push(line.toString()),
      toUpstream(line) {
        if (routed.isReachable) upstream.push(line.toString());
        return routed.isReachable;
      },
      onStray: (line) => void strays.push(line.toString()),
      onCall(frame, passage) {
        passage.stepAside();
        calls.push({ frame, passage });
      },
      onRefused: (frame) => void refused.push(frame),
      onRequest: () => null,
      onMessage: (method) => void heard.push(method),
      onWaiting: (bytes) => void waiting.push(bytes),
      ...overrides,
    },
    () => {
      lastId += 1;
      return `id${lastId}`;
    },
  );
  const routed: Routed = {
    ...{ router, client, upstream, calls, refused, strays, heard, waiting },
    isReachable: true,
    fromClient: (message) => router.fromClient(Buffer.from(lineOf(message))),
    fromUpstream: (message) => router.fromUpstream(...upstreamLine(lineOf(message))),
    answers: (from = 0) => client.slice(from).map((line) => JSON.parse(line)),
  };
  return routed;
}

/** A call of tool `name` under `id`. */
export function callUnder(id: unknown, name = "write_file"): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { path: "/a" } } };
}

/** A request that is no call. */
export function pingUnder(id: unknown): object {
  return { jsonrpc: "2.0", id, method: "ping" };
}

/** An answer of the upstream, or of the client. */
export function answerUnder(id: unknown, text = "done"): object {
  return { jsonrpc: "2.0", id, result: { text } };
}

/** The client cancels what it sent under `id`. */
export function cancelOf(id: unknown): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: "esc" } };
}
