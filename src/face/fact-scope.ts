/** How far a fact is kept or dropped, in the words that a person types and reads. Answers say it in words of their own. */
import type { Given } from "./answer.js";

/** How far a fact is kept, as an answer says it. */
export type KeepScope = Extract<Given, { decision: "keep" }>["scope"];

/** By the word that a person types. */
export const keepScopes: ReadonlyMap<string, KeepScope> = new Map([
  ["project", "project"],
  ["global", "always"],
  ["everywhere", "always"],
]);

/** The narrower one: a fact that belongs to no directory holds everywhere. */
export function narrowestScope({ directory }: { readonly directory: string | null }): KeepScope {
  return directory === null ? "always" : "project";
}

/** `project` or `global`, as it was typed. */
export function keepScopeText(scope: KeepScope): string {
  return scope === "always" ? "global" : scope;
}
