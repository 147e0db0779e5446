/** What became of an answer of this process, where the receipt alone does not say. */
import { type Answer, type AnswerEnding, answerHash, type Home, type Request } from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import type { Seat } from "./seat.js";

/**
 * `ending`, unless it says that a fact was kept or dropped, by a receipt that nobody proved, and the store does not: anybody
 * can write such a receipt and remove the request. Rejects with channel_unsafe, channel_unavailable.
 */
export async function asCarriedOut(
  ending: AnswerEnding,
  { kind, id }: Pick<Request, "kind" | "id">,
  answer: Answer,
  home: Home,
  seat: Pick<Seat, "clock">,
  via: FaceVia,
): Promise<AnswerEnding> {
  if (kind !== "fact" || ending.kind !== "won" || ending.isVerified) return ending;
  if (ending.receipt.outcome !== "answered") return ending;
  // Seals take longer to load than a verb to run, and were loaded to carry it out.
  const { isCarriedOut } = await import("./left-facts.js");
  return isCarriedOut(id, answerHash(answer), home, seat, via) ? ending : { kind: "gone" };
}
