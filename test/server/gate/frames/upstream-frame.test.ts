import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readUpstreamFrame } from "../../../../src/server/gate/frames/upstream-frame.js";

const read = (text: string) => readUpstreamFrame(Buffer.from(text));

/** So long that it is not parsed: blanks change nothing about a message. */
const padding = " ".repeat(20 * 1024);

describe("a line of an upstream", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"content":[]}}', { kind: "response", id: 7 }],
    ['{"result":{"id":8,"a":"}"},"jsonrpc":"2.0","id":"a\\"b"}', { kind: "response", id: 'a"b' }],
    ['{"jsonrpc":"2.0","id":7,"error":{"code":1}}', { kind: "response", id: 7 }],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1}}', { kind: "response", id: null }],
    ['{"jsonrpc":"2.0","id":1.5,"result":{}}', { kind: "response", id: null }],
    [
      '{"jsonrpc":"2.0","id":7,"method":"elicitation/create"}',
      { kind: "message", method: "elicitation/create" },
    ],
    [
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"id":7}}',
      { kind: "message", method: "notifications/x" },
    ],
    ['{"jsonrpc":"2.0","id":7}', { kind: "stray" }],
    ["listening on port 3000", { kind: "stray" }],
    ["[1]", { kind: "stray" }],
    ["7", { kind: "stray" }],
    ["", { kind: "stray" }],
    ['{"jsonrpc":"2.0","id":7,"result":{}', { kind: "stray" }],
    ['{"jsonrpc":"2.0","id":7,"result":"a', { kind: "stray" }],
    ['{"jsonrpc":"2.0","id":7,"result":}', { kind: "stray" }],
    ['{"jsonrpc":"2.0","id":7,"result":{}} x', { kind: "stray" }],
  ])("%s", (text, frame) => {
    expect(read(text)).toEqual(frame);
    expect(read(`${text}\n`)).toEqual(frame);
    expect(read(text + padding)).toEqual(frame);
    expect(read(padding + text)).toEqual(frame);
  });

  it("is read alike whether it is parsed or only looked over", () => {
    const key = fc.constantFrom(
      "id",
      "method",
      "result",
      "error",
      "jsonrpc",
      "x",
      "é",
      '"',
      "\\",
      "id\u0000",
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: "grapheme" }), fc.integer());
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.nat({ max: 3 }), (message, indent) => {
        const text = JSON.stringify(message, null, indent);
        expect(read(text + padding)).toEqual(read(text));
      }),
      { numRuns: 500 },
    );
  });

  it("is read without a throw, whatever came, and however long", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readUpstreamFrame(Buffer.from(bytes))));
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, at) => {
        const long = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(17_000) } });
        const place = at % long.length;
        void read(long.slice(0, place) + text + long.slice(place));
        void read(long.slice(0, place));
      }),
    );
  });

  it("may have a key that is very long, and one of the id's name behind it counts", () => {
    const key = "k".repeat(24_000_000);
    const line = Buffer.from(`{"${key}":1,"jsonrpc":"2.0","id":7,"result":{}}\n`);
    expect(readUpstreamFrame(line)).toEqual({ kind: "response", id: 7 });
  });
});
