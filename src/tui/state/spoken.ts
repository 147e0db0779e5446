/** Answers and movements in words, for whoever has the screen read aloud: the same rules as for keys and commands. */
import { approvedByName, deniedByName } from "./commands.js";
import { done } from "./doing.js";
import { entryOf, givenNo } from "./giving.js";
import { changedText, isSettled, withTypedAt } from "./grace.js";
import type { Doing } from "./keys.js";
import type { Model, Quiet, Stepped } from "./model.js";
import { still } from "./model.js";
import { hinted } from "./notices.js";

/** What was said; `deny all` is about a row that stands for many. */
export type Spoken =
  | { readonly kind: "approve"; readonly scope: "once" | "session" }
  | { readonly kind: "deny"; readonly note: string | null }
  | { readonly kind: "deny all" }
  | { readonly kind: "does"; readonly what: Doing };

/** What `text` says of what is open, or null. Only whole words count; what follows `deny` is the reason. */
export function spokenOf(text: string): Spoken | null {
  const [word = "", ...others] = text.trim().split(/\s+/);
  if (word === "deny" && others.length > 0) {
    return others.join(" ") === "all" ? { kind: "deny all" } : { kind: "deny", note: others.join(" ") };
  }
  return others.length > 0 ? null : (words.get(word) ?? null);
}

/** Does what was said, and listens for more. */
export function runSpoken(model: Model, spoken: Spoken, quiet: Quiet, at: number): Stepped {
  const left = { ...model, box: null };
  const entry = model.card?.entry;
  if (spoken.kind === "does") return done(left, spoken.what);
  if (entry === undefined) return still(hinted(left, "Nothing is open.", at));
  // No word answers what came before whoever said it while they said it.
  if (!isSettled(quiet, at)) return still(withTypedAt(hinted(model, changedText, at), at));
  switch (spoken.kind) {
    case "deny all":
      return entry.kind === "many"
        ? givenNo(left, entry.requests.filter(({ kind }) => kind === "approval").map(entryOf), null)
        : still(hinted(left, "This is one request: say deny.", at));
    case "approve":
    case "deny":
      if (entry.kind === "many") return still(hinted(left, "These are many: say list, or deny all.", at));
      return spoken.kind === "deny"
        ? deniedByName(model, entry, spoken.note, at)
        : approvedByName(model, entry, spoken.scope, quiet, at);
    default:
      return spoken satisfies never;
  }
}

const words: ReadonlyMap<string, Spoken> = new Map<string, Spoken>([
  ["approve", { kind: "approve", scope: "once" }],
  ["session", { kind: "approve", scope: "session" }],
  ["deny", { kind: "deny", note: null }],
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
