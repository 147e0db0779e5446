/** Late requests that are kept in memory. Several processes share a map, as they share a directory. */
import {
  type Bound,
  type LateRequest,
  type LateRequests,
  repeatMs,
} from "../../src/broker/grants/grant-store.js";
import type { Clock } from "../../src/broker/system/clock.js";

export type LateShelf = Map<string, LateRequest>;

/** One process's own, over what it shares with others. */
export function memoryLateRequests(shelf: LateShelf, clock: Clock, lateSeconds = 86_400): LateRequests {
  const passed = ({ life }: LateRequest): number => clock.monotonic() - life.from.uptimeMs;
  const canAnswer = (late: LateRequest): boolean => late.life.forMs > 0 && passed(late) <= late.life.forMs;
  const isRecent = (late: LateRequest): boolean => passed(late) <= repeatMs;
  const newestFirst = (): readonly LateRequest[] => [...shelf.values()].reverse();

  return {
    async file(late, canBeAnswered) {
      if (shelf.has(late.request.id)) return false;
      const from = { boot: "boot-1", uptimeMs: clock.monotonic(), at: clock.now() };
      shelf.set(late.request.id, { ...late, life: { from, forMs: canBeAnswered ? lateSeconds * 1_000 : 0 } });
      return true;
    },
    list: () => ({ requests: newestFirst().filter(canAnswer), unreadable: 0 }),
    read(id) {
      const late = shelf.get(id);
      return late !== undefined && canAnswer(late) ? late : null;
    },
    alike(bound) {
      const alike = newestFirst().filter((late) => isSame(late.bound, bound));
      const told = alike
        .map((late) => passed(late) + (late.toldMsAgo ?? Number.POSITIVE_INFINITY))
        .filter((ago) => ago <= repeatMs);
      return {
        ids: alike.map(({ request }) => request.id),
        toldMsAgo: told.length === 0 ? null : Math.min(...told),
      };
    },
    remove: (id) => shelf.delete(id),
    sweep() {
      const over = newestFirst().filter((late) => !canAnswer(late) && !isRecent(late));
      return over.map(({ request }) => request.id).filter((id) => shelf.delete(id));
    },
  };
}

function isSame(one: Bound, other: Bound): boolean {
  return (Object.keys(one) as (keyof Bound)[]).every((key) => one[key] === other[key]);
}
