/** The keys that never move. Enter and space are not among them, and a digit only chooses: they decide nothing. */
import type { Key } from "./event.js";
import { isPrintable } from "./line.js";

/** What a key means outside of a text. Those that decide are taken only after the grace. */
export type Meaning =
  | { readonly kind: "decides"; readonly key: DecidingKey }
  /** An option of a question, from 1. It sends nothing, so only the card has to stand for a while before it. */
  | { readonly kind: "chooses"; readonly number: number }
  | { readonly kind: "scrolls"; readonly by: Scrolling }
  | { readonly kind: "does"; readonly what: Doing };

/** Keys that answer, or begin an answer. */
export type DecidingKey = "y" | "s" | "p" | "a" | "d" | "r" | "n" | "o" | "D";

/** Those that lead to a yes: to an approval, to keeping, to an answer. */
export type YesKey = Exclude<DecidingKey, "d" | "r" | "D">;

/** How far a key scrolls. */
export type Scrolling = "up" | "down" | "pageup" | "pagedown" | "home" | "end";

/** Everything that works at once. */
export type Doing =
  | "next"
  | "previous"
  | "go round"
  | "go round back"
  | "leave"
  | "view"
  | "why"
  | "filter"
  | "history"
  | "help"
  | "slash"
  | "type"
  | "back"
  | "quit";

/** What `key` means; null for all others. */
export function meaningOf(key: Key): Meaning | null {
  if (isPrintable(key)) return printed.get(key.text) ?? null;
  if (key.isControl || key.isMeta) return null;
  if (key.name === "tab") return { kind: "does", what: key.isShift ? "go round back" : "go round" };
  return named.get(key.name) ?? null;
}

/** Ctrl-C leaves from everywhere. */
export function isInterrupt({ name, isControl }: Key): boolean {
  return isControl && name === "c";
}

const printed: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...(["y", "s", "p", "a", "d", "r", "n", "o", "D"] as const).map((key): [string, Meaning] => [
    key,
    { kind: "decides", key },
  ]),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number): [string, Meaning] => [
    `${number}`,
    { kind: "chooses", number },
  ]),
  ["j", { kind: "does", what: "next" }],
  ["k", { kind: "does", what: "previous" }],
  ["l", { kind: "does", what: "leave" }],
  ["v", { kind: "does", what: "view" }],
  ["w", { kind: "does", what: "why" }],
  ["f", { kind: "does", what: "filter" }],
  ["h", { kind: "does", what: "history" }],
  ["?", { kind: "does", what: "help" }],
  ["/", { kind: "does", what: "slash" }],
  ["i", { kind: "does", what: "type" }],
  ["q", { kind: "does", what: "quit" }],
]);

const named: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["escape", { kind: "does", what: "back" }],
  ...(["up", "down", "pageup", "pagedown", "home", "end"] as const).map((by): [string, Meaning] => [
    by,
    { kind: "scrolls", by },
  ]),
]);
