/** Late requests that are kept in memory. Several processes share a map, as they share a directory. */
import type { Bound, LateRequest, LateRequests } from "../../src/broker/grants/grant-store.js";
import type { Clock } from "../../src/broker/system/clock.js";

export type LateShelf = Map<string, LateRequest>;

const recentMs = 600_000;

/** One process's own, over what it shares with others. */
export function memoryLateRequests(shelf: LateShelf, clock: Clock, lateSeconds = 86_400): LateRequests {
  const passed = ({ life }: LateRequest): number => clock.monotonic() - life.from.uptimeMs;
  const canAnswer = (late: LateRequest): boolean => late.life.forMs > 0 && passed(late) <= late.life.forMs;
  const isRecent = (late: LateRequest): boolean => passed(late) <= recentMs;
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
      return {
        ids: alike.map(({ request }) => request.id),
        isAnnounced: alike.some((late) => late.announced && isRecent(late)),
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
