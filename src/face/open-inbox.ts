/**
 * The inbox of a face that stays. One watching channel tells what may have changed; only that is read. Invariant: of a
 * directory that is not safe nothing is shown, and nothing that was shown of it before stays.
 */
import {
  type AnswerEnding,
  answerAndWait,
  DirectoryChannel,
  type DirectoryChannelOptions,
  type FoundServer,
  type Home,
  isDetached,
  isHomeMade,
  type ListingChanges,
  type LiveListing,
  liveListing,
  type Request,
  resolveHome,
  serverRecords,
  type Timer,
} from "../broker/index.js";
import { answerOf, type FaceVia, type Given } from "./answer.js";
import { asCarriedOut } from "./carried-out.js";
import { complaintOf } from "./complaint.js";
import { Endings, type Followed } from "./endings.js";
import type { AnswerOptions, Inbox, InboxChange, InboxHealth, InboxState } from "./inbox.js";
import type { Seat } from "./seat.js";
import { createSweeping } from "./sweeping.js";
import { type WatchedFiles, watchFiles } from "./watched-files.js";

/**
 * Opens the channel that `seat` names, looks once and watches from then on; what waits already stands in its state and
 * arrives no more. Makes nothing: where there is no home yet nothing waits until a server makes one. Throws channel_unsafe
 * where no home can be named, channel_unavailable where there is no working directory; what is wrong with the home
 * itself is its health.
 */
export function openInbox(
  seat: Seat,
  via: Exclude<FaceVia, "cli">,
  startWatch?: DirectoryChannelOptions["startWatch"],
): Inbox {
  return new WatchingInbox(seat, via, startWatch);
}

/** After the first of several changes the next ones are looked at together: a flood costs fifty looks a second. */
const togetherMs = 20;
/** What no event tells is looked at this often: whether the directory is safe, and which agents stopped waiting. */
const aroundMs = 900;
/**
 * Servers withdraw what they asked when they end, so only those that were killed leave something to sweep; and a sweep
 * looks at everything that waits. Whoever answers sweeps every second while it waits for the receipt.
 */
const sweepMs = 10_000;

class WatchingInbox implements Inbox {
  readonly home: Home;
  state: InboxState = {
    requests: [],
    newer: [],
    unreadable: [],
    detached: [],
    health: { kind: "watching" },
    files: [],
  };

  readonly #seat: Seat;
  readonly #via: FaceVia;
  readonly #channel: DirectoryChannel;
  readonly #live: LiveListing;
  readonly #endings: Endings;
  readonly #servers: () => { readonly servers: readonly FoundServer[] };
  readonly #sweepOnce: ReturnType<typeof createSweeping>;
  readonly #files: WatchedFiles;
  readonly #given = new Set<string>();
  readonly #listeners = new Set<(change: InboxChange) => void>();
  readonly #closing = new AbortController();
  /** The ids of what something happened to since the last look. */
  #touched = new Set<string>();
  /** May something have happened to any? */
  #isAll = true;
  #together: Timer | null = null;
  #isUsable = true;
  #detached: readonly string[] = [];
  #aroundAt: number;
  #sweepAt: number;

