/** News from the channel for those that wait in it. Invariant: one subscription for all, and none before the first. */
import type { Channel } from "../channel/channel.js";

/** Those that listen, by the id of their request. */
export interface Listening<Wait> {
  add(id: string, wait: Wait): void;
  remove(id: string): void;
  /** Nobody hears anything any more. Idempotent. */
  stop(): void;
}

/** `channel` is null where nothing can be filed. */
export function createListening<Wait extends { look(): void }>(channel: Channel | null): Listening<Wait> {
  const filed = new Map<string, Wait>();
  let stopListening: (() => void) | null = null;

  return {
    add(id, wait) {
      filed.set(id, wait);
      if (stopListening !== null || channel === null) return;
      stopListening = channel.changes((changed) => {
        if (changed !== null) filed.get(changed)?.look();
        else for (const waiting of filed.values()) waiting.look();
      });
    },
    remove: (id) => void filed.delete(id),
    stop() {
      stopListening?.();
      stopListening = null;
    },
  };
}
