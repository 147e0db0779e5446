/** The keys and what they do, always in the same order. */
import { blockOfAny } from "../state/blocked.js";
import { approvalOf, type Model, type OpenCard } from "../state/model.js";
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
  const always = [
    live("f", "filter"),
    live("h", "history"),
    live("/", "command"),
    live("?", "help"),
    live("q", "quit"),
  ];
  return model.card === null ? always : [...cardHints(model, model.card), ...always];
}

function cardHints(model: Model, card: OpenCard): readonly KeyHint[] {
  const moving = [
    live("v", card.entry.kind === "many" ? "list" : "all"),
    live("w", "why"),
    live("tab", "next"),
  ];
  if (card.entry.kind === "many") return [live("D", "deny all"), live("l", "leave"), ...moving];
  const scopes = card.entry.kind === "late" ? ["once"] : (approvalOf(card.entry)?.scopes ?? ["once"]);
  const yes = (key: string, does: string): KeyHint => ({ key, does, isDim: isYesOff(model, card) });
  const session: KeyHint = { ...yes("s", "session"), isDim: isYesOff(model, card) || !card.isSessionSeen };
  const no = (key: string, does: string): KeyHint => ({ key, does, isDim: blockOfAny(model, card) !== null });
  return [
    yes("y", "once"),
    ...(scopes.includes("session") ? [session] : []),
    ...(scopes.includes("project") ? [yes("p", "project")] : []),
    ...(scopes.includes("always") ? [yes("a", "always")] : []),
    no("d", "deny"),
    no("r", "say why"),
    yes("n", "with note"),
    live("l", "leave"),
    ...moving,
  ];
}

/** What is read line by line takes words. */
function spokenHints(model: Model): readonly KeyHint[] {
  const { card } = model;
  const always = [live("history", ""), live("help", ""), live("quit", "")];
  if (card === null) return always;
  const moving = [live("next", ""), live("why", "")];
  if (card.entry.kind === "many") return [live("deny all", ""), live("list", ""), ...moving, ...always];
  const isSession = approvalOf(card.entry)?.scopes.includes("session") === true && card.entry.kind === "one";
  const yes = (key: string): KeyHint => ({ key, does: "", isDim: isYesOff(model, card) });
  const session = { ...yes("session"), isDim: isYesOff(model, card) || !card.isSessionSeen };
  const no = { key: "deny", does: "or deny and a reason", isDim: blockOfAny(model, card) !== null };
  return [yes("approve"), ...(isSession ? [session] : []), no, ...moving, ...always];
}

function live(key: string, does: string): KeyHint {
  return { key, does, isDim: false };
}
