/** One event, and what the face is after it. Pure: time comes with the events. */

import { offersOf } from "../../face/remember-lines.js";
import { isTiny } from "../screen/layout.js";
import { kindOf } from "./blocked.js";
import { boxKey } from "./box.js";
import { withCard, withSeen, withView } from "./card.js";
import { withoutConfirming } from "./confirming.js";
import { decided } from "./deciding.js";
import { done } from "./doing.js";
import { withEnding, withLateEnding, withSilence } from "./endings.js";
import type { Event, Key } from "./event.js";
import { hurried, isQuiet, isStanding, withCardAt, withDrawn, withKeyAt, withTypedAt } from "./grace.js";
import { isInterrupt, meaningOf, type Scrolling } from "./keys.js";
import { emptyLine, withText } from "./line.js";
import { approvalOf, hasText, type Model, type ShownForm, type Stepped, still } from "./model.js";
import { withInbox, withLate, withoutRequest } from "./news.js";
import { advised, withoutOld, withoutStale } from "./notices.js";
import { promptKey, promptPaste } from "./prompt.js";
import { formShown } from "./remembering.js";
import { numberPressed } from "./replying.js";
import { scrolled } from "./scrolling.js";

/** The model after `event`, and what the shell is to do. */
export function step(model: Model, event: Event): Stepped {
  const { model: next, effects } = applied(withoutOld(model, event.at), event);
  // What has left is told of before what waits now: of several that leave at once only one was before the person's eyes.
  const carded = withCard(next, event.at, event.kind !== "left");
  // What a page or a window without room had covered appears when it is gone.
  const isBack = isCovered(model) && !isCovered(carded.model);
  const appeared =
    isBack || isOtherRule(model, carded.model) ? withCardAt(carded.model, event.at) : carded.model;
  const begunAt = event.kind === "key" ? event.since : event.at;
  const begun =
    typedText(model) === "" && typedText(appeared) !== "" ? withTypedAt(appeared, begunAt) : appeared;
  const counted = hasText(begun) || begun.unopened === 0 ? begun : { ...begun, unopened: 0 };
  const spoken = isListening(counted) ? { ...counted, box: emptyLine } : counted;
  return { model: withoutStale(model, withSeen(spoken)), effects: [...effects, ...carded.effects] };
}

function applied(model: Model, event: Event): Stepped {
  const { at } = event;
  switch (event.kind) {
    case "key":
      return pressed(model, event.key, at, event.since);
    case "noise":
      return still(withKeyAt(model, at));
    case "drawn":
      return still(withDrawn(model, event.until, at));
    case "pasted":
      return still(pasted(withKeyAt(model, at), event.text, at));
    case "resized":
      return still(withCardAt({ ...withRuleUnseen(model), size: event.size }, at));
    case "focused":
      return still(withCardAt(model, at));
    case "inbox":
      return withInbox(model, event);
    case "left":
      return still(withoutRequest(model, event, at));
    case "looked":
      return still(withView(model, event.id, event.view, at));
    case "late":
      return withLate(model, event.requests, at);
    case "history":
      return still({ ...model, history: event.entries });
    case "answered":
      return still(withEnding(model, event));
    case "answered-late":
      return {
        model: withLateEnding(model, event),
        effects: model.late === null ? [] : [{ kind: "load-late" }],
      };
    case "silent":
      return still(withSilence(model, event.id, at));
    case "tick":
      return still({ ...model, now: event.now });
    default:
      return event satisfies never;
  }
}

/** Every key begins the quiet anew, whatever it does; what it may do depends on the quiet before it. */
function pressed(model: Model, key: Key, at: number, since: number): Stepped {
  const quiet = { ...model.quiet, since };
  const heard = withKeyAt(model, at);
  if (isInterrupt(key)) return { model: heard, effects: [{ kind: "quit" }] };
  if (heard.box !== null) return boxKey(heard, heard.box, key, quiet, at);
  if (heard.prompt !== null) return promptKey(heard, heard.prompt, key, quiet, at);
  return command(heard, key, quiet, at);
}

function command(model: Model, key: Key, quiet: Model["quiet"], at: number): Stepped {
  const meaning = meaningOf(key);
  const confirming = model.card?.confirming ?? null;
  const isSameAgain = meaning?.kind === "decides" && meaning.key === confirming;
  const form = model.card?.form ?? null;
  const isWithinRule = form !== null && (meaning?.kind === "scrolls" || meaning?.kind === "chooses");
  const unasked = isSameAgain || isWithinRule ? model : withoutConfirming(model);
  switch (meaning?.kind) {
    case "decides":
      // The rule covers the text, and what is covered is not what anybody answers.
      if (form !== null && meaning.key !== "p" && meaning.key !== "a") {
        return still(advised(unasked, "Nothing is remembered, and nothing answered.", at));
      }
      // What is covered is not what anybody answers.
      if (isCovered(unasked) || unasked.card === null) return still(unasked);
      if (!isQuiet(quiet, at)) return still(hurried(unasked, at));
      return decided(withoutConfirming(unasked), unasked.card, meaning.key, confirming, at);
    case "chooses":
      if (isCovered(unasked) || unasked.card === null) return still(unasked);
      if (form !== null) return still(formShown(unasked, meaning.number - 1, at));
      if (kindOf(unasked.card.entry) !== "question") return still(unasked);
      if (!isStanding(quiet, at)) return still(hurried(unasked, at));
      return still(numberPressed(unasked, unasked.card, meaning.number, at));
    case "scrolls":
      return still(
        form === null ? scrolled(unasked, meaning.by) : ruleScrolled(unasked, form, meaning.by, at),
      );
    case "does":
      return done(unasked, meaning.what);
    case undefined:
      return still(unasked);
    default:
      return meaning satisfies never;
  }
}

/** Up and down go to the other forms where there are any; everything else scrolls the one that is shown. */
function ruleScrolled(model: Model, { index }: ShownForm, by: Scrolling, at: number): Model {
  const approval = model.card === null ? null : approvalOf(model.card.entry);
  const count = approval === null ? 0 : offersOf(approval).length;
  if (count < 2 || (by !== "up" && by !== "down")) return scrolled(model, by);
  return formShown(model, (index + (by === "down" ? 1 : count - 1)) % count, at);
}

/** Does another rule, or the text again, stand where something else stood? */
function isOtherRule(before: Model, after: Model): boolean {
  const [one, other] = [before.card, after.card];
  if (one === null || other === null) return false;
  const isRule = one.form !== null || other.form !== null;
  return isRule && (one.form?.index !== other.form?.index || one.confirming !== other.confirming);
}

function pasted(model: Model, text: string, at: number): Model {
  if (model.box !== null) return { ...model, box: withText(model.box, text, true) };
  return model.prompt === null ? model : promptPaste(model, model.prompt, text, at);
}

/** In rows of another length it is read anew. */
function withRuleUnseen(model: Model): Model {
  const { card } = model;
  if (card === null || card.form === null) return model;
  return { ...model, card: { ...card, form: { ...card.form, scroll: 0, seen: 0, isSeen: false } } };
}

function typedText({ box, prompt }: Model): string {
  return box?.text ?? prompt?.line.text ?? "";
}

/** What is read line by line is answered in words: without another text, the input box takes them. */
function isListening({ isLinear, box, prompt }: Model): boolean {
  return isLinear && box === null && prompt === null;
}

function isCovered({ page, size }: Model): boolean {
  return page !== null || isTiny(size);
}
