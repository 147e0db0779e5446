import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type ClientFrame, readClientFrame } from "../../../../src/server/gate/frames/client-frame.js";

function read(text: string): ClientFrame {
  return readClientFrame(Buffer.from(text));
}

const call =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write","arguments":{"path":"/a"}}}';

/** The good call with one thing exchanged. */
function altered(from: string, to: string): string {
  expect(call).toContain(from);
  return call.replace(from, to);
}

describe("a call of a tool", () => {
  it("is what was parsed once", () => {
    const frame = read(call);
    expect(frame).toMatchObject({ kind: "call", id: 7, name: "write", arguments: { path: "/a" } });
    expect(frame.kind === "call" && frame.message).toEqual(JSON.parse(call));
    expect(frame.kind === "call" && frame.bytes).toBe(call.length);
  });

  it("may leave its arguments out, and carry what is not known here in params", () => {
    expect(read(altered(',"arguments":{"path":"/a"}', ',"later":1'))).toMatchObject({
      kind: "call",
      arguments: {},
      params: { later: 1 },
    });
  });

  test.each<readonly [string, string, number | null]>([
    ["in a batch", `[${call}]`, null],
    ["in a batch of one inside another", `[[${call}]]`, null],
    ["under a method in other letters", altered("tools/call", "Tools/Call"), 7],
    ["under a method with a blank", altered("tools/call", "tools/call "), 7],
    ["under a second method", altered('"params"', '"Method":"ping","params"'), 7],
    ["under a method that stands twice", altered('"params"', '"method":"ping","params"'), 7],
    ["under an id that stands twice", altered('"params"', '"id":8,"params"'), null],
    ["without an id", altered('"id":7,', ""), null],
    ["under an id that is null", altered('"id":7', '"id":null'), null],
    ["under an id with a fraction", altered('"id":7', '"id":7.5'), null],
    ["under an id that readers round", altered('"id":7', '"id":9007199254740993'), null],
    ["under an id that is a list", altered('"id":7', '"id":[7]'), null],
    ["with an unknown key", altered('"params"', '"extra":1,"params"'), 7],
    ["with a key in other letters", altered('"params"', '"Params":{},"params"'), 7],
    ["with a name in other letters", altered('"name"', '"Name":"ping","name"'), 7],
    ["with arguments in other letters", altered('"arguments"', '"ARGUMENTS":{},"arguments"'), 7],
    ["with arguments under the long s", altered('"arguments"', '"argument\u017f":{},"arguments"'), 7],
    ["with a task under the Kelvin sign", altered('"arguments"', '"tas\u212a":{},"arguments"'), 7],
    ["with a name that stands twice", altered('"name"', '"name":"ping","name"'), 7],
    ["with a name that stands twice, once escaped", altered('"name"', '"n\\u0061me":"ping","name"'), 7],
    ["with an argument that stands twice, deep down", altered('"/a"', '{"x":[{"y":1,"y":2}]}'), 7],
    ["with a prototype", altered('"path"', '"__proto__":{"path":1},"path"'), 7],
    ["with a constructor, deep down", altered('"/a"', '{"x":[{"constructor":1}]}'), 7],
    ["with a number that readers round", altered('"/a"', "12345678901234567890"), 7],
    ["with a number that is whole and too large in another spelling", altered('"/a"', "1e16"), 7],
    ["with a number that is no longer finite", altered('"/a"', "1e400"), 7],
    [
      "with a number that readers round in its _meta",
      altered('"arguments"', '"_meta":{"n":1e17},"arguments"'),
      7,
    ],
    ["with half a character", altered('"/a"', '"\\ud800"'), 7],
    ["with a NUL", altered('"/a"', '"a\\u0000"'), 7],
    ["without a name", altered('"name":"write",', ""), 7],
    ["with a name that is a number", altered('"write"', "1"), 7],
    ["with arguments that are a list", altered('{"path":"/a"}', "[1]"), 7],
    ["with params that are a list", altered('{"name":"write","arguments":{"path":"/a"}}', '["write"]'), 7],
  ])("%s is refused", (_how, text, id) => {
    expect(read(text)).toMatchObject({ kind: "refused", code: -32_600, id });
    expect(read(call)).toMatchObject({ kind: "call" });
  });

  test.each<readonly [string, string | Uint8Array]>([
    ["nothing", ""],
    ["a word", "hello"],
    ["half of a message", call.slice(0, -1)],
    ["two messages", `${call}${call}`],
    ["a message behind a byte order mark", `\ufeff${call}`],
    ["bytes that are no text", Uint8Array.of(0x7b, 0xff, 0x7d)],
    ["brackets as deep as a pit", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
  ])("%s is no JSON of ours", (_what, text) => {
    expect(readClientFrame(Buffer.from(text))).toMatchObject({ kind: "refused", code: -32_700, id: null });
  });

  it("takes any other key in the arguments, also such that differ by case from a known one", () => {
    const frame = read(altered('"path":"/a"', '"Name":1,"name":2,"_META":3'));
    expect(frame).toMatchObject({ kind: "call", arguments: { Name: 1, name: 2, _META: 3 } });
  });
});

describe("every other message", () => {
  it("is told apart by what it has", () => {
    expect(read('{"jsonrpc":"2.0","id":"a","method":"ping"}')).toMatchObject({ kind: "request", id: "a" });
    expect(read('{"jsonrpc":"2.0","method":"notifications/x"}')).toMatchObject({ kind: "notification" });
    expect(read('{"jsonrpc":"2.0","id":1,"result":{}}')).toMatchObject({ kind: "response", id: 1 });
    expect(read('{"jsonrpc":"2.0","id":1,"error":{}}')).toMatchObject({ kind: "response", id: 1 });
    expect(read('{"jsonrpc":"2.0","id":1}')).toMatchObject({ kind: "refused" });
    expect(read("7")).toMatchObject({ kind: "refused", code: -32_600 });
  });

  it("may hold large numbers, half characters and keys that are not known in its params", () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"n":1e400,"t":"\\ud800","Name":1}}';
    expect(read(text)).toMatchObject({ kind: "request", method: "x/y" });
  });

  it("never holds a key twice, whatever it is", () => {
    expect(read('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1,"a":2}}')).toMatchObject({
      kind: "refused",
      id: 1,
      code: -32_600,
    });
  });

  it("is read without a throw, whatever came", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readClientFrame(bytes)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void read(JSON.stringify(value))));
  });
});

describe("what is a call to any reader that does not look at case", () => {
  it("is a call here, or is refused", () => {
    const letters = (word: string) =>
      fc
        .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
        .map((ups) => [...word].map((one, at) => (ups[at] ? one.toUpperCase() : one)).join(""));
    fc.assert(
      fc.property(
        letters("method"),
        letters("tools/call"),
        letters("params"),
        letters("name"),
        (m, v, p, n) => {
          const text = JSON.stringify({ jsonrpc: "2.0", id: 1, [m]: v, [p]: { [n]: "wipe", name: "wipe" } });
          expect(["call", "refused"]).toContain(read(text).kind);
        },
      ),
    );
  });
});
