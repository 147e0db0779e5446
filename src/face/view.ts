/** What a verb shows of one request, and whether it may be approved at all. */
import { type Home, isUnaltered, keepsNoAnswers, notTakenIn, type Request } from "../broker/index.js";
import { type Card, cardOf, type LateFacts } from "./card.js";
import { detachedIds } from "./detached.js";
import { hereText } from "./here.js";
import type { Seat } from "./seat.js";
import { type WholeTexts, wholeTextsOf } from "./whole-texts.js";

/** What a verb needs in order to show a request, or to refuse to answer it. */
export interface View {
  readonly card: Card;
  /** Why it takes no yes, or null. */
  readonly objection: Objection | null;
}

/** Completes "It cannot be approved: …", or kept, or answered: what is on the screen may not be what was filed. */
export type Objection =
  /** It differs from what its server filed. */
  | "the request was changed after it was filed"
  /** What cannot be shown whole cannot be approved. */
  | "the whole text of what runs is missing";

/**
 * Looks at the request, its spooled texts, the refused answers to it, and what an answer from `seat` would be. With
 * `late` it has ended, and `here` says what an answer would be.
 */
export function viewOf(
  request: Request,
  home: Home,
  seat: Seat,
  late: (LateFacts & { readonly here: string }) | null = null,
): View {
  const texts: WholeTexts | null = request.kind === "approval" ? wholeTextsOf(request, home) : null;
  const { ids, refusals } = notTakenIn(home);
  const card = cardOf(request, {
    texts,
    home: home.isDefault ? null : home.path,
    now: seat.clock.now(),
    rejected: ids.filter((id) => id === request.id).length,
    shortfalls: refusals.filter(({ id }) => id === request.id).map(({ shortfall }) => shortfall),
    isDetached: late === null && detachedIds([request], home).length > 0,
    keepsNone: keepsNoAnswers(home.path),
    late,
    // A fact is kept, and a question answered, by what approves: a person at a terminal of their own.
    here: late?.here ?? hereText(request.kind === "approval" ? request.assurance : "terminal", seat),
  });
  return { card, objection: objectionTo(request, texts) };
}

/** Why `request` cannot be approved as it would be shown, or null; `texts` is null where an approval's are missing. */
export function objectionTo(request: Request, texts: WholeTexts | null): Objection | null {
  if (!isUnaltered(request)) return "the request was changed after it was filed";
  return request.kind === "approval" && texts === null ? "the whole text of what runs is missing" : null;
}
