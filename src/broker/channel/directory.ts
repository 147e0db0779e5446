/**
 * A channel in a private directory. Invariants: a request is decided only by what stands in its slot, compared
 * with the binding held in memory; junk never decides and never occupies a slot; every settled request has a
 * receipt before it is cleared away.
 */
import { namesIn } from "../files/look.js";
import { probeHardLinks } from "../files/publish.js";
import type { StartWatch } from "../files/raw-watch.js";
import { judgeDirectory } from "../files/safe-directory.js";
import {
  type Answer,
  type AnsweredBy,
  answerFileName,
  parseAnswerFileName,
  type ServerDecision,
} from "../request/answer.js";
import type { Shortfall, Witness } from "../request/assurance.js";
import { answerHash } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { isIdentifier } from "../request/identifier.js";
import type { Receipt } from "../request/receipt.js";
import {
  type Draft,
  formatVersion,
  kinds,
  parseRequestFileName,
  type Request,
  type RequestServer,
  requestFileName,
} from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Channel, Ending, Listing, News, RefusedAnswer, Slot, Taken } from "./channel.js";
import { ensurePending, type Home, isHomeMade, judgeHome } from "./home.js";
import { PendingList } from "./listing.js";
import { mostAttempts, type OwnRequest, publishRequest, takeFrom, takenOf } from "./own-request.js";
import type { Presence } from "./presence.js";
import { provedReceipt, publishOwnReceipt, readReceipt } from "./receipts.js";
import { readRefusal } from "./rejected.js";
import { clearFiles, isRequestThere, publishAnswer, readSlot, retractAnswer } from "./slot.js";
import { spoolTexts, unspool } from "./spool.js";
import { DirectoryWatch } from "./watch.js";

/** What a process needs to ask through the channel, beside what every opening needs. */
export interface AskerOptions {
  readonly server: RequestServer;
  readonly by: AnsweredBy;
  readonly presence: Presence;
  /** Looks at the process behind each answer of a face before it counts. */
  readonly witness: Witness;
}

/** How one process opens the channel: as the one that asks, or as a face. */
export interface DirectoryChannelOptions {
  readonly home: Home;
  readonly clock: Clock;
  /** Null for a face: it reads and answers, and its watching keeps the process alive. */
  readonly asker: AskerOptions | null;
  readonly onRefused: (refused: RefusedAnswer) => void;
  /** Called when the timer that looks at `pending/` came round, whatever it found: for what no event tells. */
  readonly onTick?: () => void;
  readonly startWatch?: StartWatch;
}

/** Opens the channel at `options.home`. Makes and watches nothing before the first ask or listener. */
export class DirectoryChannel implements Channel {
  readonly #options: DirectoryChannelOptions;
  readonly #own = new Map<string, OwnRequest>();
  readonly #detached = new Set<string>();
  readonly #listeners = new Set<(id: string | null) => void>();
  readonly #list = new PendingList();
  readonly #watches: readonly DirectoryWatch[];
  /** Slots that could not be read for a fault of this machine: looked at again with the next tick. */
  readonly #unreachable = new Set<string>();
  #hasProbedLinks = false;

  constructor(options: DirectoryChannelOptions) {
    this.#options = options;
    const watched =
      options.asker === null ? [options.home.pending, options.home.settled] : [options.home.pending];
    this.#watches = watched.map((directory) => this.#watchOf(directory));
  }

  /** How changes are noticed, and how often a directory was found replaced. */
  get watching(): { readonly mode: "watch" | "poll"; readonly rearms: number } {
    return {
      mode: this.#watches.some((watch) => watch.mode === "poll") ? "poll" : "watch",
      rearms: this.#watches.reduce((sum, watch) => sum + watch.rearms, 0),
    };
  }

