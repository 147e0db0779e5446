/**
 * What the keys do that decide. Invariant: they come here after the grace alone, and nothing is approved whose end was
 * not on the screen, or that speaks against it.
 */
import type { GivenYes } from "../../face/answer.js";
import { reachOf } from "../../face/remember.js";
import { blockOfAny, blockOfSession, blockOfYes, kindOf, noWords } from "./blocked.js";
import { asked } from "./confirming.js";
import { entryOf, givenNo } from "./giving.js";
import { factDecided } from "./keeping.js";
import type { DecidingKey, YesKey } from "./keys.js";
import { emptyLine } from "./line.js";
import {
  approvalOf,
  type Confirming,
  type Model,
  type OpenCard,
  type Single,
  type Stepped,
  still,
} from "./model.js";
import { advised, hinted } from "./notices.js";
import { lateReach, notOfferedText, remembered } from "./remembering.js";
import { questionDecided } from "./replying.js";
import { approved } from "./word.js";

/** `key` on `card`, which is what is on the screen. `confirming` is the key that was to be pressed twice, if any. */
export function decided(
  model: Model,
  card: OpenCard,
  key: DecidingKey,
  confirming: Confirming | null,
  at: number,
): Stepped {
  const { entry } = card;
  if (key === "D") return deniedAll(model, card, confirming, at);
  if (entry.kind === "many") return still(hinted(model, blockOfAny(model, card) ?? "", at));
  if (key === "d" || key === "r") return denied(model, card, entry, key, at);
  const request = entry.kind === "late" ? entry.late.request : entry.request;
  switch (request.kind) {
    case "approval":
      return approvalDecided(model, card, key, confirming, at);
    case "fact":
      return factDecided(model, card, { entry, request }, key, confirming, at);
    case "question":
      return questionDecided(model, card, { entry, request }, key, at);
    default:
      return request satisfies never;
  }
}

function approvalDecided(
  model: Model,
  card: OpenCard,
  key: YesKey,
  confirming: Confirming | null,
  at: number,
): Stepped {
  switch (key) {
    case "y":
      return approvedFor(model, card, "once", at);
    case "s":
      return approvedFor(model, card, "session", at);
    case "n":
      return noteAsked(model, card, at);
    case "o":
      return still(hinted(model, "o answers a question in words; this is none.", at));
    case "p":
    case "a":
      return rememberedBy(model, card, key, confirming === key, at);
    default:
      return key satisfies never;
  }
}

function denied(model: Model, card: OpenCard, entry: Single, key: "d" | "r", at: number): Stepped {
  const block = blockOfAny(model, card);
  if (block !== null) return still(hinted(model, block, at));
  if (key === "d") return givenNo(model, [entry], null);
  return kindOf(entry) === "fact"
    ? still(hinted(model, "A fact is dropped without a word: d drops it.", at))
    : still({ ...model, prompt: { kind: "reason", line: emptyLine } });
}

function deniedAll(model: Model, { entry }: OpenCard, confirming: Confirming | null, at: number): Stepped {
  if (entry.kind !== "many") {
    const { does } = noWords[kindOf(entry)];
    const text = `D ${does} all of a thread that asks too much; d ${does} this one.`;
    return still(advised(model, text, at));
  }
  return confirming === "D" ? givenNo(model, entry.requests.map(entryOf), null) : still(asked(model, "D"));
}

function approvedFor(model: Model, card: OpenCard, scope: NarrowScope, at: number): Stepped {
  const objection = objectionTo(model, card, scope);
  return objection === null
    ? approved(model, card, { decision: "approve", scope, note: null }, at)
    : still(hinted(model, objection, at));
}

function noteAsked(model: Model, card: OpenCard, at: number): Stepped {
  const objection = objectionTo(model, card, "once");
  return still(
    objection === null
      ? { ...model, prompt: { kind: "note", line: emptyLine } }
      : hinted(model, objection, at),
  );
}

/** A rule is shown whole or not remembered; the one that is shown is the one that is meant. */
function rememberedBy(model: Model, card: OpenCard, key: "p" | "a", isAgain: boolean, at: number): Stepped {
  const block = blockOfYes(model, card);
  if (block !== null) return still(hinted(model, block, at));
  const index = isAgain ? (card.form?.index ?? 0) : 0;
  return remembered(model, card, key, { index, isAgain }, at);
}

type NarrowScope = Exclude<GivenYes["scope"], "project" | "always">;

function objectionTo(model: Model, card: OpenCard, scope: NarrowScope): string | null {
  const block = blockOfYes(model, card);
  const approval = approvalOf(card.entry);
  if (block !== null || approval === null) return block ?? "";
  const reach = card.entry.kind === "late" ? lateReach : reachOf(approval, scope);
  const isOffered = reach.kind === "not offered" ? reach.offered.includes(scope) : true;
  if (reach.kind === "not offered" && !isOffered) return notOfferedText(scope, reach);
  return scope === "session" ? blockOfSession(card) : null;
}
