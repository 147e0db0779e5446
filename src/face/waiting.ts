/** The channel as every verb opens it: judged, swept, listed. */
import {
  type Channel,
  DirectoryChannel,
  type Home,
  isHomeMade,
  isReceiptVerified,
  type Listing,
  resolveHome,
  type Swept,
  settledIds,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import type { Seat } from "./seat.js";
import { createSweeping } from "./sweeping.js";

/** The channel as a verb found it when it began, and what it needs to go on. */
export interface Waiting {
  readonly home: Home;
  readonly channel: Channel;
  /** What waits after sweeping; nothing in it has ended already. */
  readonly listing: Listing;
  /** What the sweep did. */
  readonly swept: readonly Swept[];
  /** For `AnsweringOptions`: the sweeps know by it what this process gave. */
  readonly given: Set<string>;
  /** Sweeps once more, best effort: for a verb that stays. */
  sweepAgain(): void;
}

/** Where whoever opens it sits, and the face that is: what it sweeps is written down as swept there. */
export type Sitting = Seat & { readonly via?: FaceVia };

/** Throws channel_unsafe, channel_unavailable. Makes nothing where there is no home yet. */
export function openWaiting(seat: Sitting): Waiting {
  const { environment, directory, clock, via = "cli" } = seat;
  const home = resolveHome(environment, directory);
  const channel = new DirectoryChannel({ home, clock, asker: null, onRefused: () => {} });
  const given = new Set<string>();
  const sweepOnce = createSweeping(home, seat, via, given);
  const first = channel.pending();
  const swept = isHomeMade(home) ? sweepOnce(() => first) : [];
  const listing = withoutSettled(swept.length === 0 ? first : channel.pending(), home, channel);
  return { home, channel, listing, swept, given, sweepAgain: () => void sweepOnce(() => channel.pending()) };
}

/**
 * A settled request lies there until it is cleared away. Only a receipt that its own server proved hides it: a forged
 * one must not.
 */
function withoutSettled(listing: Listing, home: Home, channel: Channel): Listing {
  const settled = new Set(settledIds(home));
  if (settled.size === 0) return listing;
  const requests = listing.requests.filter((request) => {
    const receipt = settled.has(request.id) ? channel.receipt(request.id) : null;
    return receipt === null || !isReceiptVerified(receipt, request);
  });
  return { ...listing, requests };
}
