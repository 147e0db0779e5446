/** Whether a fact must be asked about: what is kept, dropped, or waits already, in this process or by the word of the channel. */
import type { Channel } from "../channel/channel.js";
import { type FactStore, type FactWords, holdsIn, type KeptFact } from "../facts/fact-store.js";
import { bindingOf } from "../request/binding.js";
import type { FactRequest, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { nameOfClient } from "./call.js";
import type { FactAsk, FactAsked } from "./fact-keeper.js";

/** Of one caller so many facts wait at most: what nobody reads is not worth asking. */
const mostWaitingFacts = 20;
/** And so many of all callers together: one can call itself by any name. */
const mostInHome = 100;

/** Where is looked. */
interface FactSight {
  readonly channel: Channel;
  readonly facts: FactStore;
  readonly clock: Clock;
  readonly server: RequestServer;
}

/** What is known of an ask before a person is asked. `kept` holds where it was asked, oldest first. */
type FactKnown =
  | Extract<FactAsked, { kind: "kept" | "dropped" | "too many" }>
  | { readonly kind: "waits"; readonly request: FactRequest }
  | { readonly kind: "new"; readonly kept: readonly KeptFact[] };

/** Two asks in which this is the same are one; where it was read does not matter. */
function keyOfFact(words: FactWords, client: FactAsk["client"], thread: string | null): string {
  const { subject, name, value, directory } = words;
  return JSON.stringify([subject, name, value, directory, nameOfClient(client), thread]);
}

/**
 * Looks through what is kept and what waits. `own` is what this process waits for, by its own memory. Throws
 * channel_unsafe, channel_unavailable.
 */
export function knownOf(ask: FactAsk, own: readonly FactRequest[], sight: FactSight): FactKnown {
  const { channel, facts, clock, server } = sight;
  const { words, client, thread } = ask;
  const kept = facts.list().kept.filter((fact) => holdsIn(fact, words.directory));
  const same = kept.find((fact) => isSame(fact, words));
  if (same !== undefined) return { kind: "kept", fact: same };
  const against = facts.dropAgainst({ words, by: { client, thread, session: server.instance } });
  if (against !== null) {
    return { kind: "dropped", at: against.droppedBy.at, isForGood: against.isForGood };
  }
  const mine = new Set(own.map((request) => request.id));
  const others = channel.pending().requests.filter((request): request is FactRequest => {
    return request.kind === "fact" && !mine.has(request.id) && isWaiting(request, channel, clock);
  });
  const key = keyOfFact(words, client, thread);
  const there = [...own, ...others].find((one) => keyOfFact(one.fact, one.client, one.thread) === key);
  if (there !== undefined) return { kind: "waits", request: there };
  // What this process asked counts for it under every name that its client gives.
  const waiting =
    own.length + others.filter((one) => nameOfClient(one.client) === nameOfClient(client)).length;
  if (waiting >= mostWaitingFacts) return { kind: "too many", waiting, isOwn: true };
  const all = own.length + others.length;
  return all < mostInHome ? { kind: "new", kept } : { kind: "too many", waiting: all, isOwn: false };
}

function isSame(one: FactWords, other: FactWords): boolean {
  return one.subject === other.subject && one.name === other.name && one.value === other.value;
}

/** One that was changed, that has ended, or whose time is over gets no answer any more. */
function isWaiting(request: FactRequest, channel: Channel, clock: Clock): boolean {
  const isOver = request.expiresAt !== null && request.expiresAt <= clock.now();
  return !isOver && bindingOf(request) === request.binding && channel.receipt(request.id) === null;
}
