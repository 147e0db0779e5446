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

const mebibyte = 1024 * 1024;

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
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    function* flood() {
      for (let count = 0; count < 512; count += 1) {
        most = Math.max(most, process.memoryUsage().arrayBuffers);
        yield Buffer.alloc(mebibyte, "x");
      }
      yield Buffer.from("\n{}\n");
    }
    expect(await linesOf(flood(), 1024)).toEqual(["(too long)", "{}"]);
    // What is no longer held goes away in time; all of it would be twice this.
    expect(most - before).toBeLessThan(256 * mebibyte);
  });

  it("end with a stream that breaks", async () => {
    async function* broken() {
      yield Buffer.from("one\ntw");
      throw new Error("EIO");
    }
    expect(await linesOf(broken(), 1024)).toEqual(["one", "tw"]);
  });
});
