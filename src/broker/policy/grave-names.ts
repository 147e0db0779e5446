/**
 * Words in the names of tools that say what a call does, all in this place. A name proves nothing: it is a reason to ask, and never
 * one to let pass.
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
  ...["clear", "destroy", "drop", "erase", "format", "kill", "purge", "reset", "revert", "revoke"],
  ...["rm", "rmdir", "rmrf", "truncate", "unlink", "wipe"],
  ...["add", "create", "edit", "insert", "merge", "move", "overwrite", "rename", "replace", "set"],
  ...["apply", "patch", "update", "upsert", "write", "writefile"],
  ...["bash", "cmd", "invoke", "powershell", "python", "reboot", "sh", "shutdown", "sudo", "terminal"],
  ...["buy", "grant", "order", "pay", "post", "submit", "transfer"],
  ...["deploy", "install", "publish", "push", "run", "send", "spawn", "start", "stop", "upload"],
  ...["credential", "credentials", "env", "environment", "password", "passwords", "secret", "secrets"],
  ...["token", "tokens"],
]);

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
