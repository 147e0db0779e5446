/** Where a connection writes down what was decided and keeps long outputs. */
import { type Clock, ensureHome, type Home, WispError } from "../../broker/index.js";

/**
 * Makes and judges that home at each call and returns its path. Nothing may be touched in a home that is refused, yet
 * a dialog can still decide; what is decided then goes to `standard`, because a decision that stands nowhere lets
 * nothing run. Chosen once: a home that turns bad later stops everything, and never diverts the record.
 * The function returned throws channel_unsafe, channel_unavailable.
 */
export function recordHome(named: Home | null, standard: Home, clock: Clock): () => string {
  let chosen: Home | null = null;
  return () => {
    chosen ??= named === null || isRefused(named, clock) ? standard : named;
    return ensureHome(chosen, clock);
  };
}

function isRefused(home: Home, clock: Clock): boolean {
  try {
    ensureHome(home, clock);
    return false;
  } catch (error) {
    if (!(error instanceof WispError)) throw error;
    return error.code === "channel_unsafe";
  }
}
