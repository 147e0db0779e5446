/**
 * What is under way between a client and its upstream, by the id it was given. Invariant: while an id is under way nothing
 * else is sent under it, and an answer under an id that nothing was sent under reaches nobody.
 */
import type { FrameId } from "./client-frame.js";

/** Something that waits for an answer. */
export interface OpenRequest {
  /** Does the upstream owe an answer to it? Until it has reached the upstream, no answer to it can be true. */
  isSent: boolean;
  /** Takes the answer as it was received. */
  readonly onAnswer: (line: Buffer) => void;
  /** No answer will come, for the reason given in words: the upstream is gone, or could not be reached. `isUnsent`: nothing arrived there. */
  readonly onLost: (why: string, isUnsent: boolean) => void;
}

/** Requests of one connection that are not over yet. Whoever added one removes it. */
export interface OpenRequests {
  has(id: FrameId): boolean;
  /** Throws a TypeError where `id` is under way. */
  add(id: FrameId, request: OpenRequest): void;
  get(id: FrameId): OpenRequest | null;
  /** Hands the answer to whoever waits under `id`, once; nothing happens where none is owed. */
  answer(id: FrameId, line: Buffer): void;
  remove(id: FrameId): void;
  /** All of them, the oldest first. */
  all(): readonly OpenRequest[];
}

/** None yet. `1` and `"1"` are two ids. */
export function createOpenRequests(): OpenRequests {
  const open = new Map<FrameId, OpenRequest>();
  return {
    has: (id) => open.has(id),
    add(id, request) {
      if (open.has(id)) throw new TypeError("Something is under way under this id.");
      open.set(id, request);
    },
    get: (id) => open.get(id) ?? null,
    answer(id, line) {
      const request = open.get(id);
      if (request?.isSent !== true) return;
      request.isSent = false;
      request.onAnswer(line);
    },
    remove: (id) => void open.delete(id),
    all: () => [...open.values()],
  };
}
