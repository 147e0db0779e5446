/** Answers to what is named: by a command of the input box, or in words. A yes is to what is on the screen. */
import { isWider, type Request, type Scope } from "../../broker/index.js";
import { type KeepScope, narrowestScope } from "../../face/fact-scope.js";
import { type Reach, reachOf } from "../../face/remember.js";
import type { WideScope } from "../../face/remember-lines.js";
import { isTiny } from "../screen/layout.js";
import { blockOfAny, blockOfSession, blockOfYes } from "./blocked.js";
import { withCard } from "./card.js";
import { askedWhole } from "./confirming.js";
import { rowKeyOf } from "./flood.js";
import { givenDropForGood, givenKeep, givenNo } from "./giving.js";
import { isSettled, unsettled } from "./grace.js";
import {
  approvalOf,
  type Model,
  type OpenCard,
  type Quiet,
  requestOf,
  type Single,
  type Stepped,
  still,
} from "./model.js";
import { advised, hinted } from "./notices.js";
import { selected, withQueue } from "./queue.js";
import { lateReach, remembered, wideKeys } from "./remembering.js";
import { waysText } from "./replies.js";
import { textAsked } from "./replying.js";
import { approved } from "./word.js";

/** A yes by name is a yes to what is on the screen, read to its end; anything else only opens it. */
export function approvedByName(
  model: Model,
  entry: Single,
  { scope: wanted, form }: NamedYes,
  quiet: Quiet,
  at: number,
): Stepped {
  return yesByName(model, entry, quiet, at, (left, card) => {
    const approval = approvalOf(entry);
    if (approval === null) return still(left);
    if (isWider(wanted)) return rememberedByName(left, card, wanted, (form ?? 1) - 1, at);
    const reach = entry.kind === "late" ? lateReachOf(wanted) : reachOf(approval, wanted);
    if (reach.kind === "not offered") {
      return still(hinted(left, `${approval.id} does not offer the scope ${wanted ?? "once"}.`, at));
    }
    // The narrowest can be one that remembers a rule.
    if (reach.kind === "wide") return rememberedByName(left, card, reach.scope, 0, at);
    const unread = reach.scope === "session" ? blockOfSession(card) : null;
    if (unread !== null) return still(hinted(left, unread, at));
    return approved(left, card, { decision: "approve", scope: reach.scope, note: null }, at);
  });
}

/** What was named; null stands for the narrowest scope. */
export interface NamedYes {
  readonly scope: Scope | null;
  /** Which of the offered rules a wider yes remembers, from 1; null for exactly this call. */
  readonly form: number | null;
}

/** Shows the rule, which the key remembers, or where words answer the same said once more. */
function rememberedByName(left: Model, card: OpenCard, scope: WideScope, index: number, at: number): Stepped {
  const key = wideKeys[scope];
  const isSame = card.confirming === key && (card.form === null || card.form.index === index);
  return remembered(left, card, key, { index, isAgain: left.isLinear && isSame }, at);
}

function lateReachOf(wanted: Scope | null): Reach {
  return wanted === null || wanted === "once"
    ? { kind: "narrow", scope: "once", downgradedFrom: null }
    : lateReach;
}

/**
 * The same for a fact, whose scope says by its own word how far it is kept; null for the narrower one. Everywhere is said
 * first, and kept by the key `a`, or where words answer by the same once more.
 */
export function keptByName(
  model: Model,
  entry: Single,
  wanted: KeepScope | null,
  quiet: Quiet,
  at: number,
): Stepped {
  return yesByName(model, entry, quiet, at, (left, card) => {
    const request = requestOf(entry);
    if (request?.kind !== "fact") return still(left);
    if (wanted === "always" && !(left.isLinear && card.confirming === "a")) {
      return still(askedWhole(left, "a", "What that means", at));
    }
    if (wanted === "project" && request.fact.directory === null) {
      const text = `${request.id} names no directory: it is kept everywhere (global), or dropped.`;
      return still(hinted(left, text, at));
    }
    return givenKeep(left, entry, wanted ?? narrowestScope(request.fact));
  });
}

/** Opens a question and says how it is answered; where it takes nothing but a text, opens the box for that. */
export function answerAsked(model: Model, entry: Single, at: number): Stepped {
  const request = requestOf(entry);
  const left = { ...model, box: null };
  if (request?.kind !== "question") return still(left);
  // The box is about what is open, and would go with the card of another.
  const { model: shown, effects } =
    openCard(left, entry) === null ? withCard(opened(left, entry), at, true) : still(left);
  const card = openCard(shown, entry);
  const isTyped = card !== null && request.question.options === null && !model.isLinear;
  const asked = isTyped
    ? textAsked(shown, card, request, at)
    : advised(shown, `To answer ${request.id}: ${waysText(request, model)}.`, at);
  return { model: asked, effects };
}

/** A no needs nothing to be read: denies, drops, declines. */
export function deniedByName(model: Model, entry: Single, note: string | null, at: number): Stepped {
  const left = { ...model, box: null };
  const block = blockOfAny(model, { entry });
  return block === null ? givenNo(left, [entry], note) : still(hinted(left, block, at));
}

/** The same for a fact that nobody may ask for again. */
export function droppedForGood(model: Model, entry: Single, at: number): Stepped {
  const left = { ...model, box: null };
  const block = blockOfAny(model, { entry });
  return block === null ? givenDropForGood(left, entry) : still(hinted(left, block, at));
}

/** Says yes by `give`, where `entry` is open, stood there before it was named, and nothing speaks against it. */
function yesByName(
  model: Model,
  entry: Single,
  quiet: Quiet,
  at: number,
  give: (left: Model, card: OpenCard) => Stepped,
): Stepped {
  const left = { ...model, box: null };
  const card = openCard(model, entry);
  if (card === null) return still(toRead(left, entry, at));
  // Whoever typed this had the card before their eyes as it was then.
  if (!isSettled(quiet, at)) return still(unsettled(model, quiet, at));
  const block = blockOfYes(model, card);
  return block === null ? give(left, card) : still(hinted(left, block, at));
}

/** The card of `entry` where it is before the person's eyes, else null. */
function openCard({ card, page, size }: Model, entry: Single): OpenCard | null {
  const isVisible = card !== null && page === null && !isTiny(size);
  return isVisible && requestOf(card.entry)?.id === requestOf(entry)?.id ? card : null;
}

function toRead(model: Model, entry: Single, at: number): Model {
  return advised(opened(model, entry), `${requestOf(entry)?.id ?? ""} is open: read it, then answer it.`, at);
}

/** With the row of `entry` selected, which a filter or a row for many may have hidden. */
function opened(model: Model, entry: Single): Model {
  const request: Request | null = requestOf(entry);
  if (request === null) return model;
  const shown = { ...model, page: null };
  const there = selected(shown, request.id);
  if (there.queue.entries[there.queue.selected]?.key === entry.key) return there;
  const listed = new Set([...model.queue.listed, rowKeyOf(request)]);
  return selected(withQueue(shown, { filter: "", listed }), request.id);
}
