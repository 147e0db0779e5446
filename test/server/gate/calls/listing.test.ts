/** Answers that list files: what is refused does not stand in them, and all else passes as it came. */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../../src/broker/system/clock.js";
import { leftOutKey, withoutHidden } from "../../../../src/server/gate/calls/listing.js";

type Form = Parameters<typeof withoutHidden>[1]["form"];

const directory = "/w";
const isHidden = (path: string): boolean => /\/(?:\.git|private)(?:\/|$)/.test(path);

const around = { directory, hiding: () => isHidden, clock: systemClock };

function lineOf(result: unknown): Buffer {
  // Keys and blanks as only this server would write them: what is passed on as it was received keeps them.
  return Buffer.from(`{"id":1, "jsonrpc":"2.0","result":${JSON.stringify(result)}}\n`);
}

function answerOf(text: string): object {
  return { content: [{ type: "text", text }], structuredContent: { content: text } };
}

async function filtered(form: Form, text: string): Promise<unknown> {
  const line = await withoutHidden(lineOf(answerOf(text)), { form, ...around });
  return line === null ? null : JSON.parse(line.toString()).result;
}

const branch = (name: string, children?: readonly object[]): object =>
  children === undefined ? { name, type: "file" } : { name, type: "directory", children };
const tree = (...branches: readonly object[]): string => JSON.stringify(branches, null, 2);
const totals = "\n\nTotal: 2 files, 1 directories\nCombined size: 12 B";

describe("an answer that lists files", () => {
  test.each<readonly [Form, string, string, number]>([
    ["paths", "/w/a\n/w/.git/config\n/w/.git\n/w/b", "/w/a\n/w/b", 2],
    ["paths", "/w/private/x", "No matches found", 1],
    ["names", "[DIR] .git\n[FILE] a\n[DIR] private", "[FILE] a", 2],
    ["names", "[DIR] .git", "", 1],
    [
      "sizes",
      `[DIR] ${".git".padEnd(30)} \n[FILE] ${"a 5 KB".padEnd(30)} ${"12 B".padStart(10)}${totals}`,
      `[FILE] ${"a 5 KB".padEnd(30)} ${"12 B".padStart(10)}${totals}`,
      1,
    ],
    ["sizes", `[FILE] ${"private".padEnd(30)} ${"1.50 KB".padStart(10)}${totals}`, totals, 1],
    [
      "tree",
      tree(branch("a"), branch("b", [branch("private", [branch("x")]), branch("c")]), branch(".git", [])),
      tree(branch("a"), branch("b", [branch("c")])),
      3,
    ],
  ])(
    "as %s lacks what is refused, in both of its texts, and says how much",
    async (form, text, left, count) => {
      expect(await filtered(form, text)).toEqual({ ...answerOf(left), _meta: { [leftOutKey]: count } });
    },
  );

  test.each<readonly [Form, string]>([
    ["paths", "/w/a\n/w/.gitignore\n/w/b"],
    ["paths", "No matches found"],
    ["names", "[DIR] b \u2028\n[FILE] a\r"],
    ["names", ""],
    ["sizes", `[FILE] ${"a".padEnd(30)} ${"12 B".padStart(10)}${totals}`],
    ["sizes", totals],
    ["tree", tree(branch("a"), branch("b", []))],
    ["tree", "[]"],
  ])("as %s with nothing of it passes byte for byte", async (form, text) => {
    for (const result of [answerOf(text), { content: [{ type: "text", text }] }]) {
      const line = lineOf(result);
      expect(await withoutHidden(line, { form, ...around })).toBe(line);
    }
  });

  test.each<readonly [string, Form, unknown]>([
    ["no object", "paths", "text"],
    [
      "another text beside the first",
      "paths",
      {
        content: [
          { type: "text", text: "/w/a" },
          { type: "text", text: "x" },
        ],
      },
    ],
    ["no text", "paths", { content: [{ type: "resource_link", uri: "file:///w/private/x", name: "x" }] }],
    [
      "two texts that differ",
      "paths",
      { ...answerOf("/w/a"), structuredContent: { content: "/w/private/x" } },
    ],
    [
      "more beside the second",
      "paths",
      { ...answerOf("/w/a"), structuredContent: { content: "/w/a", more: [] } },
    ],
    [
      "no content, and something else",
      "paths",
      { content: [], structuredContent: { paths: ["/w/private"] } },
    ],
    ["a path that is relative, as of a name with a newline", "paths", answerOf("/w/a\n.git/config")],
    ["words", "names", answerOf("two files: a and .git")],
    ["a list without its totals", "sizes", answerOf("[FILE] a")],
    ["no tree", "tree", answerOf("a\n  b")],
    ["a tree without names", "tree", answerOf('[{"type":"file"}]')],
    ["children that are none", "tree", answerOf('[{"name":"a","children":{"name":"private"}}]')],
  ])("in a form that nobody knows is none: %s", async (_what, form, result) => {
    expect(await withoutHidden(lineOf(result), { form, ...around })).toBeNull();
    expect(await filtered("paths", "/w/a")).toEqual(answerOf("/w/a"));
  });

  test("that is an error, asks for more first, or holds nothing, passes as it came", async () => {
    const lines = [
      lineOf({ isError: true, content: [{ type: "text", text: "Access denied" }] }),
      lineOf({ resultType: "input_required", inputRequests: {} }),
      lineOf({ content: [] }),
      Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}\n'),
    ];
    for (const line of lines) {
      expect(await withoutHidden(line, { form: "paths", ...around })).toBe(line);
    }
  });

  test("of many files lets others have their turn every ten milliseconds, and looks anew then", async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `/w/${index}`).join("\n");
    let looked = 0;
    let moments = 0;
    let turns = 0;
    const line = await withoutHidden(lineOf(answerOf(`${text}\n/w/private/x`)), {
      ...{ form: "paths", directory },
      // Each look takes a millisecond.
      clock: {
        monotonic: () => looked,
        after(_ms, go) {
          turns += 1;
          return systemClock.after(0, go);
        },
      },
      hiding() {
        moments += 1;
        return (path) => {
          looked += 1;
          return isHidden(path);
        };
      },
    });
    expect({ looked, moments, turns }).toEqual({ looked: 5_001, moments: 501, turns: 500 });
    expect(JSON.parse(line?.toString() ?? "").result.structuredContent).toEqual({ content: text });
  });
});
