/**
 * `keys/consumed/<nonce>`: states of dialogs that came back once. Invariant: a nonce is used up by a name that is on
 * disk before anything follows from it, and the name outlives the state.
 */
import { join } from "node:path";
import { type HomePlace, makeDirectoriesDurably, sweepTemporaries } from "../files/home-place.js";
import { namesIn } from "../files/look.js";
import { publishDurably } from "../files/publish.js";
import { readJson, sizeLimits } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { formatVersion } from "../request/request.js";
import * as s from "../request/shape.js";
import type { Moment } from "./grant-store.js";
import { hasEnded, lifeSchema } from "./life.js";
import { consumedNames } from "./places.js";

/** Where used nonces are kept, and who tells the moment. */
export interface ConsumedOptions extends HomePlace {
  readonly moment: () => Moment;
}

/** Nonces that were used. Each process opens its own. */
export interface ConsumedStates {
  /**
   * Uses up the nonce of a state that expires within `forMs`. True exactly once, over all processes and crashes; false,
   * too, for a nonce that is none of ours. Rejects with channel_unsafe, channel_unavailable: then it counts as used.
   */
  consume(nonce: string, forMs: number): Promise<boolean>;
  /** Forgets nonces whose states have expired long since; returns how many. */
  sweep(): number;
}

/**
 * How long a name outlives its state. After a restart of the machine both go by the wall clock: one that was set back by
 * less than this brings no state back whose name is gone.
 */
const graceMs = 2 * 24 * 60 * 60_000;

/** base64url, and so fit to become a file name; 16 random bytes or more. */
const noncePattern = /^[A-Za-z0-9_-]{22,86}$/;

/** The whole file of a used nonce: no other key is taken. */
export const consumedSchema = s.strictObject({ v: s.literal(formatVersion), life: lifeSchema });

/** The used nonces of one home. Touches nothing before the first one is used. */
export function openConsumedStates(options: ConsumedOptions): ConsumedStates {
  const { clock, moment } = options;
  const directory = join(options.path, ...consumedNames);
  /** Used here: no file that goes away makes them new again. */
  const used = new Set<string>();

  function isOver(name: string): boolean {
    const result = readJson(join(directory, name), sizeLimits.record);
    if (result.kind !== "value") return false;
    const parsed = consumedSchema.safeParse(result.value);
    return parsed.success && hasEnded(parsed.data.life, moment());
  }

  return {
    async consume(nonce, forMs) {
      if (!noncePattern.test(nonce) || used.has(nonce)) return false;
      used.add(nonce);
      await makeDirectoriesDurably(options, ...consumedNames);
      const life = { from: moment(), forMs: forMs + graceMs };
      return publishDurably(directory, nonce, JSON.stringify({ v: formatVersion, life }), clock);
    },
    sweep() {
      const over = namesIn(directory).filter((name) => noncePattern.test(name) && isOver(name));
      sweepTemporaries(directory, clock);
      const gone = over.filter((name) => removeQuietly(join(directory, name)));
      for (const nonce of gone) used.delete(nonce);
      return gone.length;
    },
  };
}
