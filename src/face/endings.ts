/**
 * From what lies in the channel to what waits. Invariants: each request that was shown is told once to have ended; a
 * receipt hides a request only when the server that asked proved it, to the request as it was when it was first seen, for
 * whoever changes one can put a commitment of his own into it.
 */
import {
  type Channel,
  type Clock,
  type Home,
  isReceiptVerified,
  isUnaltered,
  type Listing,
  type ListingChanges,
  type Receipt,
  type Request,
  settledIds,
  type Timer,
} from "../broker/index.js";
import type { Left } from "./inbox.js";

/** What a look at the channel means for who watches it. */
export interface Followed {
  /** Newly shown, oldest first. */
  readonly arrived: readonly Request[];
  /** Not shown any more. */
  readonly left: readonly Ended[];
  /** Is what is shown different in another way? */
  readonly isOther: boolean;
}

/** One request that was shown and waits no longer. */
export interface Ended {
  readonly request: Request;
  readonly ending: Left | null;
}

/** Where endings are read, and who hears of those that a second look had to find. */
export interface EndingsOptions {
  readonly home: Home;
  readonly channel: Pick<Channel, "receipt">;
  readonly clock: Clock;
  /** All that one second look found. */
  readonly onLate: (ended: readonly Ended[]) => void;
}

/** A receipt is published before its request is cleared away; one that could not be read is there by then. */
const secondLookMs = 50;

/** Knows what is shown, and how each of it ends. */
export class Endings {
  readonly #options: EndingsOptions;
  /** Each as it was first seen. */
  readonly #shown = new Map<string, Request>();
  /** Ended, and not cleared away yet. */
  readonly #proved = new Set<string>();
  /** Receipts that prove nothing: forged, as long as their requests lie there. Not read again without an event. */
  readonly #doubted = new Set<string>();
  /** Their files are gone, and no receipt could be read; `ids` are those that are looked for once more together. */
  readonly #lingering = new Map<string, { readonly request: Request; readonly ids: readonly string[] }>();
  readonly #secondLooks = new Set<Timer>();
  /** Of the look that goes on. */
  #unread: string[] = [];

  constructor(options: EndingsOptions) {
    this.#options = options;
  }

  /** What is shown under `id`, as it was first seen; null where nothing is. */
  shown(id: string): Request | null {
    return this.#shown.get(id) ?? null;
  }

  /** Those of `listing` that wait, and those whose ending is looked for once more; oldest first. */
  waiting({ requests }: Listing): readonly Request[] {
    const waiting = requests.filter(({ id }) => !this.#proved.has(id));
    if (this.#lingering.size === 0) return waiting;
    const lingering = [...this.#lingering.values()].map(({ request }) => request);
    return [...waiting, ...lingering].sort((a, b) => a.createdAt - b.createdAt);
  }

  /** `ids` are those that something is known to have happened to; with `isAll` it may have happened to any. */
  follow(changes: ListingChanges, ids: ReadonlySet<string>, isAll: boolean): Followed {
    let isOther = changes.isOther || changes.replaced.length > 0;
    const fresh = new Map<string, Request>();
    for (const request of changes.arrived) {
      if (this.#lingering.has(request.id)) isOther = true;
      this.#lingering.delete(request.id);
      if (!this.#shown.has(request.id) && !this.#proved.has(request.id)) fresh.set(request.id, request);
    }
    for (const [id, request] of fresh) this.#shown.set(id, request);
    const left = [
      ...changes.gone.flatMap(({ id }) => this.#noteGone(id) ?? []),
      ...this.#settled(ids, isAll).flatMap((id) => this.#lookFor(id) ?? []),
    ];
    this.#lookOnceMore();
    // What had ended before it was shown is nobody's business.
    const ended = left.filter(({ request }) => !fresh.delete(request.id));
    return { arrived: [...fresh.values()], left: ended, isOther };
  }

  /** The same after a time in which nothing could be seen: `listing` is all there is. */
  catchUp(listing: Listing): Followed {
    const there = new Set(listing.requests.map(({ id }) => id));
    const gone = [...this.#shown.values()].filter(({ id }) => !there.has(id) && !this.#lingering.has(id));
    return this.follow({ arrived: listing.requests, gone, replaced: [], isOther: true }, new Set(), true);
  }

  close(): void {
    for (const timer of this.#secondLooks) timer.cancel();
    this.#lingering.clear();
  }

  #noteGone(id: string): Ended | null {
    this.#doubted.delete(id);
    this.#proved.delete(id);
    // One that was proved to have ended was told then.
    const request = this.#shown.get(id);
    if (request === undefined || this.#lingering.has(id)) return null;
    const receipt = this.#options.channel.receipt(id);
    if (receipt !== null) return this.#end(request, receipt);
    this.#unread.push(id);
    this.#lingering.set(id, { request, ids: this.#unread });
    return null;
  }

  /** One timer for all of one look: thousands may be gone at once. */
  #lookOnceMore(): void {
    const ids = this.#unread;
    if (ids.length === 0) return;
    this.#unread = [];
    const { clock, channel, onLate } = this.#options;
    const timer = clock.after(secondLookMs, () => {
      this.#secondLooks.delete(timer);
      const ended = ids.flatMap((id) => {
        const lingering = this.#lingering.get(id);
        return lingering?.ids === ids ? [this.#end(lingering.request, channel.receipt(id))] : [];
      });
      if (ended.length > 0) onLate(ended);
    });
    this.#secondLooks.add(timer);
  }

  /** Where to look for receipts. */
  #settled(ids: ReadonlySet<string>, isAll: boolean): readonly string[] {
    if (!isAll) return [...ids];
    const others = settledIds(this.#options.home).filter((id) => !ids.has(id) && !this.#doubted.has(id));
    return [...ids, ...others];
  }

  #lookFor(id: string): Ended | null {
    const request = this.#shown.get(id);
    if (request === undefined) return null;
    const receipt = this.#options.channel.receipt(id);
    if (receipt === null) return null;
    if (this.#lingering.has(id)) return this.#end(request, receipt);
    if (!isProved(receipt, request)) {
      this.#doubted.add(id);
      return null;
    }
    this.#proved.add(id);
    return this.#end(request, receipt);
  }

  #end(request: Request, receipt: Receipt | null): Ended {
    this.#shown.delete(request.id);
    this.#lingering.delete(request.id);
    if (receipt === null) return { request, ending: null };
    return { request, ending: { receipt, proof: isProved(receipt, request) ? "proved" : "unproved" } };
  }
}

function isProved(receipt: Receipt, request: Request): boolean {
  return isUnaltered(request) && isReceiptVerified(receipt, request);
}