  constructor(seat: Seat, via: FaceVia, startWatch: DirectoryChannelOptions["startWatch"]) {
    const { clock } = seat;
    this.home = resolveHome(seat.environment, seat.directory);
    this.#seat = seat;
    this.#via = via;
    this.#channel = new DirectoryChannel({
      home: this.home,
      clock,
      asker: null,
      onRefused: () => {},
      onTick: () => this.#lookAround(),
      ...(startWatch === undefined ? {} : { startWatch }),
    });
    this.#live = liveListing(this.home, clock);
    this.#endings = new Endings({
      home: this.home,
      channel: this.#channel,
      clock,
      onLate: (left) => this.#tell({ arrived: [], left, isOther: false }),
    });
    this.#servers = serverRecords(this.home, clock);
    this.#sweepOnce = createSweeping(this.home, seat, via, this.#given);
    this.#files = watchFiles(this.home, seat, () => this.#tell({ arrived: [], left: [], isOther: true }));
    this.#aroundAt = clock.monotonic() + aroundMs;
    this.#sweepAt = clock.monotonic() + sweepMs;
    // Watched first: what comes while it looks is told.
    this.#channel.changes((id) => this.#noteChange(id));
    this.#look();
    this.#sweep();
    if (this.#isUsable) this.#files.look();
  }

  onChange(listener: (change: InboxChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async answer(request: Request, given: Given, { signal, onSilent }: AnswerOptions): Promise<AnswerEnding> {
    const answer = answerOf(request, given, this.#via, this.#seat);
    const ending = await answerAndWait(request, answer, {
      channel: this.#channel,
      clock: this.#seat.clock,
      signal: AbortSignal.any([signal, this.#closing.signal]),
      onSilent,
      given: this.#given,
      sweep: () => this.#sweep(),
    });
    return await asCarriedOut(ending, request, answer, this.home, this.#seat, this.#via);
  }

  close(): void {
    this.#closing.abort();
    this.#listeners.clear();
    this.#together?.cancel();
    this.#endings.close();
    this.#files.close();
    this.#channel.close();
  }

  #noteChange(id: string | null): void {
    if (id === null) this.#isAll = true;
    else this.#touched.add(id);
    if (this.#together === null) this.#look();
  }

  #look(): void {
    const [ids, isAll] = [this.#touched, this.#isAll];
    this.#touched = new Set();
    this.#isAll = false;
    this.#together ??= this.#seat.clock.after(togetherMs, () => {
      this.#together = null;
      if (this.#isAll || this.#touched.size > 0) this.#look();
    });
    this.#lookAt(ids, isAll);
  }

  /** By the timer of the channel, which comes round every second or more often. */
  #lookAround(): void {
    const now = this.#seat.clock.monotonic();
    if (now < this.#aroundAt) return;
    this.#aroundAt = now + aroundMs;
    this.#detached = this.#findDetached();
    this.#lookAt(new Set(), false, () => this.#live.lookAround());
    if (this.#isUsable) this.#files.look();
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + sweepMs;
    this.#sweep();
  }

  #lookAt(
    ids: ReadonlySet<string>,
    isAll: boolean,
    look: () => ListingChanges = () => (isAll ? this.#live.rescan(ids) : this.#live.look(ids)),
  ): void {
    const wasUsable = this.#isUsable;
    try {
      const changes = look();
      this.#isUsable = true;
      this.#tell(
        wasUsable ? this.#endings.follow(changes, ids, isAll) : this.#endings.catchUp(this.#live.listing),
      );
    } catch (error) {
      const complaint = complaintOf(error);
      if (complaint === null) throw error;
      this.#isUsable = false;
      this.#hide({ kind: "unusable", complaint });
    }
  }

  /** Nothing has ended by that: what is there when it can be seen again is compared then. */
  #hide(health: InboxHealth): void {
    if (isSame(health, this.state.health)) return;
    this.state = { requests: [], newer: [], unreadable: [], detached: [], health, files: [] };
    this.#emit([{ kind: "other" }]);
  }

  #tell({ arrived, left, isOther }: Followed): void {
    const isMoved = arrived.length + left.length > 0 || isOther;
    const after = this.#isUsable ? this.#stateAfter(isMoved) : this.state;
    const isBeside = isOther || after.detached !== this.state.detached || after.health !== this.state.health;
    if (!isMoved && !isBeside) return;
    this.state = after;
    this.#emit([
      ...(arrived.length > 0 ? [{ kind: "arrived", requests: arrived } as const] : []),
      ...left.map((ended) => ({ kind: "left", ...ended }) as const),
      ...(isBeside ? [{ kind: "other" } as const] : []),
    ]);
  }

  #stateAfter(isMoved: boolean): InboxState {
    const { requests, newer, unreadable, detached, health } = this.state;
    const { listing } = this.#live;
    const seen: InboxHealth = { kind: this.#channel.watching.mode === "watch" ? "watching" : "polling" };
    return {
      requests: isMoved ? this.#endings.waiting(listing) : requests,
      newer: isMoved ? listing.newer : newer,
      unreadable: isMoved ? listing.unreadable : unreadable,
      detached: isSame(detached, this.#detached) ? detached : this.#detached,
      health: isSame(health, seen) ? health : seen,
      files: this.#files.lines,
    };
  }

  #emit(changes: readonly InboxChange[]): void {
    for (const change of changes) for (const listener of [...this.#listeners]) listener(change);
  }

  /** Costs something for each server that left a record, and for each request that is detached. */
  #findDetached(): readonly string[] {
    if (this.#live.listing.requests.length === 0) return [];
    return this.#servers().servers.flatMap((found) =>
      found.record.detached.filter((id) => {
        const request = this.#endings.shown(id);
        return request !== null && isDetached(request, found);
      }),
    );
  }

  #sweep(): void {
    // Judged once more, for sweeping writes.
    this.#lookAt(new Set(), false);
    if (!this.#isUsable || !isHomeMade(this.home)) return;
    if (this.#sweepOnce(() => this.#live.listing).length > 0) this.#noteChange(null);
  }
}

/** Of values made here, in one order of keys. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
