/** Facts that are kept in memory. Several processes share a `FactShelf`, as they share a directory. */
import { isOver, newestAgainst } from "../../src/broker/facts/drops.js";
import type { DroppedFact, FactStore, KeptFact } from "../../src/broker/facts/fact-store.js";
import { WispError } from "../../src/broker/request/errors.js";
import type { Clock } from "../../src/broker/system/clock.js";

/** What a directory would hold, in the order in which it was decided. */
export class FactShelf {
  readonly kept = new Map<string, KeptFact>();
  readonly dropped = new Map<string, DroppedFact>();
  readonly forgotten = new Map<string, KeptFact | DroppedFact>();
  readonly listeners = new Set<() => void>();
  /** Files that are none of ours. */
  unreadable = 0;
  /** Nothing can be read or written. */
  isBroken = false;

  check(): void {
    if (this.isBroken) throw new WispError("channel_unsafe", "It is open to others.");
  }

  isDecided(id: string): boolean {
    return [this.kept, this.dropped, this.forgotten].some((facts) => facts.has(id));
  }

  changed(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** One process's own, over what it shares with others. */
export function memoryFacts(shelf: FactShelf, clock: Pick<Clock, "now">): FactStore {
  return {
    async keep(fact) {
      shelf.check();
      if (shelf.isDecided(fact.id)) return false;
      shelf.kept.set(fact.id, fact);
      shelf.changed();
      return true;
    },
    async drop(fact) {
      shelf.check();
      if (shelf.isDecided(fact.id)) return false;
      shelf.dropped.set(fact.id, fact);
      return true;
    },
    list() {
      shelf.check();
      return {
        kept: [...shelf.kept.values()].sort((one, other) => one.keptBy.at - other.keptBy.at),
        dropped: [...shelf.dropped.values()].sort((one, other) => one.droppedBy.at - other.droppedBy.at),
        unreadable: shelf.unreadable,
      };
    },
    forgotten() {
      shelf.check();
      return [...shelf.forgotten.values()];
    },
    isDecided(id) {
      shelf.check();
      return shelf.isDecided(id);
    },
    dropAgainst(proposal) {
      shelf.check();
      return newestAgainst([...shelf.dropped.values()], proposal, clock.now());
    },
    async forget(id) {
      shelf.check();
      const fact = shelf.kept.get(id) ?? shelf.dropped.get(id);
      if (fact === undefined) return false;
      shelf.forgotten.set(id, fact);
      const wasKept = shelf.kept.delete(id);
      shelf.dropped.delete(id);
      if (wasKept) shelf.changed();
      return true;
    },
    sweep() {
      if (shelf.isBroken) return;
      for (const one of shelf.dropped.values()) if (isOver(one, clock.now())) shelf.dropped.delete(one.id);
    },
    changes(listener) {
      const told = (): void => listener();
      shelf.listeners.add(told);
      return () => void shelf.listeners.delete(told);
    },
  };
}
