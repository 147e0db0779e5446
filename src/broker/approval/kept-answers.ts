/**
 * How the questions of one connection ended, for calls that come for it later. Invariants: an ending that reached no call
 * is told once; what a person said is forgotten when it was told, or when its time is over; a no is told again for a while.
 */
import type { Clock } from "../system/clock.js";
import { putNewest } from "./newest.js";
import { alreadyTold } from "./question-ends.js";
import type { QuestionAsk, QuestionEnd } from "./questioner.js";

/** A question that ended. */
export interface KeptAnswer {
  /** What an identical ask has in common with it. */
  readonly key: string;
  readonly ask: QuestionAsk;
  readonly end: QuestionEnd;
}

/** What a look finds. */
export type Found =
  /** It counts as told from here on. */
  | { readonly kind: "collected"; readonly kept: KeptAnswer }
  | { readonly kind: "over"; readonly end: QuestionEnd };

/** The endings of one questioner. */
export interface KeptAnswers {
  /** `isTold`: it reached a call. Otherwise it waits for one. */
  add(ended: KeptAnswer, isTold: boolean): void;
  /** What an identical ask is told, or null where it is to be asked. What waited for it counts as told from here on. */
  collect(key: string): { readonly kept: KeptAnswer; readonly isAgain: boolean } | null;
  /** For whoever collected `kept`, and whose caller was gone by then: it waits again, as long as it would have. */
  giveBack(kept: KeptAnswer): void;
  /** By its id; null for every question that is not here. */
  find(id: string): { readonly ask: QuestionAsk; look(): Found } | null;
  clear(): void;
}

/** For how long what; read anew with each ending. */
export interface KeepingTimes {
  /** An ending that reached no call; 0 keeps none. */
  readonly keepSeconds: number;
  /** A no is told again to identical asks, and kept no shorter than this; 0 tells it once. */
  readonly declineMemorySeconds: number;
}

/** The oldest go first. */
const mostKept = 100;

interface Remembered {
  readonly kept: KeptAnswer;
  readonly until: number;
}

interface Untold extends Remembered {
  /** For how long an answer was to be kept when it came. */
  readonly keptSeconds: number;
}

/** Nothing is kept yet. */
export function createKeptAnswers(clock: Clock, times: KeepingTimes): KeptAnswers {
  /** By key. */
  const untold = new Map<string, Untold>();
  const declined = new Map<string, Remembered>();
  /** How what was collected lay here, for whoever gives it back. */
  const collected = new WeakMap<KeptAnswer, Untold>();
  /** By id, without what a person said. */
  const over = new Map<string, { readonly ask: QuestionAsk; readonly end: QuestionEnd }>();

  function forget(): void {
    const now = clock.monotonic();
    for (const [key, { kept, until, keptSeconds }] of untold) {
      if (now <= until) continue;
      untold.delete(key);
      tell(kept, `the answer was kept for ${keptSeconds} s, and nobody asked for it`);
    }
    for (const [key, { until }] of declined) if (now > until) declined.delete(key);
  }

  function tell({ ask, end }: KeptAnswer, why: string): void {
    if (end.request !== null) putNewest(over, end.request, { ask, end: withoutContent(end, why) }, mostKept);
  }

  function remember(kept: KeptAnswer): void {
    tell(kept, "the answer was told already");
    const declineMs = times.declineMemorySeconds * 1_000;
    if (kept.end.name !== "declined" || declineMs === 0) return;
    putNewest(declined, kept.key, { kept, until: clock.monotonic() + declineMs }, mostKept);
  }

  function take(key: string): KeptAnswer | null {
    const one = untold.get(key);
    if (one === undefined) return null;
    untold.delete(key);
    collected.set(one.kept, one);
    remember(one.kept);
    return one.kept;
  }

  return {
    add(ended, isTold) {
      forget();
      const isDeclined = ended.end.name === "declined";
      const { keepSeconds, declineMemorySeconds } = times;
      const length = (isDeclined ? Math.max(keepSeconds, declineMemorySeconds) : keepSeconds) * 1_000;
      if (isTold) remember(ended);
      else if (length === 0)
        tell(ended, "the answer came while no call was there for it, and answers are not kept");
      else {
        const until = clock.monotonic() + length;
        putNewest(untold, ended.key, { kept: ended, until, keptSeconds: keepSeconds }, mostKept);
      }
    },
    collect(key) {
      forget();
      const first = take(key);
      if (first !== null) return { kept: first, isAgain: false };
      const again = declined.get(key);
      return again === undefined ? null : { kept: again.kept, isAgain: true };
    },
    giveBack(kept) {
      const one = collected.get(kept);
      if (one === undefined) return;
      if (kept.end.request !== null) over.delete(kept.end.request);
      declined.delete(kept.key);
      putNewest(untold, kept.key, one, mostKept);
    },
    find(id) {
      forget();
      for (const [key, { kept }] of untold) {
        if (kept.end.request !== id) continue;
        return {
          ask: kept.ask,
          look() {
            take(key);
            return { kind: "collected", kept };
          },
        };
      }
      const one = over.get(id);
      return one === undefined ? null : { ask: one.ask, look: () => ({ kind: "over", end: one.end }) };
    },
    clear() {
      for (const map of [untold, declined, over]) map.clear();
    },
  };
}

/** How it stands once nobody is to hear the answer any more; `why` is said of an answer alone. */
function withoutContent(end: QuestionEnd, why: string): QuestionEnd {
  return end.name === "answered" ? alreadyTold(end, why) : end;
}
