/** The keys and what they do, always in the same order. */
import { isWider, type QuestionRequest, type Scope } from "../../broker/index.js";
import { offeredScopes, offersOf } from "../../face/remember-lines.js";
import { blockOfAny, kindOf, noWords } from "../state/blocked.js";
import { approvalOf, type Model, type OpenCard, requestOf, type Single } from "../state/model.js";
import { givenContent, replyTo } from "../state/replies.js";
import { isYesOff } from "./foot.js";
import { keyRows } from "./measures.js";
import type { KeyHint } from "./screen.js";

/** The keys that mean something now, as many as fit into `rows` rows of `columns`. */
export function hintsOf(model: Model, columns: number, rows: number): readonly KeyHint[] {
  return keyRows(allHints(model), columns)
    .slice(0, rows)
    .flat()
    .filter((hint) => fits(hint, columns));
}

/** A hint that is wider than the terminal is not drawn at all. */
function fits({ key, does }: KeyHint, columns: number): boolean {
  return key.length + does.length + 3 <= columns;
}

function allHints(model: Model): readonly KeyHint[] {
  if (model.box !== null && model.isLinear) return spokenHints(model);
  if (model.box !== null)
    return [live("enter", "runs"), live("esc", "empties and leaves"), live("/help", "commands")];
  if (model.prompt !== null) return [live("enter", "ends"), live("esc", "leaves it")];
  if (model.page !== null) return [live("esc", "back"), live("↑↓", "scroll"), live("q", "quit")];
  if (model.card?.form != null) return ruleHints(model.card);
  const always = [
    live("f", "filter"),
    live("h", "history"),
    live("/", "command"),
    live("?", "help"),
    live("q", "quit"),
  ];
  return model.card === null ? always : [...cardHints(model, model.card), ...always];
}

/** While a rule is shown. */
function ruleHints({ entry, confirming, form }: OpenCard): readonly KeyHint[] {
  const approval = approvalOf(entry);
  const isOne = approval === null || offersOf(approval).length < 2;
  return [
    { key: confirming ?? "", does: "remember", isDim: form?.isSeen !== true },
    live("↑↓", isOne ? "scroll" : "another form"),
    ...(isOne ? [] : [live("pgdn", "scroll")]),
    live("esc", "leave it"),
  ];
}

function cardHints(model: Model, card: OpenCard): readonly KeyHint[] {
  const moving = [
    live("v", card.entry.kind === "many" ? "list" : "all"),
    live("w", "why"),
    live("tab", "next"),
  ];
  if (card.entry.kind === "many") {
    return [live("D", `${noWords[kindOf(card.entry)].say} all`), live("l", "leave"), ...moving];
  }
  return [...answerHints(model, card, card.entry), live("l", "leave"), ...moving];
}

function answerHints(model: Model, card: OpenCard, entry: Single): readonly KeyHint[] {
  const request = requestOf(entry);
  const isNoOff = blockOfAny(model, card) !== null;
  const yes = (key: string, does: string): KeyHint => ({ key, does, isDim: isYesOff(model, card) });
  const no = (key: string, does: string): KeyHint => ({ key, does, isDim: isNoOff });
  switch (request?.kind) {
    case "fact":
      return [yes("y", "keep"), yes("a", "everywhere"), no("d", "drop")];
    case "question": {
      const { options, allowText } = request.question;
      const digits = options?.length === 1 ? "1" : `1-${Math.min(options?.length ?? 0, 9)}`;
      return [
        ...(options === null ? [] : [no(digits, "choose")]),
        ...(allowText ? [no("o", "text")] : []),
        { ...yes("y", "send"), isDim: isSendOff(model, card, request) },
        no("d", "decline"),
        no("r", "say why"),
      ];
    }
    case "approval": {
      const scopes: readonly Scope[] = entry.kind === "late" ? ["once"] : offeredScopes(request);
      // A key that is not open yet says why where the others are.
      const isUnread = !isYesOff(model, card) && !card.isSessionSeen;
      const session = {
        ...yes("s", isUnread ? "session: End first" : "session"),
        isDim: isYesOff(model, card) || isUnread,
      };
      return [
        yes("y", "once"),
        ...(scopes.includes("session") ? [session] : []),
        ...(scopes.includes("project") ? [yes("p", "project")] : []),
        ...(scopes.includes("always") ? [yes("a", "always")] : []),
        no("d", "deny"),
        no("r", "say why"),
        yes("n", "with note"),
      ];
    }
    case undefined:
      return [];
    default:
      return request satisfies never;
  }
}

function isSendOff(model: Model, card: OpenCard, request: QuestionRequest): boolean {
  return isYesOff(model, card) || givenContent(replyTo(model, request)) === null;
}

/** What is read line by line takes words. */
function spokenHints(model: Model): readonly KeyHint[] {
  const { card } = model;
  const always = [live("history", ""), live("help", ""), live("quit", "")];
  // A page covers what the others are about.
  if (model.page !== null) return [live("back", ""), ...always];
  if (card === null) return always;
  const moving = [live("next", ""), live("why", "")];
  const { entry } = card;
  const { say } = noWords[kindOf(entry)];
  if (entry.kind === "many") return [live(`${say} all`, ""), live("list", ""), ...moving, ...always];
  return [...spokenAnswers(model, card, entry), ...moving, ...always];
}

function spokenAnswers(model: Model, card: OpenCard, entry: Single): readonly KeyHint[] {
  const request = requestOf(entry);
  const yes = (key: string): KeyHint => ({ key, does: "", isDim: isYesOff(model, card) });
  const no = (key: string, does: string): KeyHint => ({ key, does, isDim: blockOfAny(model, card) !== null });
  switch (request?.kind) {
    case "fact":
      return [yes("keep"), yes("keep global"), no("drop", "")];
    case "question": {
      const { options, allowText } = request.question;
      return [
        ...(options === null ? [] : [no("a number", "")]),
        ...(allowText ? [no("text", "and your answer")] : []),
        { ...yes("send"), isDim: isSendOff(model, card, request) },
        no("decline", "or decline and a reason"),
      ];
    }
    case "approval": {
      const isSession = request.scopes.includes("session") && entry.kind === "one";
      const session = { ...yes("session"), isDim: isYesOff(model, card) || !card.isSessionSeen };
      const wide = entry.kind === "one" ? offeredScopes(request).filter(isWider) : [];
      return [
        yes("approve"),
        ...(isSession ? [session] : []),
        ...wide.map(yes),
        no("deny", "or deny and a reason"),
      ];
    }
    case undefined:
      return [];
    default:
      return request satisfies never;
  }
}

function live(key: string, does: string): KeyHint {
  return { key, does, isDim: false };
}
