/** The pins of one gate in a home. Nothing is made before the first is pinned. */
import { join } from "node:path";
import { type HomePlace, makeDirectoriesDurably, sweepTemporaries } from "../files/home-place.js";
import { type LockHolders, withLock } from "../files/lock.js";
import { isYoung, lookAt, stateOf } from "../files/look.js";
import { replaceDurably } from "../files/replace.js";
import { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import { pinsAfter } from "./next-pins.js";
import type { GatePins, LetThrough, PinsNow } from "./pins.js";
import { headText, pinLabels, pinsPlace, pinsText, type ReadPins, readPins } from "./pins-file.js";

/** Where they are kept, who seals them, and how other gates of that name are told apart. */
export interface GatePinsOptions extends HomePlace, Omit<LockHolders, "clock"> {
  readonly keys: Keys;
  /** Of the gate: a-z, 0-9 and -. */
  readonly name: string;
}

/** Opens the pins of `name`; looks at nothing yet. */
export function openGatePins(options: GatePinsOptions): GatePins {
  const { path, clock, keys, name } = options;
  const place = pinsPlace(path, name);
  const directory = join(path, "gates");
  const heads = join(path, "keys", "gates");
  let known: { readonly state: string; readonly now: PinsNow } | null = null;

  /**
   * Every call looks, and the file changes a few times in the life of a gate. Its number never changes without it, but by
   * whoever may write below `keys/`; what cannot be trusted for that is read anew each time.
   */
  function current(): PinsNow {
    const look = lookAt(place.file);
    const state = look === null ? "" : stateOf(look);
    if (known?.state === state) return known.now;
    const { now } = readPins(place, name, keys);
    const isSettled = now.kind !== "untrusted" && (look === null || !isYoung(look, clock.now()));
    known = isSettled ? { state, now } : null;
    return now;
  }

  async function write({ serial }: ReadPins, gate: Parameters<typeof pinsText>[2]): Promise<void> {
    const next = serial + 1;
    const text = pinsText(name, next, gate, await keys.derivedKey(pinLabels.pins));
    const head = headText(name, next, await keys.derivedKey(pinLabels.head));
    await replaceDurably(directory, `${name}.json`, text, clock);
    // After the pins: whoever is cut off between them leaves pins that count.
    await replaceDurably(heads, name, head, clock);
  }

  async function pinNew(call: LetThrough): Promise<void> {
    await makeDirectoriesDurably(options, "keys", "gates");
    await makeDirectoriesDurably(options, "gates");
    // Below `keys/`: whoever cannot write there cannot hold anybody up.
    await withLock(heads, `${name}.lock`, { ...options, clock }, async () => {
      for (const one of [directory, heads]) sweepTemporaries(one, clock);
      const read = readPins(place, name, keys);
      // It may be read again in a moment, and would be lost.
      if (read.unreadable !== null) throw unreadable(read.unreadable);
      const next = pinsAfter(read.now, call);
      if (next !== null) await write(read, next);
    });
  }

  return {
    current,
    pin(call) {
      // A rule let it through by what was just looked at.
      const now = call.by === "rule" ? (known?.now ?? current()) : current();
      return pinsAfter(now, call) === null ? null : pinNew(call);
    },
  };
}

function unreadable(path: string): WispError {
  return new WispError("channel_unavailable", `${path} cannot be read.`, {
    why: "It says which server and which tools calls were let through to, and would be overwritten.",
    details: { path },
  });
}
