import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineSplitter, lookingSplitter } from "../../../../src/server/gate/frames/lines.js";

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

  it("are each looked at while they come, by a look of their own, which sees the bytes of the line and no others", () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 14 }), fc.array(fc.nat()), (bytes, places) => {
        const seen: string[] = [];
        const splitter = lookingSplitter<string>(
          4,
          {
            line: (line, looked) => void seen.push(`${line.toString("latin1")} ${looked}`),
            tooLong: () => undefined,
          },
          () => {
            const pieces: Buffer[] = [];
            return {
              push: (piece) => void pieces.push(piece),
              seen: (line) => `${Buffer.concat(pieces).equals(line)}`,
            };
          },
        );
        for (const chunk of cut(Buffer.from(bytes), places)) splitter.push(chunk);
        splitter.end();
        expect(seen.filter((one) => !one.endsWith(" true"))).toEqual([]);
        const short = read(4, [Buffer.from(bytes)]).filter((one) => typeof one === "string");
        expect(seen).toEqual(short.map((line) => `${line} true`));
      }),
    );
  });
});
