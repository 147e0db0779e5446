/**
 * Between a client and an upstream, message by message. Invariants: everything but calls of tools goes on as it was
 * received, in the order in which it came, before and behind calls that wait for nobody; a call goes on only through its passage, once, as it was judged; while an id is
 * under way nothing else is sent under it.
 */
import {
  type FrameId,
  invalidRequest,
  isFrameId,
  type RefusedFrame,
  readClientFrame,
  type ToolCallFrame,
} from "./client-frame.js";
import { isObject } from "./json-object.js";
import { newline } from "./lines.js";
import { createOpenRequests } from "./open-requests.js";
import {
  type Answered,
  answerLine,
  clientLeft,
  type Handed,
  type OpenPassage,
  openPassage,
  type Passage,
  upstreamGone,
} from "./passage.js";
import { createTurns } from "./turns.js";
import { type UpstreamFrame, writtenId } from "./upstream-frame.js";

/** Who is on both sides, who judges, and who listens. */
export interface RouterParts {
  readonly toClient: (line: Buffer | string) => void;
  /** False where the upstream cannot be reached any more. */
  readonly toUpstream: (line: Buffer | string) => Handed;
  /** A line of the upstream that is no message. */
  readonly onStray: (line: Buffer) => void;
  /** A call, before anything became of it. */
  readonly onCall: (call: ToolCallFrame, passage: Passage) => void;
  /** A line of the client that goes nowhere; it was answered already. */
  readonly onRefused: (frame: RefusedFrame) => void;
  /** Hears every request of the client but calls, before it goes on; hears its answer, too, where it returns somebody who does. */
  readonly onRequest: (method: string, params: unknown) => ((line: Buffer) => void) | null;
  /** Hears of every request and notification of the upstream, before it goes on. */
  readonly onMessage: (method: string) => void;
  /** Hears how many bytes of the client wait for their turn. */
  readonly onWaiting: (bytes: number) => void;
}

/** The router of one connection. */
export interface Router {
  fromClient(line: Buffer): void;
  /** A line of the client was too long to be read. */
  refuseLine(why: string): void;
  /** `frame` is what was seen of `line`. */
  fromUpstream(line: Buffer, frame: UpstreamFrame): void;
  /** A request of ours to the upstream. */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answered>;
  /**
   * A request of ours to the client. Resolves with its answer as it came: a message with `result` or `error`. When `signal`
   * aborts the client is told, and this rejects with the reason; an answer that comes later is nobody's.
   */
  ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The upstream is gone, for the reason given in words: everything that waits for it is answered. */
  lost(why: string): void;
  /** The same for what was sent under `id` alone; `isUnsent` where nothing of it can have arrived. */
  lostOne(id: FrameId, why: string, isUnsent: boolean): void;
  /** The client is gone: every call is aborted, and nothing is said any more of what is lost. */
  left(): void;
}

/** More calls are cancelled without ever being answered by no server that is meant well. */
const mostOwed = 10_000;
/** Until it is known why. */
const notReached = "The server could not be reached.";

