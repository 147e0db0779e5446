/** Where a connection writes down what was decided, keeps long outputs, and finds its configuration. */
import { type Clock, ensureHome, type Home, WispError } from "../../broker/index.js";

/** One home for all of it, chosen once: a home that turns bad later stops everything, and never diverts the record. */
export interface RecordHome {
  /** Makes and judges the named home at the first call. Never throws: what cannot be made is chosen all the same. */
  readonly choose: () => Home;
  /** Makes and judges the chosen home at each call and returns its path. Throws channel_unsafe, channel_unavailable. */
  readonly make: () => string;
}

/**
 * Nothing may be touched in a home that is refused, yet a dialog can still decide; what is decided then goes to
 * `standard`, because a decision that stands nowhere lets nothing run.
 */
export function recordHome(named: Home | null, standard: Home, clock: Clock): RecordHome {
  let chosen: Home | null = null;
  const choose = (): Home => {
    chosen ??= named === null || isRefused(named, clock) ? standard : named;
    return chosen;
  };
  return { choose, make: () => ensureHome(choose(), clock) };
}

function isRefused(home: Home, clock: Clock): boolean {
  try {
    ensureHome(home, clock);
    return false;
  } catch (error) {
    // A home that is only full or closed is still the one that was meant; whoever makes it next hears what is wrong.
    return error instanceof WispError && error.code === "channel_unsafe";
  }
}
