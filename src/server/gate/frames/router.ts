/**
 * Between a client and an upstream, message by message. Invariants: everything but calls of tools goes on as it was
 * received, in the order in which it came; a call goes on only through its passage, once, as it was judged; while an id is
 * under way nothing else is sent under it.
 */
import {
  type FrameId,
  invalidRequest,
  type RefusedFrame,
  readClientFrame,
  type ToolCallFrame,
} from "./client-frame.js";
import { createOpenRequests, type OpenRequest } from "./open-requests.js";
import { readUpstreamFrame } from "./upstream-frame.js";

/** What an answer to a call, or to a request of our own, came to. */
export type Answered =
  /** As it was received. */
  | { readonly kind: "answer"; readonly line: Buffer }
  /** The upstream ended, or could not be reached. */
  | { readonly kind: "lost" };

/** The way of one call. */
export interface Passage {
  /**
   * Sends the call to the upstream with `params`, which are those that were judged. Resolves with its answer, which is not
   * passed on yet. Throws a TypeError a second time, and after `reply`. `onSent` is called once it may have reached the
   * upstream; where it surely did not, this resolves with `lost` and `onSent` is never called.
   */
  forward(params: Readonly<Record<string, unknown>>, onSent: () => void): Promise<Answered>;
  /** Answers the client: a line as it was received, or a result or error of ours. Nothing happens a second time. */
  reply(answer: Buffer | OwnAnswer): void;
  /** Tells the client something about this call. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Aborts when the client cancels, or leaves. Its reason is the client's, as it came. */
  readonly signal: AbortSignal;
}

/** What we answer with ourselves. */
export type OwnAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Who is on both sides, and who judges. */
export interface RouterParts {
  readonly toClient: (line: Buffer | string) => void;
  /** False where the upstream cannot be reached any more. */
  readonly toUpstream: (line: Buffer | string) => boolean;
  /** A line of the upstream that is no message. */
  readonly onStray: (line: Buffer) => void;
  /** A call, before anything became of it. */
  readonly onCall: (call: ToolCallFrame, passage: Passage) => void;
  /** A line of the client that goes nowhere; it was answered already. */
  readonly onRefused: (frame: RefusedFrame) => void;
  /** Hears the params of `initialize`, and the answers that are not passed on: to requests of ours to the client. */
  readonly onOwnResponse: (id: string, message: Readonly<Record<string, unknown>>) => void;
  /** Hears every request of the client but calls, before it goes on. */
  readonly onRequest: (method: string, params: unknown) => void;
}

/** The router of one connection. */
export interface Router {
  fromClient(line: Buffer): void;
  /** A line of the client was too long to be read. */
  refuseLine(why: string): void;
  fromUpstream(line: Buffer): void;
  /** A request of ours to the upstream. */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answered>;
  /** A request of ours to the client; its answer comes to `onOwnResponse`. `id` begins with `ownPrefix`. */
  ask(id: string, method: string, params: Readonly<Record<string, unknown>>): void;
  /** Takes it back. */
  withdraw(id: string, reason: string): void;
  /** The upstream is gone: everything that waits for it is answered. */
  lost(why: string): void;
  /** The client is gone: every call is aborted. */
  left(): void;
}

/** Ids of ours, in both directions. Nobody can guess what follows it. */
export const ownPrefix = "wisp:";

const upstreamGone = -32_000;

interface OpenCall {
  readonly abort: AbortController;
  readonly lose: () => void;
}

