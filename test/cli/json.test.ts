import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLine } from "../../src/cli/json.js";

describe("JSON for scripts", () => {
  it("parses back to the same value and holds printable ASCII alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const line = jsonLine({ text });
        expect(JSON.parse(line)).toEqual({ text });
        expect(line).toMatch(/^[\x20-\x7e]*\n$/);
      }),
    );
  });

  it("is one line whatever the text holds", () => {
    expect(jsonLine({ text: "a\nb\u2028\u009b1m\u{1f600}" })).toBe(
      '{"text":"a\\nb\\u2028\\u009b1m\\ud83d\\ude00"}\n',
    );
  });
});
