/** Answers and movements in words, for whoever has the screen read aloud: the same rules as for keys and commands. */
import type { Kind, Scope } from "../../broker/index.js";
import { type KeepScope, keepScopes } from "../../face/fact-scope.js";
import { numbersIn } from "../../face/reply.js";
import type { Doing } from "./keys.js";

/** What was said. `all` is about a row that stands for many. */
export type Spoken =
  /** `form` is the number of the rule that a wider yes remembers, from 1; null for exactly this call. */
  | { readonly kind: "approve"; readonly scope: Scope; readonly form: number | null }
  /** Null for the narrower one. */
  | { readonly kind: "keep"; readonly scope: KeepScope | null }
  | { readonly kind: "drop for good" }
  /** Numbers of options: they send nothing. */
  | { readonly kind: "choose"; readonly numbers: readonly number[] }
  /** An answer in words: it sends nothing. */
  | { readonly kind: "text"; readonly text: string }
  /** Sends what was chosen, or the text. */
  | { readonly kind: "send" }
  /** Deny, drop, decline: `of` is what the word belongs to. */
  | { readonly kind: "no"; readonly of: Kind; readonly note: string | null }
  | { readonly kind: "all"; readonly of: Kind }
  | { readonly kind: "does"; readonly what: Doing };

/** What `text` says of what is open, or null. Only whole words count; what follows `deny`, `decline` or `text` is as it was typed. */
export function spokenOf(text: string): Spoken | null {
  const said = text.trim();
  const numbers = numbersIn(said);
  if (numbers !== null) return { kind: "choose", numbers };
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(said) ?? [];
  const of = kindsOfNo.get(word);
  if (of !== undefined) return noOf(of, rest);
  if (word === "keep") {
    const scope = rest === "" ? null : keepScopes.get(rest);
    return scope === undefined ? null : { kind: "keep", scope };
  }
  if (word === "project" || word === "always") {
    if (!/^([1-9][0-9]?)?$/.test(rest)) return null;
    return { kind: "approve", scope: word, form: rest === "" ? null : Number(rest) };
  }
  if (word === "text" && rest !== "") return { kind: "text", text: rest };
  return rest === "" ? (words.get(word) ?? null) : null;
}

/** Does it answer? Only what is typed does. */
export function isSpokenAnswer({ kind }: Spoken): boolean {
  return kind !== "does" && kind !== "choose" && kind !== "text";
}

/** A fact takes no reason. */
function noOf(of: Kind, rest: string): Spoken | null {
  if (rest === "all") return { kind: "all", of };
  if (of !== "fact") return { kind: "no", of, note: rest === "" ? null : rest };
  if (rest === "for-good") return { kind: "drop for good" };
  return rest === "" ? { kind: "no", of, note: null } : null;
}

const kindsOfNo: ReadonlyMap<string, Kind> = new Map([
  ["deny", "approval"],
  ["drop", "fact"],
  ["decline", "question"],
]);

const words: ReadonlyMap<string, Spoken> = new Map<string, Spoken>([
  ["approve", { kind: "approve", scope: "once", form: null }],
  ["session", { kind: "approve", scope: "session", form: null }],
  ["send", { kind: "send" }],
  ["next", { kind: "does", what: "leave" }],
  ["previous", { kind: "does", what: "go round back" }],
  ["list", { kind: "does", what: "view" }],
  ["why", { kind: "does", what: "why" }],
  ["filter", { kind: "does", what: "filter" }],
  ["history", { kind: "does", what: "history" }],
  ["help", { kind: "does", what: "help" }],
  ["back", { kind: "does", what: "back" }],
  ["quit", { kind: "does", what: "quit" }],
]);
