/**
 * The keeper of facts of one connection. Invariants: a request is settled exactly once; what a person said is in the
 * audit log and in the store, on disk, before its receipt says so; nothing that ends the connection ends a request.
 */
import type { AuditLog } from "../audit/audit-log.js";
import type { Channel, News, Taken } from "../channel/channel.js";
import type { FactStore, FactWords, KeptFact } from "../facts/fact-store.js";
import { bindingOf } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { outcomeOf, outcomes, type ReceiptOutcome } from "../request/outcome.js";
import type { FactRequest, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { applyFact } from "./apply-fact.js";
import { createDeadlines } from "./deadlines.js";
import { createTracking } from "./ending.js";
import type { FactAsk, FactAsked, FactKeeper } from "./fact-keeper.js";
import { factRequestedEvent, factSettledEvent } from "./fact-record.js";
import { createFactStandings, endIn } from "./fact-standings.js";
import { knownOf } from "./fact-waiting.js";
import { writerInto } from "./journal.js";
import { createListening } from "./listening.js";
import type { Notices } from "./notices.js";
import { oneLine, reasonOf } from "./reason.js";

/** What a keeper is made of: where it asks, where it keeps, and where it writes that down. */
export interface FactKeeperParts {
  /** Where requests are filed, for this process's own use; null where only the client's dialog may ask. */
  readonly channel: Channel | null;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly server: RequestServer;
  readonly facts: FactStore;
  /** Which of those that hold there are like what is asked, to be shown beside it. */
  readonly similar: (words: FactWords, kept: readonly KeptFact[]) => FactRequest["fact"]["similar"];
  /** How many days a request waits; read anew for each. */
  readonly keepDays: number;
  readonly notices: Pick<Notices, "waits" | "settled">;
}

/** A request of this process that waits. */
interface FactWait {
  readonly request: FactRequest;
  readonly keepDays: number;
  /** Why it could not be written down that it was asked; null when it could. */
  readonly noted: Promise<string | null>;
  /** Something may have happened to it in the channel. */
  look(): void;
}

const dayMs = 86_400_000;

/** Touches nothing, in the channel, the store or the audit log, before the first ask. */
export function createFactKeeper(parts: FactKeeperParts): FactKeeper {
  const { channel } = parts;
  return channel === null ? nowhere : new Keeper({ ...parts, channel });
}

const nowhere: FactKeeper = {
  async ask() {
    return { kind: "failed", why: "asking outside the client's dialog is switched off (approval.outOfBand)" };
  },
  standings: () => [],
  close: async () => undefined,
};

class Keeper implements FactKeeper {
  readonly #parts: FactKeeperParts & { readonly channel: Channel };
  readonly #write;
  readonly #waits = new Map<string, FactWait>();
  readonly #deadlines;
  readonly #standings;
  readonly #tracking = createTracking();
  readonly #listening;
  #isClosed = false;

  constructor(parts: FactKeeperParts & { readonly channel: Channel }) {
    this.#parts = parts;
    const { channel, audit, clock, facts } = parts;
    this.#write = writerInto(audit);
    this.#deadlines = createDeadlines<FactWait>(clock, (wait) =>
      this.#withdraw(wait, "timed_out", `nobody decided within ${wait.keepDays} days`),
    );
    this.#listening = createListening<FactWait>(channel);
    this.#standings = createFactStandings(channel, facts, (id) => this.#waits.has(id));
  }

  async ask(ask: FactAsk): Promise<FactAsked> {
    if (this.#isClosed) return { kind: "failed", why: "the server is stopping" };
    try {
      return await this.#askNow(ask);
    } catch (error) {
      if (!isChannelFault(error)) throw error;
      return { kind: "failed", why: oneLine(reasonOf(error)) };
    }
  }

  standings() {
    return this.#standings.list();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listening.stop();
    // Its timers would end what is to go on waiting.
    for (const wait of this.#waits.values()) this.#deadlines.remove(wait);
    await this.#tracking.settled();
  }

  /** Everything up to the first wait is one step: of identical asks at one instant one is filed and the others join. */
  async #askNow(ask: FactAsk): Promise<FactAsked> {
    const own = [...this.#waits.values()].map(({ request }) => request);
    const known = knownOf(ask, own, this.#parts);
    switch (known.kind) {
      case "kept":
      case "dropped":
      case "too many":
        return known;
      case "waits": {
        const altered = this.#altered(known.request);
        if (altered === null) return await this.#join(known.request);
        await this.#endAltered(altered);
        return await this.#askNow(ask);
      }
      case "new":
        return await this.#file(ask, known.kept);
      default:
        return known satisfies never;
    }
  }

  /** Nobody can answer what was changed after it was filed: whoever asks for the same again must not wait for it. */
  #altered({ id, binding }: FactRequest): FactWait | null {
    const wait = this.#waits.get(id);
    if (wait === undefined) return null;
    const filed = this.#parts.channel.pending().requests.find((request) => request.id === id);
    return filed !== undefined && bindingOf(filed) !== binding ? wait : null;
  }

  async #endAltered(wait: FactWait): Promise<void> {
    this.#withdraw(wait, "failed", "the request was changed after it was filed");
    // Until it is cleared away it may look like one of another server.
    await this.#tracking.settled();
  }

  async #join(request: FactRequest): Promise<FactAsked> {
    this.#standings.add(request);
    const fault = (await this.#waits.get(request.id)?.noted) ?? null;
    if (fault !== null) return { kind: "failed", why: fault };
    await this.#write([factRequestedEvent(request, true)], "plain");
    return { kind: "waits", request, isJoined: true };
  }

  async #file({ words, client, caller, thread }: FactAsk, kept: readonly KeptFact[]): Promise<FactAsked> {
    const { channel, clock, similar, keepDays, notices } = this.#parts;
    const { subject, name, value, source, directory } = words;
    const fact = { subject, name, value, source, directory, similar: similar(words, kept) };
    const expiresAt = clock.now() + keepDays * dayMs;
    const draft = { kind: "fact", expiresAt, says: null, client, caller, thread, fact } as const;
    // A channel files the kind it is given.
    const request = channel.file(draft, []) as FactRequest;
    const noted = this.#write([factRequestedEvent(request, false)], "plain");
    const wait: FactWait = { request, keepDays, noted, look: () => this.#look(wait) };
    this.#waits.set(request.id, wait);
    this.#standings.add(request);
    this.#deadlines.add(wait, keepDays * dayMs);
    this.#listening.add(request.id, wait);
    const fault = await wait.noted;
    if (fault === null) {
      // Somebody may have answered it, or the connection ended, while that was written.
      if (this.#waits.has(request.id) && !this.#isClosed) {
        notices.waits(request, { filed: true, dialog: false, toldMsAgo: null });
      }
      return { kind: "waits", request, isJoined: false };
    }
    // Nobody is asked what could not be written down.
    this.#withdraw(wait, "failed", fault);
    return { kind: "failed", why: fault };
  }

  #look(wait: FactWait): void {
    if (this.#isClosed) return;
    const news = this.#take(wait);
    if (news === null) return;
    if (news.kind === "answer") this.#end(wait, news.taken);
    else this.#withdraw(wait, "failed", oneLine(news.why));
  }

  #take({ request }: FactWait): News | null {
    try {
      return this.#parts.channel.take(request.id);
    } catch (error) {
      return { kind: "broken", why: reasonOf(error) };
    }
  }

  #withdraw(wait: FactWait, decision: "timed_out" | "failed", note: string): void {
    if (!this.#waits.has(wait.request.id)) return;
    this.#end(wait, this.#parts.channel.withdraw(wait.request.id, decision, note));
  }

  #end(wait: FactWait, taken: Taken): void {
    if (!this.#waits.delete(wait.request.id)) return;
    this.#listening.remove(wait.request.id);
    this.#deadlines.remove(wait);
    this.#tracking.track(this.#settle(wait, taken));
  }

  async #settle({ request }: FactWait, taken: Taken): Promise<void> {
    const { channel, clock, notices } = this.#parts;
    const banner = notices.settled(request.id).word;
    const { decision } = taken.answer;
    const isServers = taken.answer.via === "server";
    const fault = isServers ? null : await applyFact(request, taken, false, this.#applying);
    const outcome: ReceiptOutcome = fault === null ? endOf(taken) : "failed";
    const ending = { outcome, taken, ran: false };
    this.#standings.end(request.id, endIn({ outcome, decision }));
    const why = fault ?? (isServers ? (taken.answer.note ?? null) : null);
    const settled = { ending, banner, why: why === null ? null : oneLine(why) };
    await this.#write([factSettledEvent(request, settled, clock.now())], "plain");
    try {
      channel.settle(request.id, ending);
    } catch (error) {
      // It is kept or dropped all the same, and cleared away; only its face is not told.
      const unpublished = { ...settled, why: oneLine(reasonOf(error)) };
      await this.#write([factSettledEvent(request, unpublished, clock.now())], "plain");
    }
  }

  get #applying() {
    const { facts, clock, server } = this.#parts;
    return { write: this.#write, facts, clock, session: server.instance };
  }
}

function endOf({ answer }: Taken): ReceiptOutcome {
  return outcomes[outcomeOf(answer)].receipt;
}

/** These mean that nobody can be asked; everything else is wrong with the request itself. */
function isChannelFault(error: unknown): boolean {
  return (
    error instanceof WispError && (error.code === "channel_unsafe" || error.code === "channel_unavailable")
  );
}
