/** Tells when the kept facts that hold here are others than before. Nothing is watched but between `start` and `stop`. */
import { expectWispError, type FactStore, holdsIn } from "../../broker/index.js";

/** Both are idempotent. */
export interface FactsWatch {
  start(): void;
  stop(): void;
}

/** `onChange` hears of it. `store` opens the store at the first start. A fact that holds only elsewhere changes nothing here. */
export function createFactsWatch(
  store: () => FactStore,
  directory: string,
  onChange: () => void,
): FactsWatch {
  let stop: (() => void) | null = null;
  let known = "";

  function look(facts: FactStore): void {
    const found = standHere(facts, directory);
    if (found === known) return;
    known = found;
    onChange();
  }

  return {
    start() {
      if (stop !== null) return;
      const facts = store();
      stop = facts.changes(() => look(facts));
      // After the watch: what changes from here on is told, and what changed before is read by whoever subscribed.
      known = standHere(facts, directory);
    },
    stop() {
      stop?.();
      stop = null;
    },
  };
}

/** No fact is ever rewritten, so their ids say all; with them how many cannot be read, or why none can. */
function standHere(facts: FactStore, directory: string): string {
  try {
    const { kept, unreadable } = facts.list();
    const ids = kept.filter((fact) => holdsIn(fact, directory)).map(({ id }) => id);
    return `${ids.join(" ")} ${unreadable}`;
  } catch (error) {
    return expectWispError(error).message;
  }
}
