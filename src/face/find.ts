/** From what a person typed to the request it means. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Home,
  isIdentifier,
  type Listing,
  type Receipt,
  type Request,
  settledIds,
  shortestPrefix,
} from "../broker/index.js";
import type { Waiting } from "./waiting.js";

/** What a typed id leads to: the one request it means, or why there is none. */
export type Found =
  | { readonly kind: "request"; readonly request: Request }
  /** Filed by a newer wisp: it cannot be read, let alone answered. */
  | { readonly kind: "newer"; readonly id: string }
  /** It does not wait any more; the receipt says how it ended. */
  | { readonly kind: "settled"; readonly receipt: Receipt }
  | { readonly kind: "ambiguous"; readonly ids: readonly string[] }
  /** Fewer than four characters, or none that an id can have. */
  | { readonly kind: "no id"; readonly ids: readonly string[] }
  /** A file of that name lies there and is no request of ours. */
  | { readonly kind: "unreadable"; readonly name: string; readonly reason: string }
  | { readonly kind: "unknown" };

/** The one request whose id begins with `typed`: of those that wait, otherwise of those that ended. */
export function findRequest(typed: string, { home, channel, listing }: Waiting): Found {
  const waiting = idsOf(listing);
  if (!prefixPattern.test(typed)) return { kind: "no id", ids: waiting };
  const ids = matching(waiting, typed);
  if (ids.length > 1) return { kind: "ambiguous", ids };
  const [id] = ids;
  if (id !== undefined) {
    const request = listing.requests.find((one) => one.id === id);
    return request === undefined ? { kind: "newer", id } : { kind: "request", request };
  }
  const settled = matching(settledIds(home), typed);
  if (settled.length > 1) return { kind: "ambiguous", ids: settled };
  const receipt = settled[0] === undefined ? null : channel.receipt(settled[0]);
  if (receipt !== null) return { kind: "settled", receipt };
  const junk = listing.unreadable.find(({ name }) => name.startsWith(typed));
  return junk === undefined ? { kind: "unknown" } : { kind: "unreadable", ...junk };
}

/**
 * Does `typed` mean nothing that waits, and one or more requests that have ended and may still be answered? Looks at
 * names alone.
 */
export function isLate(typed: string, { home, listing }: Waiting): boolean {
  if (!prefixPattern.test(typed) || matching(idsOf(listing), typed).length > 0) return false;
  return matching(lateIds(home), typed).length > 0;
}

/** The ids of requests that have ended and are kept, whether or not anybody may still answer them. */
export function lateIds({ path }: Home): readonly string[] {
  try {
    const names = readdirSync(join(path, "late"));
    // Behind the id stands what it is bound to.
    return names.map((name) => name.replace(/\.[0-9a-f]{16}\.json$/, "")).filter(isIdentifier);
  } catch {
    // None was ever kept. Whoever opens one is told what is wrong with the directory.
    return [];
  }
}

const prefixPattern = new RegExp(`^[a-z0-9]{${shortestPrefix},32}$`);

function idsOf({ requests, newer }: Listing): readonly string[] {
  return [...requests.map((request) => request.id), ...newer];
}

/** An id that is typed whole means itself, even where it begins another. */
export function matching(ids: readonly string[], typed: string): readonly string[] {
  return ids.includes(typed) ? [typed] : ids.filter((id) => id.startsWith(typed));
}
