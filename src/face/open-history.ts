/** The history of a home, read anew each time it is asked for. */
import { type Home, isHomeMade, judgeHome, recentEndings, recentReceipts } from "../broker/index.js";
import type { History } from "./history.js";
import { entryOf } from "./history-entry.js";
import type { Seat } from "./seat.js";

/** So many endings are more than a person looks back at. */
const mostEntries = 200;

/** Opens the history of `home`, of its `most` newest endings. Each reading takes a bounded time, however much lies there. */
export function openHistory({ clock }: Pick<Seat, "clock">, home: Home, most: number = mostEntries): History {
  return {
    read() {
      if (!isHomeMade(home)) return [];
      judgeHome(home);
      const receipts = new Map(recentReceipts(home, most).map((receipt) => [receipt.id, receipt]));
      const recorded = recentEndings(home.path, most);
      const now = clock.now();
      return (
        [...new Set([...receipts.keys(), ...recorded.keys()])]
          .flatMap((id) => entryOf(id, receipts.get(id) ?? null, recorded.get(id) ?? null) ?? [])
          // What claims to end tomorrow must not stand above all others until then.
          .map((entry) => ({ ...entry, at: Math.min(entry.at, now) }))
          .sort((one, other) => other.at - one.at)
          .slice(0, most)
      );
    },
  };
}
