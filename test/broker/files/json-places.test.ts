/** Lines of what stands in a JSON text, and of what is wrong with it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPlaces, lineOfObjection } from "../../../src/broker/files/json-places.js";
import { parseStrictJson } from "../../../src/broker/request/strict-json.js";

describe("a key of a text", () => {
  const text = '{\n "a": {\n  "b": [1,\n   2],\n  "\\u0063.d": "x\\"}{"\n },\n "a": 3 }';

  it.each([
    [["a"], 2],
    [["a", "b"], 3],
    [["a", "b", 0], 3],
    [["a", "b", 1], 4],
    [["a", "c.d"], 5],
  ] as const)("at %j stands on line %i", (path, line) => {
    expect(jsonPlaces(text).lineOfKey(path)).toBe(line);
    expect(jsonPlaces(text).lineOf(path)).toBe(line);
  });

  it("that is not there has none of its own, and that of what is above it", () => {
    const places = jsonPlaces(text);
    expect(places.lineOfKey(["a", "b", 2])).toBeNull();
    expect(places.lineOf(["a", "b", 2])).toBe(3);
    expect(places.lineOf(["toString"])).toBe(1);
    expect(places.lineOf([])).toBe(1);
  });
});

describe("what is wrong with a text", () => {
  it.each([
    ["", 1],
    ['{\n"a": 1,\n}', 3],
    ['{\n"a": 1\n"b": 2}', 3],
    ['{\n// words\n"a": 1}', 2],
    ['{"a":\n1', 2],
    ['{"a":\n01}', 2],
    ['{"a":\n"half', 2],
    ['{"a":\n"\t"}', 2],
    ["{}\n{}", 2],
    ["[1,\n]", 2],
  ])("%j, where it is no JSON, is on line %i", (text, line) => {
    expect(parseStrictJson(Buffer.from(text))).toMatchObject({ objection: "not JSON" });
    expect(lineOfObjection(text, "not JSON")).toBe(line);
  });

  it("is on the line of the key that stands twice, or may not stand there", () => {
    expect(lineOfObjection('{\n"a": 1,\n"a": 2}', "duplicate key")).toBe(3);
    expect(lineOfObjection('{"x":\n{"__proto__": 1}}', "forbidden key")).toBe(2);
    expect(lineOfObjection("{}", "duplicate key")).toBeNull();
    expect(lineOfObjection("{}", "open to others")).toBeNull();
  });

  it("is found wherever the parser takes no text, and nowhere else", () => {
    const pieces = fc.constantFrom(
      ...'{|}|[|]|,|:|"a"|"b\\n"|1|-0.5e3|01|true|null|nul| |\n|"|\\|\u007f'.split("|"),
    );
    const texts = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
      fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, more]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + more + text.slice(place + 1);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(lineOfObjection(text, "not JSON") === null).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is looked for no deeper than the parser goes", () => {
    expect(lineOfObjection("[".repeat(100_000), "not JSON")).toBe(1);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
