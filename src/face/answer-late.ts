/** A person's yes or no to a request that has ended: nobody waits for it, so no server looks at whoever answers. */
import {
  approveLate,
  denyLate,
  type LateNo,
  type LateRequest,
  shownText,
  type Testimony,
} from "../broker/index.js";
import { answerOf, type FaceVia } from "./answer.js";
import type { KeptParts } from "./kept.js";
import type { LateEnding } from "./late-box.js";
import { effectText } from "./late-texts.js";
import type { Seat } from "./seat.js";

/** What a late answer is given with. */
export interface LateAnswering {
  readonly kept: KeptParts;
  readonly via: FaceVia;
  readonly seat: Seat;
}

/** What becomes of a late yes. */
export type LateYesEnding = Exclude<LateEnding, { kind: "denied" }>;

/**
 * Says yes once as this process, after `look` has looked at it. A TypeError for what takes no yes (`lateObjection`).
 * Rejects with audit_unavailable, channel_unsafe, channel_unavailable.
 */
export async function giveLateYes(
  late: LateRequest,
  note: string | null,
  look: () => Testimony,
  { kept, via, seat }: LateAnswering,
): Promise<LateYesEnding> {
  const testimony = look();
  if (testimony.shortfall !== null) {
    await noteRefused(late, testimony, testimony.shortfall, kept);
    return { kind: "insufficient", shortfall: testimony.shortfall };
  }
  const answer = answerOf(late.request, { decision: "approve", scope: "once", note }, via, seat);
  const ending = await approveLate(late, answer, testimony, kept);
  if (ending.kind !== "kept") return ending;
  const effect = shownText(effectText(late, kept.moment()));
  return { kind: "kept", effect, verified: testimony.verified };
}

/** Says no as this process, which nobody looks at for that. Rejects as above. */
export async function giveLateNo(
  late: LateRequest,
  note: string | null,
  { kept, via, seat }: LateAnswering,
): Promise<LateNo> {
  const answer = answerOf(late.request, { decision: "deny", scope: null, note }, via, seat);
  return await denyLate(late, answer, kept);
}

/** Nothing comes of it, written down or not. */
async function noteRefused(
  { request }: LateRequest,
  { seen }: Testimony,
  shortfall: NonNullable<Testimony["shortfall"]>,
  { audit }: KeptParts,
): Promise<void> {
  const details = { reason: `assurance_insufficient: ${shortfall}`, movedTo: null };
  await audit
    .append([{ kind: "answer.refused", call: request.id, verified: seen, details }], "plain")
    .catch(() => {});
}
