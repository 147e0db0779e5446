/** Lines of somebody else's making, cut anywhere. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedLines } from "../../../src/cli/chat/bounded-lines.js";

async function linesOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, most: number) {
  const input = (async function* () {
    yield* chunks;
  })();
  const told: string[] = [];
  for await (const line of boundedLines(input, most)) {
    told.push(line.kind === "line" ? Buffer.from(line.bytes).toString("latin1") : "(too long)");
  }
  return told;
}

describe("lines of a stream", () => {
  it("are the same however the stream is cut", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r") });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.nat({ max: 40 })),
        fc.integer({ min: 0, max: 6 }),
        async (all, cuts, most) => {
          const bytes = Buffer.from(all);
          const ends = [...cuts, bytes.length].sort((a, b) => a - b);
          const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
          const whole = all.split("\n");
          if (whole.at(-1) === "") whole.pop();
          expect(await linesOf(chunks, most)).toEqual(
            whole.map((line) => (line.length > most ? "(too long)" : line)),
          );
        },
      ),
    );
  });

  it("that are too long take no memory, and the one behind them is read", async () => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    function* flood() {
      for (let count = 0; count < 512; count += 1) yield piece;
      yield Buffer.from("\n{}\n");
    }
    const before = process.memoryUsage().arrayBuffers;
    expect(await linesOf(flood(), 1024)).toEqual(["(too long)", "{}"]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * piece.length);
  });

  it("end with a stream that breaks", async () => {
    async function* broken() {
      yield Buffer.from("one\ntw");
      throw new Error("EIO");
    }
    expect(await linesOf(broken(), 1024)).toEqual(["one", "tw"]);
  });
});