/** `newId` gives an id that nobody can guess. */
export function createRouter(parts: RouterParts, newId: () => string): Router {
  const { toClient, toUpstream } = parts;
  /** Ids of ours, in both directions, begin so: the upstream may be a gate, too, and its ids are not ours. */
  const ownPrefix = `wisp:${newId()}:`;
  const open = createOpenRequests();
  const calls = new Map<FrameId, OpenPassage>();
  const turns = createTurns(parts.onWaiting);
  /** Ids of requests that wait for their turn. */
  const queued = new Set<unknown>();
  const asked = new Map<string, (message: Readonly<Record<string, unknown>>) => void>();
  /** Ids of what was cancelled after it was sent: an answer may still come, and would be taken for that of the next. */
  const owed = new Map<FrameId, OpenPassage | null>();
  /** How often the client asked under an id that no call can have, and was not answered. */
  const odd = new Map<string, number>();
  let lostBecause: string | null = null;
  let hasLeft = false;

  function refuse(frame: RefusedFrame): void {
    // An answer under an id that is under way would be taken for the other's.
    const id = frame.id !== null && open.has(frame.id) ? null : frame.id;
    toClient(answerLine(id, { error: { code: frame.code, message: `Refused: ${frame.why}.` } }));
    parts.onRefused({ ...frame, id });
    if (frame.answers === null) return;
    const error = { code: invalidRequest, message: `The answer of the client was refused: ${frame.why}.` };
    answered(answerLine(frame.answers, { error }), frame.answers, { id: frame.answers, error });
  }

  /** Its answer would be taken for that of the other. */
  function isTwice(id: unknown): boolean {
    if (!isFrameId(id) || !open.has(id)) return false;
    refuse(unanswering("its id is under way already"));
    return true;
  }

  /** What was approved must not be said to have ended with the answer to another call. */
  function isOwed(id: unknown): boolean {
    if (!isFrameId(id) || !owed.has(id)) return false;
    refuse(unanswering("its id is that of a cancelled request, which may still be answered"));
    return true;
  }

  function owe(id: FrameId, call: OpenPassage | null): void {
    const [oldest] = owed.keys();
    if (owed.size >= mostOwed && oldest !== undefined) owed.delete(oldest);
    owed.set(id, call);
  }

  function begin(call: ToolCallFrame, bytes: number): void {
    const { id } = call;
    if (isTwice(id) || isOwed(id)) return;
    // Nobody is asked about what cannot run.
    if (lostBecause !== null) {
      toClient(lostLine(id, lostBecause));
      return;
    }
    const turn = turns.take(bytes);
    const opened = openPassage(call, {
      open,
      toClient,
      toUpstream,
      turn,
      onOver: () => void calls.delete(id),
    });
    calls.set(id, opened);
    parts.onCall(call, opened.passage);
  }

  function passOn(line: Buffer, id: unknown, method: string, params: unknown): void {
    if (isTwice(id) || isOwed(id)) return;
    const listener = parts.onRequest(method, params);
    if (isFrameId(id)) {
      open.add(id, {
        isSent: true,
        onAnswer(answer) {
          open.remove(id);
          listener?.(answer);
          toClient(answer);
        },
        onLost(why) {
          open.remove(id);
          // An upstream whose client left ends without a word about what was under way.
          if (!hasLeft) toClient(lostLine(id, why));
        },
      });
    } else odd.set(writtenId(id), (odd.get(writtenId(id)) ?? 0) + 1);
    if (!toUpstream(line) && isFrameId(id)) open.get(id)?.onLost(lostBecause ?? notReached, true);
  }

  function inTurn(id: unknown, bytes: number, send: () => void): void {
    queued.add(id);
    turns.run(() => {
      queued.delete(id);
      send();
    }, bytes);
  }

  function cancelled(line: Buffer, params: unknown): void {
    const about = isObject(params) ? params.requestId : undefined;
    if (isFrameId(about) && queued.has(about)) {
      turns.run(() => cancelled(line, params), line.length);
      return;
    }
    const call = isFrameId(about) ? calls.get(about) : undefined;
    const isSent = isFrameId(about) && open.get(about)?.isSent === true;
    // The upstream has never heard of a call that is held.
    if (call === undefined || isSent) toUpstream(line);
    if (isFrameId(about) && isSent) owe(about, call ?? null);
    if (call !== undefined) call.abort(isObject(params) ? params.reason : undefined);
    // Whoever cancels waits for no answer, and mostly none comes.
    else if (isFrameId(about)) open.remove(about);
  }

  function answered(line: Buffer | string, id: unknown, message: Readonly<Record<string, unknown>>): void {
    if (typeof id !== "string" || !id.startsWith(ownPrefix)) {
      toUpstream(line);
      return;
    }
    // Also a late one, to what was withdrawn: it is nobody's but ours.
    asked.get(id)?.(message);
  }

  /** Under an id that nobody asked under, somebody would take it for something else. */
  function answeredOddly(line: Buffer, written: string): void {
    const asked = odd.get(written) ?? 0;
    if (asked > 1) odd.set(written, asked - 1);
    else odd.delete(written);
    if (asked > 0) toClient(line);
  }

  return {
    fromClient(line) {
      const frame = readClientFrame(line);
      switch (frame.kind) {
        case "refused":
          return refuse(frame);
        case "call":
          return begin(frame, line.length);
        case "request":
          return inTurn(frame.id, line.length, () => passOn(line, frame.id, frame.method, frame.params));
        case "notification":
          if (frame.method === "notifications/cancelled") cancelled(line, frame.params);
          else turns.run(() => void toUpstream(line), line.length);
          return;
        // Whoever it answers may have to have it before anything else goes on.
        case "response":
          return answered(line, frame.id, frame.message);
        default:
          frame satisfies never;
      }
    },
    refuseLine: (why) => refuse(unanswering(why)),
    fromUpstream(received, frame) {
      // The last one of a pipe may lack its end, and what the gate says then must not be glued to it.
      const line = received.at(-1) === newline ? received : Buffer.concat([received, Buffer.of(newline)]);
      switch (frame.kind) {
        case "stray":
          return parts.onStray(line);
        case "message":
          parts.onMessage(frame.method);
          return toClient(line);
        case "response":
          if (frame.id === null) toClient(line);
          else {
            owed.get(frame.id)?.answeredLate();
            owed.delete(frame.id);
            // Where nothing was sent under it, or it was answered, whoever waits under it waits for somebody else.
            open.answer(frame.id, line);
          }
          return;
        case "odd response":
          return answeredOddly(line, frame.written);
        default:
          frame satisfies never;
      }
    },
    request(method, params) {
      const id = `${ownPrefix}${newId()}`;
      return new Promise((resolve) => {
        const over = (answered: Answered): void => {
          open.remove(id);
          resolve(answered);
        };
        const onLost = (_why: string, isUnsent: boolean): void => over({ kind: "lost", isUnsent });
        open.add(id, { isSent: true, onAnswer: (line) => over({ kind: "answer", line }), onLost });
        if (!toUpstream(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`))
          onLost(notReached, true);
      });
    },
    ask(method, params, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const id = `${ownPrefix}${newId()}`;
      return new Promise((resolve, reject) => {
        const withdraw = (): void => {
          asked.delete(id);
          const cancel = { requestId: id, reason: "answered elsewhere, or not needed any more" };
          toClient(
            `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: cancel })}\n`,
          );
          reject(signal.reason);
        };
        asked.set(id, (message) => {
          asked.delete(id);
          signal.removeEventListener("abort", withdraw);
          resolve(message);
        });
        signal.addEventListener("abort", withdraw, { once: true });
        toClient(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      });
    },
    lost(why) {
      lostBecause = why;
      for (const { onLost } of open.all()) onLost(why, false);
    },
    lostOne(id, why, isUnsent) {
      const request = open.get(id);
      if (request?.isSent === true) request.onLost(why, isUnsent);
    },
    left() {
      hasLeft = true;
      for (const { abort } of [...calls.values()]) abort(clientLeft);
    },
  };
}

function unanswering(why: string): RefusedFrame {
  return { kind: "refused", id: null, code: invalidRequest, why, answers: null };
}

function lostLine(id: FrameId, why: string): string {
  return answerLine(id, { error: { code: upstreamGone, message: why } });
}