  file(draft: Draft, longTexts: readonly string[]): Request {
    const { home, clock } = this.#options;
    const asker = this.#asker();
    this.#preparePending();
    asker.presence.begin();
    const spooled = spoolTexts(home, longTexts, clock);
    const own = this.#publishOrUnspool(draft, spooled, asker.server);
    // A text shared with a request that was settled in this very moment may just have been removed with it.
    spoolTexts(home, longTexts, clock);
    this.#own.set(own.request.id, own);
    this.#noteWaiting();
    for (const watch of this.#watches) watch.resume();
    // An answer may have been there before the watch was.
    queueMicrotask(() => this.#tell(own.request.id));
    return own.request;
  }

  pending(): Listing {
    const { home, clock } = this.#options;
    if (!isHomeMade(home)) return { requests: [], newer: [], unreadable: [] };
    judgeHome(home);
    return this.#list.read(home.pending, clock.now());
  }

  answer(answer: Answer): boolean {
    const { home, clock } = this.#options;
    this.#preparePending();
    this.#own.get(answer.id)?.claims.add(answerHash(answer));
    return publishAnswer(home, answer, clock);
  }

  isThere(id: string): boolean {
    return isIdentifier(id) && kinds.some((kind) => isRequestThere(this.#options.home, { id, kind }));
  }

  slot(id: string): Slot {
    const slot = readSlot(this.#options.home, id);
    switch (slot.kind) {
      case "free":
        return { kind: "free" };
      case "answer":
        return { kind: "answer", answer: slot.answer };
      case "junk":
      case "unreachable":
        return { kind: "junk", reason: slot.reason };
      default:
        return slot satisfies never;
    }
  }

  retract(answer: Answer): void {
    retractAnswer(this.#options.home, answer);
  }

  take(id: string): News | null {
    const own = this.#own.get(id);
    if (own === undefined) return null;
    const { home, clock, onRefused } = this.#options;
    const fault = faultOf(home);
    if (fault !== null) return { kind: "broken", why: fault };
    const news = takeFrom(own, { home, clock, witness: this.#asker().witness, onRefused });
    if (news !== "unreachable") return news;
    this.#unreachable.add(id);
    return null;
  }

  withdraw(id: string, decision: ServerDecision, note: string | null): Taken {
    const own = this.#own.get(id);
    if (own === undefined) throw new WispError("request_unknown", `This process does not wait for ${id}.`);
    const answer = this.#ownDecision(own.request, decision, note);
    try {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        if (this.answer(answer)) break;
        const news = this.take(id);
        if (news?.kind === "answer") return news.taken;
      }
    } catch {
      // The channel is broken or unsafe. The server's own decision lets nothing run, so it may stand in memory.
    }
    return takenOf(answer, null);
  }

  settle(id: string, ending: Ending): Receipt {
    const { home, clock } = this.#options;
    const own = this.#own.get(id);
    if (own === undefined) throw new WispError("request_unknown", `This process does not wait for ${id}.`);
    this.#own.delete(id);
    this.#unreachable.delete(id);
    this.detached(id, false);
    this.#noteWaiting();
    // Listeners stay between asks; the timer is for what waits.
    if (this.#own.size === 0) for (const watch of this.#watches) watch.pause();
    const receipt = provedReceipt(own.request, ending, own.secret, clock.now());
    try {
      publishOwnReceipt(home, receipt, clock);
    } finally {
      // Cleared even without a receipt: nobody can answer a request that its server no longer holds.
      clearFiles(home, own.request);
      if (own.spooled.length > 0) unspool(home, own.spooled);
    }
    return receipt;
  }

  detached(id: string, isDetached: boolean): void {
    const has = this.#detached.has(id);
    if (has === isDetached || (isDetached && !this.#own.has(id))) return;
    if (isDetached) this.#detached.add(id);
    else this.#detached.delete(id);
    this.#options.asker?.presence.detached([...this.#detached]);
  }

  refusal(answer: Answer): Shortfall | null {
    return readRefusal(this.#options.home, answer);
  }

  receipt(id: string): Receipt | null {
    return readReceipt(this.#options.home, id);
  }

  changes(listener: (id: string | null) => void): () => void {
    this.#listeners.add(listener);
    if (this.#options.asker === null) for (const watch of this.#watches) watch.resume();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0 && this.#own.size === 0) for (const watch of this.#watches) watch.stop();
    };
  }

  close(): void {
    this.#listeners.clear();
    for (const watch of this.#watches) watch.stop();
    // With requests left to a sweep the record stays: it tells every sweep at once that their server is gone.
    this.#options.asker?.presence.end(this.#own.size > 0);
    this.#own.clear();
    this.#detached.clear();
  }

  #asker(): AskerOptions {
    const { asker } = this.#options;
    if (asker === null) throw new TypeError("A face files no requests.");
    return asker;
  }

  #preparePending(): void {
    const { home, clock } = this.#options;
    ensurePending(home, clock);
    // A face publishes at once what it has to say, and learns it from that.
    if (this.#hasProbedLinks || this.#options.asker === null) return;
    probeHardLinks(home.pending, clock);
    this.#hasProbedLinks = true;
  }

  #publishOrUnspool(draft: Draft, spooled: readonly string[], server: RequestServer): OwnRequest {
    const { home, clock } = this.#options;
    try {
      return publishRequest(home, draft, spooled, server, clock);
    } catch (error) {
      unspool(home, spooled);
      throw error;
    }
  }

  #ownDecision(request: Request, decision: ServerDecision, note: string | null): Answer {
    return {
      v: formatVersion,
      id: request.id,
      binding: request.binding,
      decision,
      scope: null,
      note,
      via: "server",
      answeredAt: this.#options.clock.now(),
      by: this.#asker().by,
    };
  }

  #noteWaiting(): void {
    this.#options.asker?.presence.waiting(() => [...this.#own.keys()]);
  }

  #watchOf(directory: string): DirectoryWatch {
    const { clock, asker, startWatch } = this.#options;
    return new DirectoryWatch({
      directory,
      clock,
      isSafe: () => faultOf(this.#options.home) === null,
      isHolding: asker === null,
      ...(startWatch === undefined ? {} : { startWatch }),
      listener: {
        onName: (name) => this.#onName(name),
        onRescan: () => this.#rescan(),
        onRemoved: () => this.#rescan(),
        onTick: () => {
          this.#retryUnreachable();
          if (directory === this.#options.home.pending) this.#options.onTick?.();
        },
      },
    });
  }

  #onName(name: string): void {
    const id = parseAnswerFileName(name) ?? parseRequestFileName(name)?.id ?? receiptId(name);
    // A server is woken for its own requests only; a face for all.
    if (id !== null && (this.#options.asker === null || this.#own.has(id))) this.#tell(id);
  }

  #rescan(): void {
    if (this.#options.asker === null) {
      this.#tell(null);
      return;
    }
    const names = new Set(namesIn(this.#options.home.pending));
    for (const [id, { request }] of [...this.#own]) {
      if (names.has(answerFileName(id)) || !names.has(requestFileName(request))) this.#tell(id);
    }
  }

  #retryUnreachable(): void {
    const ids = [...this.#unreachable];
    this.#unreachable.clear();
    for (const id of ids) this.#tell(id);
  }

  #tell(id: string | null): void {
    for (const listener of [...this.#listeners]) listener(id);
  }
}

/** Why nothing may be taken from or put into the directory as it stands now, or null. */
function faultOf(home: Home): string | null {
  try {
    judgeDirectory(home.path);
    judgeDirectory(home.pending);
    return null;
  } catch (error) {
    return error instanceof WispError ? error.message : String(error);
  }
}

function receiptId(name: string): string | null {
  return name.endsWith(".json") && !name.startsWith(".") ? name.slice(0, -".json".length) : null;
}
