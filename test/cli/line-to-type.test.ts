/** What a person is told to type is what works where they are. */
import { expect, it } from "vitest";
import { lineToType } from "../../src/cli/line-to-type.js";
import { slashHelp } from "../../src/face/slash.js";

const environment = { WISP_HOME: "/home/p/other" };

it.each([
  [["approvals", "pending"], "/approvals pending"],
  [["approvals", "approve", "k7q2mx9d"], "/approvals approve k7q2mx9d"],
  [["approvals", "deny", "k7q2mx9d"], "/approvals deny k7q2mx9d"],
  [["facts", "keep", "k7q2mx9d"], "/facts keep k7q2mx9d"],
  [["questions", "answer", "k7q2mx9d"], "/questions answer k7q2mx9d"],
])("in plain chat %j is a slash command, which its help has: %s", (words, slash) => {
  expect(lineToType({ via: "chat", environment }, words)).toBe(slash);
  const [head = "", verb = ""] = slash.split(" ");
  expect(slashHelp.some((line) => line.startsWith(head) && line.includes(verb))).toBe(true);
  expect(lineToType({ via: "cli", environment }, words)).toBe(
    `WISP_HOME=/home/p/other wisp ${words.join(" ")}`,
  );
});

it.each([
  [["approvals", "show", "k7q2mx9d"]],
  [["approvals", "wait", "k7q2mx9d"]],
  [["approvals", "granted"]],
  [["approvals", "revoke", "k7q2mx9d"]],
  [["doctor"]],
])("what plain chat has no slash command for is a command of the shell there, too: %j", (words) => {
  expect(lineToType({ via: "chat", environment }, words)).toBe(
    `WISP_HOME=/home/p/other wisp ${words.join(" ")}`,
  );
});
