/**
 * What is under way between a client and its upstream, by the id it was given. Invariant: while an id is under way nothing
 * else is sent under it, and an answer under an id that nothing was sent under reaches nobody.
 */
import type { FrameId } from "./client-frame.js";

/** Something that waits for an answer. */
export interface OpenRequest {
  /** Has it reached the upstream? Until it has, no answer to it can be true. */
  isSent: boolean;
  /** Takes the answer as it was received. */
  readonly onAnswer: (line: Buffer) => void;
  /** The upstream is gone. */
  readonly onLost: () => void;
}

/** Requests of one connection that were not answered yet. */
export interface OpenRequests {
  has(id: FrameId): boolean;
  /** Throws a TypeError where `id` is under way. */
  add(id: FrameId, request: OpenRequest): void;
  get(id: FrameId): OpenRequest | null;
  /** The one that is answered now, which is under way no more; null where nothing was sent under it. */
  take(id: FrameId): OpenRequest | null;
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
    take(id) {
      const request = open.get(id);
      if (request?.isSent !== true) return null;
      open.delete(id);
      return request;
    },
    remove: (id) => void open.delete(id),
    all: () => [...open.values()],
  };
}
