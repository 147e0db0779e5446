/** What a verb shows of one request, and whether it may be approved at all. */
import { type Home, isUnaltered, type Request, rejectedIds } from "../broker/index.js";
import { type Card, cardOf } from "./card.js";
import { hereText } from "./here.js";
import type { Terminal } from "./terminal.js";
import { type WholeTexts, wholeTextsOf } from "./whole-texts.js";

/** What a verb needs in order to show a request, or to refuse to answer it. */
export interface View {
  readonly card: Card;
  /** Why it cannot be approved, or null. */
  readonly objection: Objection | null;
}

/** Completes "It cannot be approved: …": what is on the screen may not be what would run. */
export type Objection =
  /** It differs from what its server filed. */
  | "the request was changed after it was filed"
  /** What cannot be shown whole cannot be approved. */
  | "the whole text of what runs is missing";

/** Looks at the request, its spooled texts, the refused answers to it, and what an answer from `terminal` would be. */
export function viewOf(request: Request, home: Home, terminal: Terminal): View {
  const texts: WholeTexts | null = request.kind === "approval" ? wholeTextsOf(request, home) : null;
  const rejected = rejectedIds(home).filter((id) => id === request.id).length;
  const card = cardOf(request, {
    texts,
    home: home.isDefault ? null : home.path,
    now: terminal.clock.now(),
    rejected,
    here: request.kind === "approval" ? hereText(request.assurance, terminal) : null,
  });
  const isMissing = request.kind === "approval" && texts === null;
  const objection = !isUnaltered(request)
    ? "the request was changed after it was filed"
    : isMissing
      ? "the whole text of what runs is missing"
      : null;
  return { card, objection };
}
