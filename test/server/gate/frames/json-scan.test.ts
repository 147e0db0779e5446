import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createJsonScan } from "../../../../src/server/gate/frames/json-scan.js";

const mostMarks = 201;

/** What stands right in the object that `bytes` are, as written, in pieces of so many bytes; null where they are none. */
function membersIn(bytes: Buffer, pieces = bytes.length + 1): readonly (readonly [string, string])[] | null {
  const scan = createJsonScan(mostMarks);
  for (let from = 0; from < bytes.length; from += pieces) scan.push(bytes.subarray(from, from + pieces));
  const marks = scan.marks();
  if (marks === null || !isUtf8(bytes)) return null;
  const between = (index: number): string =>
    bytes.toString("utf8", (marks[index] ?? 0) + 1, marks[index + 1]).trim();
  return Array.from({ length: Math.floor((marks.length - 1) / 2) }, (_, index) => [
    between(2 * index),
    between(2 * index + 1),
  ]);
}

/** By the parser of the platform, which builds what it reads. */
function isObjectFor(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Pieces of JSON, whole and broken, as they follow one another nearly right. */
const piece = fc.constantFrom(
  ...["{", "}", "[", "]", ",", ":", '"', '""', '"a"', '"a":', '{"a":', "{}", "[]", "[[", "]]", "}}", '":"'],
  ...[
    "\\",
    "\\n",
    "\\u00e9",
    "\\u00g9",
    "\\ud800",
    "\\x",
    '\\"',
    "\\\\",
    "\\u",
    "\u0000",
    "\u001f",
    "é",
    "\u2028",
  ],
  ...[
    "0",
    "-",
    "-0",
    "01",
    "1.",
    "1.5",
    ".5",
    "1e",
    "1e5",
    "1E+5",
    "1e-",
    "+1",
    "true",
    "tru",
    "null",
    "false",
  ],
  ...["NaN", "Infinity", "//", " ", "\t", "\n", "\r", "\f", "\u00a0", "\ufeff", "'"],
);

describe("bytes are an object of JSON", () => {
  test.each([
    ["{}", 0],
    [' \t\n\r{ "a" : 1 , "b" : [ ] , "" : { } } \n', 3],
    ['{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00eF"}', 1],
    ['{"a":-0.5e+10,"a":0,"c":1E-2,"d":10}', 4],
    ['{"a":[[],[{}],[1,[true,false,null,{"b":[]}]]]}', 1],
    ['{"a":"é 日本 \u2028 😀 \u007f"}', 1],
    [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 1],
    [`{"a":${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}}`, 1],
  ])("%s: with so many members", (text, count) => {
    expect(membersIn(Buffer.from(text))).toHaveLength(count);
  });

  it("and say where each member stands", () => {
    const members = membersIn(Buffer.from(' { "a\\n" : {"b":[1]} ,"c":-1.5e3, "é":"x" }')) ?? [];
    expect(members).toEqual([
      ['"a\\n"', '{"b":[1]}'],
      ['"c"', "-1.5e3"],
      ['"é"', '"x"'],
    ]);
  });

  it("only up to so many members", () => {
    const of = (count: number): Buffer =>
      Buffer.from(`{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(",")}}`);
    expect(membersIn(of(100))).toHaveLength(100);
    expect(membersIn(of(101))).toBeNull();
  });

  it("wherever they are cut into pieces", () => {
    const bytes = Buffer.from('{"a\\u00e9\\n":[true,false,null,-1.5e+10,{"b":"é"}],"c":0}');
    const whole = membersIn(bytes);
    expect(whole).toHaveLength(2);
    for (let pieces = 1; pieces < bytes.length; pieces += 1) expect(membersIn(bytes, pieces)).toEqual(whole);
  });
});

describe("no object of JSON are", () => {
  test.each([
    ...["", " ", "{", "}", "[1]", "1", '"a"', "null", "{}{}", "{} x", '{"a"}', '{"a":}', '{"a":1,}', "{,}"],
    ...["{a:1}", "{'a':1}", '{"a":1 "b":2}', '{"a" 1}', '{"a":1]', '{"a":[1}', '{"a":[1,]}', '{"a":[,1]}'],
    ...['{"a":{"b"}}', '{"a":{"b":1,}}', '{"a":{b:1}}', '{"a":{1:1}}', '{"a":[}]}', '{"a":"b}', '{"a":"\\"}'],
    ...[
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a":"\\u12"}',
      '{"a":"\t"}',
      '{"a":"\u0000"}',
      '{"a":"\n"}',
      '{"a\u001b":1}',
    ],
    ...[
      '{"a":01}',
      '{"a":1.}',
      '{"a":.5}',
      '{"a":+1}',
      '{"a":-}',
      '{"a":1e}',
      '{"a":1e+}',
      '{"a":0x1}',
      '{"a":1_0}',
    ],
    ...[
      '{"a":NaN}',
      '{"a":-Infinity}',
      '{"a":tru}',
      '{"a":nulll}',
      '{"a":True}',
      '{"a":1}//',
      "{/**/}",
      "\ufeff{}",
    ],
    ...["{\u00a0}", "{\f}", '{"a":\v1}'],
  ])("%j", (text) => {
    expect(isObjectFor(Buffer.from(text))).toBe(false);
    expect(membersIn(Buffer.from(text))).toBeNull();
  });

  test.each([
    ["a byte that begins nothing", [0xff]],
    ["a letter that is cut off", [0xc3]],
    ["a letter written longer than it is", [0xc0, 0xaf]],
    ["half of a pair", [0xed, 0xa0, 0x80]],
  ])("text with %s", (_what, bytes) => {
    const text = (inside: readonly number[]): Buffer =>
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from(inside), Buffer.from('"}')]);
    expect(membersIn(text(bytes))).toBeNull();
    expect(membersIn(text([0xc3, 0xa9]))).toHaveLength(1);
  });
});

describe("what is taken is what the platform's parser takes", () => {
  it("of pieces that nearly fit", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isInside) => {
        const bytes = Buffer.from(isInside ? `{"a":${pieces.join("")}}` : pieces.join(""));
        expect(membersIn(bytes) !== null).toBe(isObjectFor(bytes));
        expect(membersIn(bytes, 1)).toEqual(membersIn(bytes));
      }),
      { numRuns: 3_000 },
    );
  });

  it("of what is JSON, and of the same with one byte changed, taken out or put in", () => {
    const change = fc.record({ at: fc.nat(), cut: fc.nat({ max: 1 }), put: fc.uint8Array({ maxLength: 1 }) });
    fc.assert(
      fc.property(fc.object(), fc.nat({ max: 2 }), change, (value, indent, { at, cut, put }) => {
        const whole = Buffer.from(JSON.stringify(value, null, indent) ?? "{}");
        const place = at % (whole.length + 1);
        const spoilt = Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)]);
        expect(membersIn(whole) !== null).toBe(true);
        expect(membersIn(spoilt) !== null).toBe(isObjectFor(spoilt));
      }),
      { numRuns: 1_000 },
    );
  });

  it("of any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const given = Buffer.from(bytes);
        expect(membersIn(given) !== null).toBe(isObjectFor(given));
      }),
    );
  });
});
