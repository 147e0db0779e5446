/**
 * Words in the names of tools that say what a call does, all in this place. A name proves nothing: it is a reason to ask, and never
 * one to let pass. One that says it only looks is where a person begins who ticks what passes.
 */

/** Whatever the server calls them: tools that do this are none that one yes covers. Each with what such a tool does. */
export const graveVerbs: readonly (readonly [verb: string, why: string])[] = [
  ["delete", "deletes"],
  ["remove", "deletes"],
  ["force", "overrules what it would be refused for"],
  ["rebase", "rewrites history"],
  ["amend", "rewrites history"],
  ["exec", "runs a program"],
  ["run_command", "runs a program"],
  ["shell", "runs a program"],
  ["eval", "runs a program"],
];

/** What takes away, changes, runs, sends or tells a secret: that a server says of such a tool that it only reads convinces nobody. */
const otherWords: ReadonlySet<string> = new Set([
  ...["clear", "destroy", "drop", "erase", "kill", "purge", "reset", "revert", "rm", "truncate", "wipe"],
  ...["add", "create", "edit", "insert", "merge", "move", "overwrite", "rename", "replace", "set"],
  ...["update", "upsert", "write"],
  ...["deploy", "install", "publish", "push", "run", "send", "spawn", "start", "stop", "upload"],
  ...["credential", "credentials", "env", "environment", "password", "passwords", "secret", "secrets"],
  ...["token", "tokens"],
]);

/** What only looks, as the first word of a name. */
const readingWords: ReadonlySet<string> = new Set([
  ...["count", "describe", "diff", "explain", "fetch", "find", "get", "head", "info", "inspect", "list"],
  ...["look", "lookup", "peek", "preview", "query", "read", "search", "show", "stat", "stats", "status"],
  ...["summarize", "tail", "view"],
]);

/** The first word of the name of a tool, where it is one that only looks; null for every other. In snake, kebab or camel case. */
export function readingWordIn(tool: string): string | null {
  const [first = ""] = wordsIn(tool);
  return readingWords.has(first) ? first : null;
}

/** The first of them in the name of a tool: a verb of the first list anywhere in it, another as a word of its own; null for none. */
export function graveWordIn(tool: string): string | null {
  const name = tool.toLowerCase();
  const verb = graveVerbs.find(([one]) => name.includes(one))?.[0];
  if (verb !== undefined) return verb;
  return wordsIn(tool).find((word) => otherWords.has(word)) ?? null;
}

function wordsIn(tool: string): readonly string[] {
  const words = tool.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.split(/[^a-z0-9]+/);
}
