/**
 * What is due when. Invariant: of equally long ones the first to begin is the first to be due, so each length is a queue of
 * its own, and neither adding nor removing looks at more than the head of each.
 */

/** The items that are not due yet, whatever an item is to the one who adds it. Times in monotonic milliseconds. */
export interface DueQueue<Item> {
  /** An item that is there already is due as it was last added. `now` never goes back. */
  add(item: Item, lengthMs: number, now: number): void;
  /** Nothing happens for one that is not there. */
  remove(item: Item): void;
  /** Infinite for one that is not there. */
  dueAt(item: Item): number;
  /** The one that is due first, of several the first that was added of its length; null where there is none. */
  first(): { readonly item: Item; readonly at: number } | null;
}

/** There are as many lengths as a person configures one after the other while something waits: few. */
export function createDueQueue<Item>(): DueQueue<Item> {
  const queues = new Map<number, Map<Item, number>>();
  const lengths = new Map<Item, number>();

  function remove(item: Item): void {
    const length = lengths.get(item);
    if (length === undefined) return;
    lengths.delete(item);
    const queue = queues.get(length);
    queue?.delete(item);
    if (queue?.size === 0) queues.delete(length);
  }

  return {
    add(item, lengthMs, now) {
      remove(item);
      lengths.set(item, lengthMs);
      const queue = queues.get(lengthMs) ?? new Map<Item, number>();
      queues.set(lengthMs, queue.set(item, now + lengthMs));
    },
    remove,
    dueAt(item) {
      const length = lengths.get(item);
      const queue = length === undefined ? undefined : queues.get(length);
      return queue?.get(item) ?? Number.POSITIVE_INFINITY;
    },
    first() {
      let earliest: { readonly item: Item; readonly at: number } | null = null;
      for (const queue of queues.values()) {
        for (const [item, at] of queue) {
          if (earliest === null || at < earliest.at) earliest = { item, at };
          break;
        }
      }
      return earliest;
    },
  };
}