/** `newId` gives an id of ours that nobody can guess. */
export function createRouter(parts: RouterParts, newId: () => string): Router {
  const { toClient, toUpstream } = parts;
  const open = createOpenRequests();
  const calls = new Map<FrameId, OpenCall>();
  const asked = new Set<string>();

  function answer(id: FrameId | null, own: OwnAnswer): void {
    toClient(`${JSON.stringify({ jsonrpc: "2.0", id, ...own })}\n`);
  }

  function refuse(frame: RefusedFrame): void {
    // An answer under an id that is under way would be taken for the other's.
    const id = frame.id !== null && open.has(frame.id) ? null : frame.id;
    answer(id, { error: { code: frame.code, message: `Refused: ${frame.why}.` } });
    parts.onRefused({ ...frame, id });
  }

  function begin(call: ToolCallFrame): void {
    const { id, message } = call;
    const abort = new AbortController();
    let state: "judged" | "sent" | "over" = "judged";
    let resolve: (answered: Answered) => void = () => undefined;
    const entry: OpenRequest = {
      method: "tools/call",
      isSent: false,
      onAnswer: (line) => {
        resolve({ kind: "answer", line });
        return null;
      },
    };
    open.add(id, entry);
    calls.set(id, { abort, lose: () => resolve({ kind: "lost" }) });
    parts.onCall(call, {
      signal: abort.signal,
      forward(params, onSent) {
        if (state !== "judged") throw new TypeError("A call goes on once.");
        state = "sent";
        entry.isSent = true;
        const answered = new Promise<Answered>((done) => {
          resolve = done;
        });
        if (toUpstream(`${JSON.stringify({ ...message, params })}\n`)) onSent();
        else resolve({ kind: "lost" });
        return answered;
      },
      reply(own) {
        if (state === "over") return;
        state = "over";
        open.remove(id);
        calls.delete(id);
        // Nobody reads an answer to what was cancelled, and a client may use the id again.
        if (abort.signal.aborted) return;
        if (Buffer.isBuffer(own)) toClient(own);
        else answer(id, own);
      },
      notify: (method, told) =>
        void (state !== "over" && toClient(`${JSON.stringify({ jsonrpc: "2.0", method, params: told })}\n`)),
    });
  }

  function cancelled(line: Buffer, params: unknown): void {
    const about = isObject(params) ? params.requestId : undefined;
    const call = typeof about === "string" || typeof about === "number" ? calls.get(about) : undefined;
    const isSent = call === undefined || open.get(about as FrameId)?.isSent === true;
    // The upstream has never heard of a call that is held.
    if (isSent) toUpstream(line);
    call?.abort.abort(isObject(params) ? params.reason : undefined);
  }

  return {
    fromClient(line) {
      const frame = readClientFrame(line);
      switch (frame.kind) {
        case "refused":
          refuse(frame);
          return;
        case "call":
          if (open.has(frame.id)) {
            refuse({ kind: "refused", id: null, code: invalidRequest, why: "its id is under way already" });
          } else begin(frame);
          return;
        case "request": {
          const { id, method, params } = frame;
          parts.onRequest(method, params);
          if (isFrameId(id) && !open.has(id)) open.add(id, { method, isSent: true, onAnswer: null });
          toUpstream(line);
          return;
        }
        case "notification":
          if (frame.method === "notifications/cancelled") cancelled(line, frame.params);
          else toUpstream(line);
          return;
        case "response":
          // Also a late one to what was withdrawn: it is nobody's but ours.
          if (typeof frame.id === "string" && frame.id.startsWith(ownPrefix)) {
            if (asked.delete(frame.id)) parts.onOwnResponse(frame.id, frame.message);
          } else toUpstream(line);
          return;
        default:
          frame satisfies never;
      }
    },
    refuseLine: (why) => refuse({ kind: "refused", id: null, code: invalidRequest, why }),
    fromUpstream(line) {
      const frame = readUpstreamFrame(line);
      switch (frame.kind) {
        case "stray":
          parts.onStray(line);
          return;
        case "message":
          toClient(line);
          return;
        case "response": {
          if (frame.id === null) {
            toClient(line);
            return;
          }
          const request = open.take(frame.id);
          // Nothing was sent under this id, or it was answered: whoever waits under it waits for somebody else.
          if (request === null) return;
          if (request.onAnswer === null) toClient(line);
          else request.onAnswer(line);
          return;
        }
        default:
          frame satisfies never;
      }
    },
    request(method, params) {
      const id = `${ownPrefix}${newId()}`;
      return new Promise((resolve) => {
        const lose = (): void => resolve({ kind: "lost" });
        open.add(id, {
          method,
          isSent: true,
          onAnswer: (line) => {
            calls.delete(id);
            resolve({ kind: "answer", line });
            return null;
          },
        });
        calls.set(id, { abort: new AbortController(), lose });
        if (!toUpstream(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)) lose();
      });
    },
    ask(id, method, params) {
      asked.add(id);
      toClient(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    },
    withdraw(id, reason) {
      if (!asked.delete(id)) return;
      const params = { requestId: id, reason };
      toClient(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })}\n`);
    },
    lost(why) {
      for (const [id, { onAnswer }] of open.all()) {
        // Calls and requests of ours hear of it by themselves.
        if (onAnswer === null) answer(id, { error: { code: upstreamGone, message: why } });
      }
      for (const { lose } of [...calls.values()]) lose();
    },
    left() {
      for (const { abort } of [...calls.values()]) abort.abort("the client left");
    },
  };
}

function isFrameId(id: unknown): id is FrameId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
