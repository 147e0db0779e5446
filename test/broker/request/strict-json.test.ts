import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type JsonObjection,
  type ParsedJson,
  parseStrictJson,
  textObjection,
} from "../../../src/broker/request/strict-json.js";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("parseStrictJson refuses what parsers read in different ways", () => {
  test.each<readonly [string, string]>([
    ["in the outermost object", '{"a":1,"a":2}'],
    ["with the same value", '{"a":1,"a":1}'],
    ["in an object inside", '{"x":{"a":1,"b":2,"a":3}}'],
    ["in an object in a list", '[[{"a":[]},{"a":1,"a":2}]]'],
    ["at depth 32", `${"[".repeat(31)}{"a":1,"a":2}${"]".repeat(31)}`],
    ["spelled with an escape", '{"a":1,"\\u0061":2}'],
    ["spelled with two escapes", '{"\\u0061\\u0062":1,"a\\u0062":2}'],
    ["spelled with a short escape and a long one", '{"\\n":1,"\\u000a":2}'],
    ["spelled with capital and small hexadecimal digits", '{"\\u00e9":1,"\\u00E9":2}'],
    ["spelled as a character and as two escapes", '{"😀":1,"\\ud83d\\ude00":2}'],
    ["that is empty", '{"":1,"":2}'],
    ["that is a number", '{"1":1,"1":2}'],
    ["that is inherited by every object", '{"toString":1,"toString":2}'],
    ["beside a value full of colons", '{"a":":::","a":":"}'],
    ["beside a value full of quotes", '{"a":"\\":\\"","a":"\\\\"}'],
    ["three times", '{"a":1,"b":2,"a":3,"a":4}'],
  ])("a key %s twice is refused", (_where, text) => {
    expect(objectionTo(text)).toBe("duplicate key");
    expect(taken('{"a":":","b":{"a":"\\"a\\":"}}')).toEqual({ a: ":", b: { a: '"a":' } });
  });

  test("keys that differ by case, by a look-alike or by Unicode form are different keys", () => {
    expect(taken('{"a":1,"A":2,"а":3,"é":4,"e\u0301":5}')).toEqual({
      a: 1,
      A: 2,
      а: 3,
      é: 4,
      "e\u0301": 5,
    });
  });

  test("a duplicate anywhere in a random document is found", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.string({ unit: "grapheme" }),
        fc.nat(),
        (value, key, at) => {
          const host = { deep: value, [`k${key}`]: value };
          const good = JSON.stringify(host);
          if (objectionTo(good) !== null) return;
          // Every "{" outside a string opens an object; one of them is given the same key twice.
          const opening = pick(bracesOf(good), at);
          const twice = `${JSON.stringify(`d${key}`)}:0,`;
          const comma = good[opening + 1] === "}" ? `${JSON.stringify(`e${key}`)}:1` : "";
          const bad = `${good.slice(0, opening + 1)}${twice}${twice}${comma}${good.slice(opening + 1)}`;
          expect(objectionTo(bad)).toBe("duplicate key");
        },
      ),
    );
  });

  test.each<readonly [string, string, string]>([
    ["objects", '{"a":', "}"],
    ["lists", "[", "]"],
    ["both in turn", '[{"a":', "}]"],
  ])("%s may be nested 32 deep and not 33", (_what, open, close) => {
    const step = open.startsWith("[{") ? 2 : 1;
    const nested = (levels: number): string =>
      `${open.repeat(levels / step)}${levels % step === 1 ? "[0]" : "0"}${close.repeat(levels / step)}`;
    expect(objectionTo(nested(33))).toBe("nested too deep");
    expect(objectionTo(`[${nested(32)},[]]`)).toBe("nested too deep");
    expect(objectionTo(nested(32))).toBeNull();
  });

  test("brackets inside strings and empty brackets beside each other are not depth", () => {
    expect(taken(`["${"[{".repeat(100)}\\"[["]`)).toEqual([`${"[{".repeat(100)}"[[`]);
    expect(taken(`[${"[],{},".repeat(100)}0]`)).toHaveLength(201);
  });

  test("nesting that would exhaust the stack is refused before it is parsed", () => {
    const parse = vi.spyOn(JSON, "parse");
    expect(objectionTo("[".repeat(250_000))).toBe("nested too deep");
    expect(objectionTo('{"a":'.repeat(50_000))).toBe("nested too deep");
    expect(parse).not.toHaveBeenCalled();
    expect(objectionTo("[]")).toBeNull();
  });

  test.each<readonly [string, string]>([
    ["__proto__", '{"__proto__":{"decision":"approve"}}'],
    ["__proto__ spelled with an escape", '{"\\u005f_proto__":{"decision":"approve"}}'],
    ["__proto__ with a plain value", '{"a":{"__proto__":null}}'],
    ["constructor", '[{"constructor":{"prototype":{}}}]'],
    ["prototype", '{"a":[{"prototype":1}]}'],
  ])("the key %s is refused", (_key, text) => {
    expect(objectionTo(text)).toBe("forbidden key");
    expect(taken('{"a":"__proto__","proto":["constructor","prototype"]}')).toEqual({
      a: "__proto__",
      proto: ["constructor", "prototype"],
    });
    expect("decision" in {}).toBe(false);
  });

  test.each<readonly [JsonObjection, string]>([
    ["NUL character", '{"a":"x\\u0000y"}'],
    ["NUL character", '{"a\\u0000":1}'],
    ["NUL character", '["\\u0000"]'],
    ["not JSON", '["\0"]'],
    ["not JSON", "[1]\0"],
    ["lone surrogate", '{"a":"\\ud83d"}'],
    ["lone surrogate", '{"a":"\\ude00\\ud83d"}'],
    ["lone surrogate", '{"\\udfff":1}'],
    ["lone surrogate", '["x\\ud83dy"]'],
  ])("%s: %j is refused", (objection, text) => {
    expect(objectionTo(text)).toBe(objection);
    expect(taken('{"a":"\\ud83d\\ude00\\u0001"}')).toEqual({ a: "😀\u0001" });
  });

  test.each([
    "9007199254740992",
    "-9007199254740992",
    "9007199254740993",
    "9007199254740992.0",
    "9007199254740992e0",
    "9.007199254740993e15",
    "90071992547409930e-1",
    "12345678901234567890",
    "1e16",
    "1E20",
    "1e+20",
    "-1e20",
    "1e308",
    "1e309",
    "1e400",
    "-1e400",
    "1".padEnd(400, "0"),
  ])("the number %s, whose neighbours parsers cannot tell apart, is refused", (number) => {
    expect(objectionTo(`{"a":[${number}]}`)).toBe("unsafe number");
    expect(objectionTo(`{"a":["${number}"]}`)).toBeNull();
  });

  test("numbers that every parser reads alike are taken", () => {
    const numbers = "[9007199254740991,-9007199254740991,0,-0,1.5,1e3,1e-400,0.1,1e15,2.5e-3]";
    expect(taken(numbers)).toEqual(JSON.parse(numbers));
  });

  test.each<readonly [string, readonly number[]]>([
    ["a lone continuation byte", [0x22, 0x80, 0x22]],
    ["a sequence cut short", [0x22, 0xe2, 0x82, 0x22]],
    ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
    ["an overlong NUL", [0x22, 0xc0, 0x80, 0x22]],
    ["a surrogate in UTF-8", [0x22, 0xed, 0xa0, 0xbd, 0x22]],
    ["a surrogate pair in UTF-8", [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]],
    ["a code point above the last", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ["a byte that never occurs", [0x22, 0xff, 0x22]],
    ["Latin-1", [0x22, 0xe9, 0x22]],
    ["little-endian UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ["big-endian UTF-16", [0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d]],
  ])("%s is not valid UTF-8", (_what, bytes) => {
    expect(parseStrictJson(Uint8Array.from(bytes))).toEqual({ ok: false, objection: "not valid UTF-8" });
    expect(taken('"é"')).toBe("é");
  });

  test("a byte order mark is refused at the beginning and is a character elsewhere", () => {
    expect(parseStrictJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toEqual({
      ok: false,
      objection: "byte order mark",
    });
    expect(taken('"\ufeff"')).toBe("\ufeff");
    expect(objectionTo("{}\ufeff")).toBe("not JSON");
  });

  test.each([
    "",
    " ",
    "{",
    '{"id":"a1","comm',
    "{'a':1}",
    "{a:1}",
    '{"a":1,}',
    "[1,]",
    "[01]",
    "[+1]",
    "[.5]",
    "[1.]",
    "[0x10]",
    "[NaN]",
    "[Infinity]",
    "[undefined]",
    '["\n"]',
    '["\\x41"]',
    '["\\u12"]',
    "{} {}",
    "{}//",
    "/**/{}",
    "\v{}",
    "\u00a0{}",
    '"a":1',
    '"',
    '"\\',
    "]",
    ":",
  ])("%j is not JSON", (text) => {
    expect(objectionTo(text)).toBe("not JSON");
    expect(taken(" {}\r\n\t")).toEqual({});
  });
});

describe("parseStrictJson takes good JSON", () => {
  const plainValue = fc.jsonValue({ maxDepth: 6, stringUnit: "grapheme" });

  test("it reads a good document as the native parser does", () => {
    fc.assert(
      fc.property(plainValue, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const parsed = parse(text);
        if (!parsed.ok) {
          // Only what the rules name may be refused in a document that the native parser takes.
          expect(hasOddity(value)).toBe(true);
          return;
        }
        expect(hasOddity(value)).toBe(false);
        expect(parsed.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test("it takes nothing that the native parser refuses", () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\ \n019.eE+-tfnu',
      '"a"',
      "null",
      "true",
      '\\"',
      "\\u0061",
      "{}",
      "[]",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const parsed = parse(text);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test("it never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof parseStrictJson(bytes).ok).toBe("boolean");
      }),
    );
    expect(taken("[]")).toEqual([]);
  });

  test("its steps grow with the size of the text and no faster", () => {
    const shapes: readonly ((size: number) => string)[] = [
      (size) => `"${"\\\\".repeat(size)}"`,
      (size) => `"${'\\"'.repeat(size)}"`,
      (size) => `"${"\\".repeat(size)}`,
      (size) => `"${'\\\\\\"'.repeat(size)}`,
      (size) => '"'.repeat(size),
      (size) => `[${'"",'.repeat(size)}0]`,
      (size) => "[]".repeat(size),
      (size) => `{${Array.from({ length: size }, (_, index) => `"${index}":0`).join()}}`,
    ];
    for (const shape of shapes) {
      const small = stepsFor(shape(500));
      const large = stepsFor(shape(4_000));
      expect(small).toBeGreaterThan(0);
      // Eight times the text; the keys of the last shape also grow by a digit.
      expect(large).toBeLessThanOrEqual(small * 11);
    }
  });
});

describe("textObjection", () => {
  test.each<readonly [JsonObjection, string]>([
    ["NUL character", "\0"],
    ["NUL character", "rm -rf \0x"],
    ["NUL character", "\0\ud800"],
    ["lone surrogate", "\ud800"],
    ["lone surrogate", "a\udfff"],
    ["lone surrogate", "\udc00\ud800"],
    ["lone surrogate", "😀\ud83d"],
  ])("%s in %j is refused", (objection, text) => {
    expect(textObjection(text)).toBe(objection);
    expect(textObjection("a\u0001😀\ufeff\uffff")).toBeNull();
  });

  test("a text without NUL is refused exactly when its UTF-8 does not read back", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", maxLength: 2 }),
      fc.integer({ min: 0xd7fe, max: 0xe001 }).map((code) => String.fromCharCode(code)),
    );
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join("").replaceAll("\0", "0");
        const readsBack = Buffer.from(text, "utf8").toString("utf8") === text;
        expect(textObjection(text)).toBe(readsBack ? null : "lone surrogate");
      }),
    );
  });
});

