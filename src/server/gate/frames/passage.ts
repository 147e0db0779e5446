/** The way of one call of a tool: held, then sent on once or never, and answered once. */
import type { FrameId, ToolCallFrame } from "./client-frame.js";
import type { OpenRequests } from "./open-requests.js";
import type { Turn } from "./turns.js";

/** What an answer to a call, or to a request of our own, came to. */
export type Answered =
  /** As it was received. */
  | { readonly kind: "answer"; readonly line: Buffer }
  /** The upstream ended before it answered, or could not be reached; `isUnsent` where nothing can have arrived there. */
  | { readonly kind: "lost"; readonly isUnsent: boolean };

/**
 * Was a message handed over to the upstream? `later`: whether it arrived turns out with its answer, or where it is said to be
 * lost.
 */
export type Handed = boolean | "later";

/** What became of a call that was sent on. */
export type Forwarded =
  | Answered
  /** The client wants no answer any more; whatever comes is nobody's. */
  | { readonly kind: "cancelled" };

/** What we answer with ourselves. */
export type OwnAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Hears how long the upstream has a call. */
export interface UnderWay {
  /** The client gave it up; the upstream may run it all the same. */
  cancelled(): void;
  /** It is answered, or lost, or was never sent. Always called in the end, unless what was cancelled is never answered. */
  over(): void;
}

/** The way of one call. */
export interface Passage {
  /**
   * Resolves when everything that the client wrote before this call went on or stepped aside, or the call is over; null where
   * that is so now. What it wrote behind waits until this call is sent on, is answered, is aborted, or steps aside.
   */
  turn(): Promise<void> | null;
  /** It waits for somebody: nothing that was written behind it waits for it any more. */
  stepAside(): void;
  /** `heard` hears from now on; whoever heard before hears no more. */
  tell(heard: UnderWay): void;
  /**
   * Sends the call to the upstream with `params`, which are those that were judged. Resolves with its answer, which is not
   * passed on yet. `onSent` is called once it is handed over, with true where nothing can take it back from there; otherwise a
   * `lost` that is unsent may still say that nothing arrived. Where it cannot be handed over this resolves with such a `lost`, or
   * with `cancelled` where `signal` has aborted before, and `onSent` is never called. Throws a TypeError a second time, and after
   * `reply`.
   */
  forward(params: Readonly<Record<string, unknown>>, onSent: (isSure: boolean) => void): Promise<Forwarded>;
  /**
   * The same, and the answer is passed on the moment it comes, before anything that the upstream says after it. For a call
   * of which nothing is to be done between its answer and the client.
   */
  relay(params: Readonly<Record<string, unknown>>, onSent: (isSure: boolean) => void): Promise<Forwarded>;
  /** Answers the client: a line as it was received, or a result or error of ours. Nothing happens a second time. */
  reply(answer: Buffer | OwnAnswer): void;
  /** Tells the client something about this call; nothing after `reply`. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /**
   * Aborts when the client cancels, with its reason as it came, or leaves, with `clientLeft`; and when the upstream is gone
   * before the call was sent, which is answered then.
   */
  readonly signal: AbortSignal;
  /** Has `signal` aborted? It is made for whoever listens, and most calls are over before anybody does. */
  readonly isAborted: boolean;
}

/** Why every call is aborted in the end. */
export const clientLeft = "the client left";

/** The code for an upstream that is gone. */
export const upstreamGone = -32_000;

/** A passage, and what the router does with it. */
export interface OpenPassage {
  readonly passage: Passage;
  /** The client wants no answer any more. */
  abort(reason: unknown): void;
  /** An answer to it came after it was cancelled. */
  answeredLate(): void;
}

/** Where a passage leads. */
export interface PassageEnds {
  readonly open: OpenRequests;
  readonly toClient: (line: Buffer | string) => void;
  /** False where the upstream cannot be reached any more. */
  readonly toUpstream: (line: string) => Handed;
  readonly onOver: () => void;
  /** Its place among what the client wrote. */
  readonly turn: Turn;
}

/** Opens the way of `call`, whose id is under way from now on. */
export function openPassage({ id, message }: ToolCallFrame, ends: PassageEnds): OpenPassage {
  const { open, toClient, toUpstream, onOver, turn } = ends;
  let controller: AbortController | null = null;
  let aborted: { readonly reason: unknown } | null = null;
  let state: "held" | "sent" | "over" = "held";
  let isRelayed = false;
  let resolve: (forwarded: Forwarded) => void = () => undefined;
  let heard: UnderWay | null = null;
  const entry = {
    isSent: false,
    onAnswer(line: Buffer) {
      heard?.over();
      if (isRelayed) passage.reply(line);
      resolve({ kind: "answer", line });
    },
    onLost(why: string, isUnsent: boolean) {
      heard?.over();
      if (state === "sent") return resolve({ kind: "lost", isUnsent });
      passage.reply({ error: { code: upstreamGone, message: why } });
      // Whoever asks a person about it asks in vain.
      abort(why);
    },
  };

  function abort(reason: unknown): void {
    aborted ??= { reason };
    controller?.abort(reason);
  }

  open.add(id, entry);
  const passage: Passage = {
    get signal() {
      controller ??= new AbortController();
      if (aborted !== null) controller.abort(aborted.reason);
      return controller.signal;
    },
    get isAborted() {
      return aborted !== null;
    },
    tell(now) {
      heard = now;
    },
    turn: turn.ready,
    stepAside: turn.over,
    forward(params, onSent) {
      // What is not wanted any more is not begun.
      if (aborted !== null) return Promise.resolve({ kind: "cancelled" });
      if (state !== "held") throw new TypeError("A call goes on once.");
      state = "sent";
      entry.isSent = true;
      return new Promise((done) => {
        resolve = done;
        const handed = toUpstream(
          `${JSON.stringify(params === message.params ? message : { ...message, params })}\n`,
        );
        if (handed === false) {
          entry.isSent = false;
          heard?.over();
          done({ kind: "lost", isUnsent: true });
        } else onSent(handed === true);
        turn.over();
      });
    },
    relay(params, onSent) {
      isRelayed = true;
      return passage.forward(params, onSent);
    },
    reply(answer) {
      if (state === "over") return;
      if (state === "held") heard?.over();
      state = "over";
      open.remove(id);
      onOver();
      turn.over();
      // Nobody reads an answer to what was cancelled, and a client may use the id again.
      if (aborted !== null) return;
      toClient(Buffer.isBuffer(answer) ? answer : answerLine(id, answer));
    },
    notify(method, params) {
      if (state !== "over") toClient(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
    },
  };
  return {
    passage,
    answeredLate: () => heard?.over(),
    abort(reason) {
      abort(reason);
      if (state === "sent") heard?.cancelled();
      turn.over();
      resolve({ kind: "cancelled" });
    },
  };
}

/** An answer of ours as a line. */
export function answerLine(id: FrameId | null, own: OwnAnswer): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, ...own })}\n`;
}
