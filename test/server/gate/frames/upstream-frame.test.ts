import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readUpstreamFrame } from "../../../../src/server/gate/frames/upstream-frame.js";

const read = (text: string) => readUpstreamFrame(Buffer.from(text));

/** Blanks change nothing about a message, however many. */
const padding = " ".repeat(20 * 1024);
const stray = { kind: "stray" };

describe("a line of an upstream", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"content":[]}}', { kind: "response", id: 7 }],
    ['{"result":{"id":8,"a":"}"},"jsonrpc":"2.0","id":"a\\"b"}', { kind: "response", id: 'a"b' }],
    ['{"jsonrpc":"2.0","id":7,"error":{"code":1}}', { kind: "response", id: 7 }],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1}}', { kind: "response", id: null }],
    ['{"jsonrpc":"2.0","id":1.5,"result":{}}', { kind: "odd response", written: "1.5" }],
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

  it("is one only where all of it is JSON, be it short or long", () => {
    const long = "x".repeat(20 * 1024);
    for (const text of ["", long]) {
      for (const garbage of ["\u001b\u0007 not json", '"a" "b"', "{]}", "\u0000", `"\u001b${text}"`, "NaN"]) {
        expect(read(`{"method":"notifications/message","params":{"a":"${text}","b":${garbage}}}`)).toEqual(
          stray,
        );
        expect(read(`{"id":7,"result":{"content":["${text}",${garbage}]}}`)).toEqual(stray);
      }
      expect(read(`{"id":7,"result":{"content":["${text}"]}}`)).toEqual({ kind: "response", id: 7 });
    }
  });

  it("is one only where all of it is UTF-8", () => {
    const cut = (bytes: number): Buffer =>
      Buffer.concat([
        Buffer.from('{"id":7,"result":{"a":"é'),
        Buffer.alloc(bytes, "x"),
        Buffer.of(0xc3),
        Buffer.from('"}}\n'),
      ]);
    expect(readUpstreamFrame(cut(1))).toEqual(stray);
    expect(readUpstreamFrame(cut(20_000))).toEqual(stray);
  });

  test.each([
    ["a method and a result", '{"id":7,"method":"ping","result":{}}'],
    ["a method and an error", '{"id":7,"error":{"code":1},"method":"notifications/x","params":{}}'],
    ["two ids", '{"id":7,"id":8,"result":{}}'],
    ["two ids, one of them written otherwise", '{"id":7,"i\\u0064":8,"result":{}}'],
    ["two results", '{"id":7,"result":{"content":[1]},"result":{"content":[2]}}'],
    ["an id in another case", '{"ID":7,"result":{}}'],
    ["an id in another case beside one", '{"id":8,"Id":7,"result":{}}'],
    ["a result in another case", '{"id":7,"method":"x","RESULT":{}}'],
    ["a result that is one only to Unicode", '{"id":7,"method":"x","re\u017fult":{}}'],
    ["a result without an id", '{"result":{}}'],
    ["an id that is long and no text", `{"id":[${"1,".repeat(600)}1],"result":{}}`],
    [
      "a carriage return inside, behind which a message stands",
      '{"method":"x","params":\r{"id":7,"result":{}}\r}',
    ],
    [
      "a message behind a carriage return and blanks",
      '{"method":"x","params":[\r \t{"id":7,"result":{}} \r]}',
    ],
    ["a method that is no text", '{"id":7,"method":["ping"]}'],
  ])("is stray where it holds %s", (_what, text) => {
    expect(read(text)).toEqual(stray);
    expect(read(text + padding)).toEqual(stray);
    expect(read(`${text}\r\n`)).toEqual(stray);
  });

  test.each([
    ["keys that nobody knows", '{"id":7,"result":{},"extra":{"ID":1}}', { kind: "response", id: 7 }],
    ["an error beside its result", '{"id":7,"result":{},"error":null}', { kind: "response", id: 7 }],
    [
      "an id that no call can have",
      '{"id":9007199254740993,"result":{}}',
      { kind: "odd response", written: "9007199254740992" },
    ],
    [
      "an id that is an object",
      '{"id":{ "a":[7] },"result":{}}',
      { kind: "odd response", written: '{"a":[7]}' },
    ],
    ["null for the id of a result", '{"id":null,"result":{}}', { kind: "odd response", written: "null" }],
    ["null for the id of an error", '{"id":null,"error":{"code":1}}', { kind: "response", id: null }],
    ["an error without an id", '{"error":{"code":-32700}}', { kind: "response", id: null }],
    ["a carriage return between its parts", '{"id":7,\r"result":{}}\r', { kind: "response", id: 7 }],
    ["CR and LF at its end", '{"id":7,"result":{}}\r\n', { kind: "response", id: 7 }],
    ["an id written with an escape", '{"id":"a\\u0062","result":{}}', { kind: "response", id: "ab" }],
  ])("goes on with %s", (_what, text, frame) => {
    expect(read(text)).toEqual(frame);
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

  it("may have a key that would be longer than a text can be in another form, or more keys than it can be kept for", () => {
    const folded = `{"${"\ufdfa".repeat(32_000_000)}":1,"method":"x"}`;
    expect(read(folded)).toEqual({ kind: "message", method: "x" });
    const many = Array.from({ length: 1_000 }, (_, index) => `"k${index}":1`).join(",");
    expect(read(`{${many}}`)).toEqual(stray);
    expect(read(`{${many},"method":"x"}`)).toEqual(stray);
  });
});
