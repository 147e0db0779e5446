/**
 * A person's no, remembered for a while. Invariant: an ask that is identical to one that was refused gets the same
 * answer, under whatever label it comes; asking until somebody gives in is not a way. A no that no call was there to
 * hear is kept until one of the caller hears it to which it was said.
 */
import type { Bound } from "../grants/grant-store.js";
import type { Outcome } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";
import { callerOf } from "./bound.js";
import { putNewest } from "./newest.js";

/** What is told again. */
export type Denial = Omit<Outcome, "scope" | "seconds" | "waits" | "redeemed" | "run" | "rule">;

/** A no that stands, and to whom it was said. */
export interface StandingDenial {
  readonly denial: Denial;
  /** To whoever asks now. To another caller it is no word on a yes that this one was given. */
  readonly isOwn: boolean;
}

/** The noes of one approver. Each is about what it is bound to, and was said to the caller named there. */
export interface Denials {
  /** A no that was told to whoever asked. */
  remember(bound: Bound, denial: Denial): void;
  /**
   * A no that nobody heard: it waits for its caller until then in monotonic milliseconds, and no shorter than one that was
   * heard is remembered. To others it is as any no that was just said.
   */
  hold(bound: Bound, denial: Denial, until: number): void;
  /** The no that still stands against exactly this, or null. Said to this caller, it counts as told from here on. */
  find(bound: Bound): StandingDenial | null;
  clear(): void;
}

/** A caller could make a person say no any number of times; the oldest no is forgotten first. */
const mostRemembered = 1_000;

interface Remembered {
  readonly denial: Denial;
  readonly until: number;
}

/** For how long a no is remembered; read anew with each. */
export interface DenialTimes {
  readonly declineMemorySeconds: number;
}

/** Each no that was told stands for so long in monotonic time, the last second included; 0 remembers none. */
export function createDenials(clock: Clock, times: DenialTimes): Denials {
  /** By caller and action. Those that stand equally long end in the order in which they were told. */
  const told = new Map<string, Remembered>();
  /** By action alone, whoever it was said to; in the same order. */
  const said = new Map<string, Remembered>();
  /** By caller and action. */
  const untold = new Map<string, Remembered>();

  function stands({ until }: Remembered): boolean {
    return clock.monotonic() <= until;
  }

  function standing(map: Map<string, Remembered>, key: string): Denial | null {
    const found = map.get(key);
    return found !== undefined && stands(found) ? found.denial : null;
  }

  function remember(map: Map<string, Remembered>, key: string, denial: Denial): void {
    const seconds = times.declineMemorySeconds;
    if (seconds === 0) return;
    for (const [oldest, one] of map) {
      if (stands(one)) break;
      map.delete(oldest);
    }
    putNewest(map, key, { denial, until: clock.monotonic() + seconds * 1_000 }, mostRemembered);
  }

  function tell(bound: Bound, denial: Denial): void {
    untold.delete(ownKeyOf(bound));
    remember(told, ownKeyOf(bound), denial);
    remember(said, keyOf(bound), denial);
  }

  return {
    remember: tell,
    hold(bound, denial, until) {
      const longest = Math.max(until, clock.monotonic() + times.declineMemorySeconds * 1_000);
      putNewest(untold, ownKeyOf(bound), { denial, until: longest }, mostRemembered);
      remember(said, keyOf(bound), denial);
    },
    find(bound) {
      const own = ownKeyOf(bound);
      const held = standing(untold, own);
      if (held !== null) tell(bound, held);
      untold.delete(own);
      const denial = held ?? standing(told, own);
      if (denial !== null) return { denial, isOwn: true };
      const others = standing(said, keyOf(bound));
      return others === null ? null : { denial: others, isOwn: false };
    },
    clear() {
      for (const map of [told, said, untold]) map.clear();
    },
  };
}

function keyOf({ subject, state }: Bound): string {
  return `${subject}${state}`;
}

function ownKeyOf(bound: Bound): string {
  return callerOf(bound) + keyOf(bound);
}
