/** What became of what one connection asked to keep, also where another process carries it out. */
import type { Channel } from "../channel/channel.js";
import type { FactStore } from "../facts/fact-store.js";
import { isReceiptVerified } from "../request/binding.js";
import { expectWispError } from "../request/errors.js";
import type { Receipt } from "../request/receipt.js";
import type { FactRequest } from "../request/request.js";
import type { FactStanding } from "./fact-keeper.js";
import { putNewest } from "./newest.js";

/** How one ask ended. */
export type FactEnd = Pick<FactStanding, "standing" | "outcome">;

/** The newest asks, in the order in which they came. */
export interface FactStandings {
  /** It was asked now; a second time changes nothing. */
  add(request: FactRequest): void;
  /** It ended, by the word of this process. */
  end(id: string, end: FactEnd): void;
  list(): readonly FactStanding[];
}

/** So many are told. */
const mostTold = 100;

interface Asked {
  readonly request: FactRequest;
  /** Null while it waits, as far as is known. */
  end: FactEnd | null;
}

/** `isOwn`: does this process wait for request `id` itself? Of all others it looks into the channel. */
export function createFactStandings(
  channel: Channel,
  facts: Pick<FactStore, "list">,
  isOwn: (id: string) => boolean,
): FactStandings {
  const asked = new Map<string, Asked>();

  function endOf({ request, end }: Asked): FactEnd | null {
    if (end !== null || isOwn(request.id)) return end;
    try {
      return lookFor(request, channel, facts);
    } catch (error) {
      // What cannot be looked at has not ended.
      expectWispError(error);
      return null;
    }
  }

  return {
    add(request) {
      if (!asked.has(request.id)) putNewest(asked, request.id, { request, end: null }, mostTold);
    },
    end(id, end) {
      const one = asked.get(id);
      if (one !== undefined) one.end = end;
    },
    list() {
      return [...asked.values()].map((one) => {
        one.end = endOf(one);
        const { subject, name, value, source, directory } = one.request.fact;
        const words = { subject, name, value, source, directory };
        return { request: one.request.id, words, ...(one.end ?? { standing: "waits", outcome: null }) };
      });
    },
  };
}

/** Anybody can write a receipt: while the request lies there only one that its server proved says that it ended. */
function lookFor(request: FactRequest, channel: Channel, facts: Pick<FactStore, "list">): FactEnd | null {
  const { id } = request;
  const receipt = channel.receipt(id);
  const isOver = receipt !== null && isReceiptVerified(receipt, request);
  if (!isOver && channel.isThere(id)) return null;
  if (receipt !== null) return endIn(receipt);
  const { kept, dropped } = facts.list();
  if (kept.some((fact) => fact.id === id)) return { standing: "kept", outcome: "answered" };
  if (dropped.some((fact) => fact.id === id)) return { standing: "dropped", outcome: "answered" };
  return { standing: "ended", outcome: null };
}

/** What a receipt says of a fact. */
export function endIn({ outcome, decision }: Pick<Receipt, "outcome" | "decision">): FactEnd {
  if (outcome !== "answered") return { standing: "ended", outcome };
  return { standing: decision === "keep" ? "kept" : "dropped", outcome };
}
