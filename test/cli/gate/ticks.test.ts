/** What a line does to the ticks, and how a tool stands in a line. */
import { expect, it } from "vitest";
import { tickedAtFirst, tickLines, typedIn, withChanged } from "../../../src/cli/gate/ticks.js";
import { widthsFor } from "../../../src/face/widths.js";
import { listedTool } from "../../support/triaging.js";

it.each<[line: string, typed: unknown]>([
  ["", { kind: "on" }],
  [" b ", { kind: "back" }],
  ["?2", { kind: "show", number: 2 }],
  ["1 3-5,7", { kind: "change", numbers: [1, 3, 4, 5, 7] }],
  ...["0", "8", "5-3", "?0", "?8", "x", "1 x", "-1", "1-", "1e1", "y"].map((line): [string, unknown] => [
    line,
    { kind: "wrong" },
  ]),
])("%j is read as %j", (line, typed) => {
  expect(typedIn(line, 7)).toEqual(typed);
});

it("a number changes a tick, however often it stands there, and none that no rule can name", () => {
  const tools = [listedTool("a"), listedTool("b"), listedTool("c d")];
  expect([...withChanged(new Set([1]), [1, 2, 2, 3, 9], tools)]).toEqual([2]);
});

it("tools that say they read are ticked at first, up to as many as anybody looks through", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => listedTool(`get_${index}`, true));
  expect([tickedAtFirst(many(200)).size, tickedAtFirst(many(201)).size]).toEqual([200, 0]);
  expect([...tickedAtFirst([listedTool("get_a"), listedTool("*", true), listedTool("get_b", true)])]).toEqual(
    [3],
  );
});

it("a tool whose name says more than reading, or that says it destroys, is never ticked at first, and its line says why", async () => {
  const text = JSON.stringify({ annotations: { readOnlyHint: true, destructiveHint: true } });
  const tools = [
    listedTool("delete_all", true, "deletes"),
    listedTool("get-env", true),
    { ...listedTool("look", true), text },
    listedTool("delete_one"),
    listedTool("look_up", true),
  ];
  expect([...tickedAtFirst(tools)]).toEqual([5]);
  const lines = tickLines(tools, new Set([5]), 60, await widthsFor([]));
  expect(lines).toEqual([
    " 1 [ ] * delete_all  its name says delete  deletes",
    " 2 [ ] * get-env  its name says env  does get-env",
    " 3 [ ] * look  it says that it destroys  does look",
    " 4 [ ]   delete_one  does delete_one",
    " 5 [x] * look_up  does look_up",
  ]);
});

it.each([
  "bash",
  "unlink",
  "rmrf",
  "format_disk",
  "transfer_funds",
  "apply_patch",
  "pay",
  "sudo",
  "writefile",
])("%s is not ticked at first, whatever its server says: its name says more", (name) => {
  const tools = [listedTool(name, true), listedTool("listUsers", true), listedTool("thinking", true)];
  expect([...tickedAtFirst(tools)]).toEqual([2, 3]);
  expect([...withChanged(tickedAtFirst(tools), [1], tools)]).toEqual([2, 3, 1]);
});

it("a line holds the whole name, and of the description what there is room for", async () => {
  const long = listedTool("n".repeat(100));
  const tools = [listedTool("read", true, "Reads.\nAnd more ".repeat(20)), long];
  const [first = "", second] = tickLines(tools, new Set([1]), 40, await widthsFor([]));
  expect(first).toHaveLength(40);
  expect(first).toMatch(/^ 1 \[x\] \* read {2}Reads\.\\u\{a\}And more .*…$/);
  expect(second).toBe(` 2 [ ]   ${"n".repeat(100)}`);
});