function parse(text: string): ParsedJson {
  return parseStrictJson(new TextEncoder().encode(text));
}

function objectionTo(text: string): JsonObjection | null {
  const parsed = parse(text);
  return parsed.ok ? null : parsed.objection;
}

function taken(text: string): unknown {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(`Refused: ${parsed.objection}`);
  return parsed.value;
}

/** Where the objects of a document open; written without the parser under test. */
function bracesOf(json: string): readonly number[] {
  const blanked = json.replace(/"(?:[^"\\]|\\.)*"/g, (string) => "s".repeat(string.length));
  return [...blanked.matchAll(/\{/g)].map((match) => match.index);
}

function pick(places: readonly number[], at: number): number {
  const place = places[at % places.length];
  if (place === undefined) throw new Error("The document has no object.");
  return place;
}

/** Does a value hold anything that the rules name? */
function hasOddity(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0") || Buffer.from(value).toString() !== value;
  if (typeof value === "number")
    return !Number.isFinite(value) || (value % 1 === 0 && Math.abs(value) > 2 ** 53 - 1);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, item]) =>
      hasOddity(key) || hasOddity(item) || ["__proto__", "constructor", "prototype"].includes(key),
  );
}

/** How many characters are looked at one by one, and how many times a quote is searched. */
function stepsFor(text: string): number {
  const looks = vi.spyOn(String.prototype, "charCodeAt");
  const searches = vi.spyOn(String.prototype, "indexOf");
  try {
    parse(text);
    return looks.mock.calls.length + searches.mock.calls.length;
  } finally {
    looks.mockRestore();
    searches.mockRestore();
  }
}
