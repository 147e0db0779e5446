/**
 * What lies in `pending/`, for a face that stays: a file is read when it is new or when it changed, and never because
 * another one did. Nothing is told of a directory that is not safe; whatever was known of it is then forgotten.
 */
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import { lookAt, stateOf } from "../files/look.js";
import { type ReadResult, readJson, sizeLimits } from "../files/read.js";
import { answerFileName, parseAnswerFileName } from "../request/answer.js";
import { kinds, parseRequestFileName, type Request, requestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { isPassing } from "./answer-file.js";
import type { Listing, Unreadable } from "./channel.js";
import { type Home, isHomeMade, judgeHome } from "./home.js";
import { byAge, isBeingWritten, judgeOrphan, judgeRequest, namesIn, type RequestFile } from "./listing.js";

/** What one look found to be different. */
export interface ListingChanges {
  /** Not there at the look before; oldest first. */
  readonly arrived: readonly Request[];
  /** Their files are gone, or are no requests any more. */
  readonly gone: readonly Request[];
  /** As they are now: somebody changed them after they were filed, for a server never does. */
  readonly replaced: readonly Request[];
  /** Did anything else of the listing change? */
  readonly isOther: boolean;
}

/** Each look throws channel_unsafe or channel_unavailable; the next one that does not finds all to have arrived. */
export interface LiveListing {
  /** As of the last look; the same object until something changed. Empty after a look that threw. */
  readonly listing: Listing;
  /** Looks at all names, reads the new ones, and looks at what is called after these requests. */
  rescan(ids?: Iterable<string>): ListingChanges;
  /** Looks at what is called after these requests. */
  look(ids: Iterable<string>): ListingChanges;
  /**
   * Looks at what may have changed without an event: files that could not be read, and a few of all the others, the next
   * ones each time. It takes the same time however many there are.
   */
  lookAround(): ListingChanges;
}

/** Reads nothing before the first look. */
export function liveListing(home: Home, clock: Clock): LiveListing {
  return new Files(home, clock);
}

/** So many files are looked at when nothing says that they changed: ten thousand in under three minutes. */
const aroundAtOnce = 64;

const missing = { kind: "missing" } as const;

interface Entry {
  /** Which file it was, and in which state: the time of change is set by the system alone. */
  readonly key: string;
  /** Null for what is nothing to tell: an answer to nothing that is one, or a file somebody is still writing. */
  readonly file: RequestFile | null;
}

class Files implements LiveListing {
  readonly #home: Home;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  /** Names to be looked at again soon, whatever their state. */
  readonly #unsettled = new Set<string>();
  #round: Iterator<string> = this.#entries.keys();
  #isWhole = false;
  #listing: Listing | null = null;

  constructor(home: Home, clock: Clock) {
    this.#home = home;
    this.#clock = clock;
  }

  get listing(): Listing {
    this.#listing ??= listingOf(this.#entries);
    return this.#listing;
  }

  rescan(ids: Iterable<string> = []): ListingChanges {
    return this.#judged((changes) => {
      this.#readAll(changes);
      this.#lookAtIds(ids, changes);
    });
  }

  look(ids: Iterable<string>): ListingChanges {
    return this.#judged((changes) => this.#lookAtIds(ids, changes));
  }

  lookAround(): ListingChanges {
    return this.#judged((changes) => {
      for (const name of [...this.#unsettled].slice(0, aroundAtOnce)) this.#lookAt(name, changes);
      for (let looked = 0; looked < aroundAtOnce; looked += 1) {
        const next = this.#round.next();
        if (next.done === true) {
          this.#round = this.#entries.keys();
          return;
        }
        this.#lookAt(next.value, changes);
      }
    });
  }

  /** What was read from a directory before it became unsafe may be what others wrote there. */
  #judged(run: (changes: Changes) => void): ListingChanges {
    const changes = new Changes();
    try {
      const isMade = isHomeMade(this.#home);
      if (isMade) judgeHome(this.#home);
      if (this.#isWhole && isMade) run(changes);
      else this.#readAll(changes);
      this.#isWhole = isMade;
    } catch (error) {
      this.#forget();
      throw error;
    }
    if (changes.isAny) this.#listing = null;
    changes.arrived.sort(byAge);
    return changes;
  }

  #forget(): void {
    this.#entries.clear();
    this.#unsettled.clear();
    this.#isWhole = false;
    this.#listing = null;
  }

  #readAll(changes: Changes): void {
    const names = new Set(namesIn(this.#home.pending));
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#set(name, null, changes);
    const fresh = [...names].filter((name) => !this.#entries.has(name));
    // Requests first: what lies in the slot of one is not looked at.
    const [requests, others] = [fresh.filter(isRequestName), fresh.filter((name) => !isRequestName(name))];
    for (const name of [...requests, ...others]) this.#read(name, changes);
  }

  #lookAtIds(ids: Iterable<string>, changes: Changes): void {
    for (const id of ids) {
      const names = kinds.map((kind) => requestFileName({ id, kind }));
      for (const name of [...names, answerFileName(id)]) this.#lookAt(name, changes);
    }
  }

  #lookAt(name: string, changes: Changes): void {
    const before = this.#entries.get(name) ?? null;
    const stats = lookAt(join(this.#home.pending, name));
    if (stats === null) this.#set(name, null, changes);
    else if (before?.key !== stateOf(stats) || this.#unsettled.has(name)) this.#read(name, changes);
  }

  #read(name: string, changes: Changes): void {
    const limit = this.#limitOf(name);
    const path = join(this.#home.pending, name);
    const result = limit === null ? missing : readJson(path, limit);
    // Of what cannot be opened there are no stats but those of its name.
    const stats = result.kind === "missing" ? null : (result.stats ?? lookAt(path));
    if (stats === null) this.#set(name, null, changes);
    else this.#note(name, result, stats, changes);
  }

  /** How long a file of that name may be; null where it is nothing to look at, as the slot of a request is. */
  #limitOf(name: string): number | null {
    if (isRequestName(name)) return sizeLimits.request;
    const answered = parseAnswerFileName(name);
    if (answered === null || isAsked(answered, this.#entries)) return null;
    return sizeLimits.answer;
  }

  #note(name: string, result: ReadResult, stats: BigIntStats, changes: Changes): void {
    const isHalf = isBeingWritten(result, stats, this.#clock.now());
    const isUnsettled = isHalf || (result.kind === "refused" && isPassing(result.objection));
    if (isUnsettled) this.#unsettled.add(name);
    else this.#unsettled.delete(name);
    // What was a request a moment ago is one until it can be read again.
    if (isUnsettled && this.#entries.get(name)?.file?.kind === "request") return;
    this.#set(name, { key: stateOf(stats), file: isHalf ? null : judged(name, result) }, changes);
  }

  #set(name: string, after: Entry | null, changes: Changes): void {
    const before = this.#entries.get(name) ?? null;
    const kept = changes.note(before?.file ?? null, after?.file ?? null);
    if (after !== null) {
      this.#entries.set(name, { key: after.key, file: kept });
      return;
    }
    this.#entries.delete(name);
    this.#unsettled.delete(name);
  }
}

/** Collects what is different. */
class Changes implements ListingChanges {
  readonly arrived: Request[] = [];
  readonly gone: Request[] = [];
  readonly replaced: Request[] = [];
  isOther = false;

  get isAny(): boolean {
    return this.isOther || this.arrived.length + this.gone.length + this.replaced.length > 0;
  }

  /** Returns what is kept: a file that was read again and says the same is the same request. */
  note(before: RequestFile | null, after: RequestFile | null): RequestFile | null {
    const [was, is] = [requestIn(before), requestIn(after)];
    if (was !== null && is !== null) {
      if (JSON.stringify(was) === JSON.stringify(is)) return before;
      this.replaced.push(is);
    } else if (is !== null) this.arrived.push(is);
    else if (was !== null) this.gone.push(was);
    this.isOther ||= toldBeside(before) !== toldBeside(after);
    return after;
  }
}

function judged(name: string, result: ReadResult): RequestFile | null {
  const answered = parseAnswerFileName(name);
  return answered === null ? judgeRequest(name, result) : judgeOrphan(answered, result);
}

function isRequestName(name: string): boolean {
  return parseRequestFileName(name) !== null;
}

function requestIn(file: RequestFile | null): Request | null {
  return file?.kind === "request" ? file.request : null;
}

function toldBeside(file: RequestFile | null): string | null {
  if (file === null || file.kind === "request") return null;
  return file.kind === "newer" ? "" : file.reason;
}

/** Does anything bear the name of request `id`? Then its slot is its server's to judge. */
function isAsked(id: string, entries: ReadonlyMap<string, Entry>): boolean {
  return kinds.some((kind) => entries.has(requestFileName({ id, kind })));
}

function listingOf(entries: ReadonlyMap<string, Entry>): Listing {
  const requests: Request[] = [];
  const newer: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const [name, { file }] of entries) {
    if (file?.kind === "request") requests.push(file.request);
    else if (file?.kind === "newer") newer.push(file.id);
    else if (file !== null) {
      const answered = isRequestName(name) ? null : parseAnswerFileName(name);
      if (answered === null || !isAsked(answered, entries)) unreadable.push({ name, reason: file.reason });
    }
  }
  return { requests: requests.sort(byAge), newer, unreadable };
}
