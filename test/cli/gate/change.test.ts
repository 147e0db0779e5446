/** What a change of a client's file is held to: nothing but the entry means something else. */
import { expect, test } from "vitest";
import { changed, type Step } from "../../../src/cli/gate/change.js";
import { findEntry } from "../../../src/cli/gate/find-entry.js";
import { desk, put } from "../../support/gate-installing.js";

/** The entry `fs` of two in a file of Claude Code. */
function found() {
  const at = desk();
  const servers = { fs: { command: "a", args: ["b"] }, other: { command: "c" } };
  put(at, { at: "home", path: [".claude.json"], text: JSON.stringify({ mcpServers: servers }) });
  const around = { homeDirectory: at.person, directory: at.project, platform: process.platform };
  const [entry] = findEntry({ name: "fs", client: "claude-code", scope: null }, around).found;
  return entry ?? expect.fail("It is not found.");
}

test.each<[what: string, raw: string]>([
  ["another entry beside it", '"x"}, "evil": {"command": "y"'],
  ["another entry in the place of the one there", '"x"}, "other": {"command": "y"}, "more": {"a": 1'],
  ["a member beside the entries", '"x"}}, "hooks": {"a": {"b": 1'],
])("a change by which %s would come is refused, and one of the entry alone is made", (_what, raw) => {
  const entry = found();
  const write = (text: string): Step => ({ kind: "write", key: "command", raw: text });
  expect(() => changed(entry, [write(raw)])).toThrow(expect.objectContaining({ code: "config_invalid" }));
  expect(JSON.parse(changed(entry, [write('"x"')]).text)).toMatchObject({
    mcpServers: { fs: { command: "x", args: ["b"] }, other: { command: "c" } },
  });
});
