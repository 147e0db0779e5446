import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineSplitter } from "../../../../src/server/gate/frames/lines.js";

function read(most: number, chunks: readonly Buffer[]): readonly (string | number)[] {
  const seen: (string | number)[] = [];
  const splitter = lineSplitter(most, {
    line: (line) => void seen.push(line.toString("latin1")),
    tooLong: (bytes) => void seen.push(bytes),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

/** `bytes` cut at these places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe("lines of a pipe", () => {
  it("are the bytes that came, in order, wherever the pipe cut them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 14 }), fc.array(fc.nat()), (bytes, places) => {
        const whole = Buffer.from(bytes);
        const lines = read(1_000, cut(whole, places));
        expect(lines.join("")).toBe(whole.toString("latin1"));
        for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[^\n]*\n$/);
      }),
    );
  });

  it("of more than the limit are passed over whole and counted, and the next one is read", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 5 }), (places) => {
        const text = Buffer.from(`short\n${"x".repeat(20)}\n12345678\n`);
        expect(read(9, cut(text, places))).toEqual(["short\n", 21, "12345678\n"]);
      }),
    );
  });

  it("need no newline at the end of the pipe, and none is made up of nothing", () => {
    expect(read(9, [Buffer.from("a\nb")])).toEqual(["a\n", "b"]);
    expect(read(9, [Buffer.from("a\n"), Buffer.alloc(0)])).toEqual(["a\n"]);
  });
});
