/** What a client was told of tools. */
import { expect, test } from "vitest";
import { createTold } from "../../../../src/server/gate/calls/told.js";
import type { ToolDefinition } from "../../../../src/server/gate/calls/tool-list.js";

function tool(name: string, hash: string): ToolDefinition {
  return { name, hash, text: hash, title: null, description: null, isReadOnly: false };
}

test("what was told once counts whatever is told later, until a person accepted it beside what is judged by", () => {
  const told = createTold();
  expect(told.otherwise(tool("a", "1"))).toBeNull();
  for (const hash of ["1", "2", "3", "1"]) told.add("a", tool("a", hash));
  expect(told.otherwise(tool("a", "1"))?.hash).toBe("3");
  told.accept(tool("a", "1"));
  expect(told.otherwise(tool("a", "1"))).toBeNull();
  expect(told.otherwise(tool("a", "2"))?.hash).toBe("1");
  told.add("a", null);
  expect(told.otherwise(tool("a", "1"))?.text).toContain("cannot be compared");
  expect(told.otherwise(tool("b", "1"))).toBeNull();
});

test("of one of which too much was told nobody can say what, and a yes to it counts all the same", () => {
  const told = createTold();
  for (let at = 0; at < 20; at += 1) told.add("a", tool("a", String(at)));
  expect(told.otherwise(tool("a", "1"))?.text).toContain("cannot be compared");
  told.accept(tool("a", "1"));
  expect(told.otherwise(tool("a", "1"))).toBeNull();
});

test("where more tools were told of than are kept, one without a record may have been told anything", () => {
  const told = createTold();
  for (let at = 0; at <= 10_000; at += 1) told.add(`t${at}`, tool(`t${at}`, "1"));
  expect(told.otherwise(tool("t1", "1"))).toBeNull();
  expect(told.otherwise(tool("unheard", "1"))).not.toBeNull();
});
