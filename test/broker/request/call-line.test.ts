/** A call in one line. */
import { expect, test } from "vitest";
import { callLine } from "../../../src/broker/request/call-line.js";

const server = "files";

test.each([
  ["its path, wherever it stands", { content: "x", path: "/a/b" }, "files · t /a/b"],
  ["where it moves from", { destination: "/b", source: "/a" }, "files · t /a"],
  ["its first argument, where none names a place", { query: "cats", limit: 3 }, "files · t cats"],
  [
    "a first argument that is no text, as JSON",
    { entities: [{ name: "Ada" }] },
    'files · t [{"name":"Ada"}]',
  ],
  ["nothing, where there are none", {}, "files · t"],
  ["no more than a list has room for", { path: "é".repeat(300) }, `files · t ${"é".repeat(199)}…`],
])("names %s", (_what, given, expected) => {
  expect(callLine({ server, tool: "t", arguments: given })).toBe(expected);
});
