/**
 * A fact whose server is gone: it waits for the person all the same, so whoever sweeps minds its slot and its time. A
 * decision that stands there is handed to whoever can carry it out.
 */
import type { Answer } from "../request/answer.js";
import type { Shortfall } from "../request/assurance.js";
import { answerHash, isReceiptVerified } from "../request/binding.js";
import type { FactRequest } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Ending } from "./channel.js";
import type { Home } from "./home.js";
import { isUnaltered } from "./listing.js";
import { publishOwnReceipt, publishReceipt, readReceipt, unprovedReceipt } from "./receipts.js";
import { publishRefusal, rejectSlot } from "./rejected.js";
import { clearFiles, objectionInSlot, readSlot } from "./slot.js";

/**
 * Called with a decision that may decide; it is carried out later, and looked for again with each sweep. With null where
 * nothing stands in the slot and a receipt that proves nothing lies there: it may be carried out already.
 */
export type OnDecidedFact = (request: FactRequest, answer: Answer | null) => void;

/** What a sweep did about one such fact. */
export type SweptFact = "timed out" | "altered" | "answer not taken";

/** Nobody else's decision counts for a server: what says that it is one is moved away like any junk. */
const noClaims: ReadonlySet<string> = new Set();

/**
 * What is to be done about `request`; null for nothing. `hasReceipt`: one that proves nothing lies beside it, and alone
 * decides nothing. Throws channel_unsafe, channel_unavailable.
 */
export function sweepFact(
  home: Home,
  request: FactRequest,
  clock: Clock,
  onDecidedFact: OnDecidedFact,
  hasReceipt: boolean,
): SweptFact | null {
  // Nobody can say any more what was asked, and so nobody can answer it.
  if (!isUnaltered(request)) return end(home, request, "failed", clock) ? "altered" : null;
  const slot = readSlot(home, request.id);
  switch (slot.kind) {
    case "unreachable":
      return null;
    case "free": {
      // By the clock on the wall: the one by which it was filed is gone.
      const isOver = request.expiresAt !== null && request.expiresAt <= clock.now();
      if (isOver) return end(home, request, "timed_out", clock) ? "timed out" : null;
      if (hasReceipt) onDecidedFact(request, null);
      return null;
    }
    case "junk":
      return rejectSlot(home, request.id, slot.stats).kind === "changed" ? null : "answer not taken";
    case "answer":
      if (objectionInSlot(slot.answer, request, noClaims) === null) {
        onDecidedFact(request, slot.answer);
        return null;
      }
      return rejectSlot(home, request.id, slot.stats).kind === "changed" ? null : "answer not taken";
    default:
      return slot satisfies never;
  }
}

/** The channel, for whoever carries such a decision out; `LeftPlace` says what each does. */
export function leftPlaceIn(home: Home, clock: Clock) {
  return {
    holds: (answer: Answer): boolean => found(home, answer) !== null,
    settle(request: FactRequest, ending: Ending): void {
      // What somebody else says of it, and the store does not, would be told to its face.
      const receipt = readReceipt(home, request.id);
      const isForged =
        receipt !== null &&
        !isReceiptVerified(receipt, request) &&
        (receipt.answer !== (ending.taken?.hash ?? null) || receipt.outcome !== ending.outcome);
      if (isForged) publishOwnReceipt(home, unprovedReceipt(request, ending, clock.now()), clock);
      settle(home, request, ending, clock);
    },
    clear: (request: FactRequest): void => clearFiles(home, request),
    reject(answer: Answer, shortfall: Shortfall | null): string | null {
      const slot = found(home, answer);
      if (slot === null) return null;
      // Its face looks for the reason as soon as the slot is clear.
      if (shortfall !== null) publishRefusal(home, answer, shortfall, clock);
      const rejection = rejectSlot(home, answer.id, slot.stats);
      return rejection.kind === "moved" ? rejection.to : null;
    },
  };
}

/** The slot, where `answer` still stands in it. */
function found(home: Home, answer: Answer) {
  const slot = readSlot(home, answer.id);
  return slot.kind === "answer" && answerHash(slot.answer) === answerHash(answer) ? slot : null;
}

/** Says how `request` ended, unless somebody did, and clears it away. Throws channel_unsafe, channel_unavailable. */
function settle(home: Home, request: FactRequest, ending: Ending, clock: Clock): boolean {
  const isOurs = publishReceipt(home, unprovedReceipt(request, ending, clock.now()), clock);
  clearFiles(home, request);
  return isOurs;
}

function end(home: Home, request: FactRequest, outcome: "failed" | "timed_out", clock: Clock): boolean {
  return settle(home, request, { outcome, taken: null, ran: false }, clock);
}
