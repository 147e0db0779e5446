/** A reader that is slow, or gone. */
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { openOutbox } from "../../../src/cli/chat/outbox.js";

/** A stream that takes one line at a time, when the test says so. */
function slowStream() {
  const written: string[] = [];
  let done: ((error?: Error | null) => void) | null = null;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, callback) {
      written.push(chunk.toString());
      done = callback;
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    stream,
    written,
    async reads(error: Error | null = null): Promise<void> {
      const callback = done;
      done = null;
      callback?.(error);
      await turn();
    },
  };
}

describe("an outbox", () => {
  it("makes no line before there is room for it, keeps their order, and says when all is handed over", async () => {
    const { stream, written, reads } = slowStream();
    const outbox = openOutbox(stream, () => {});
    const made: number[] = [];
    for (const count of [1, 2, 3]) {
      outbox.send(() => {
        made.push(count);
        return { type: "t", count };
      });
    }
    let isDrained = false;
    void outbox.drained().then(() => {
      isDrained = true;
    });
    expect(made).toEqual([1]);
    expect(outbox.isFull).toBe(true);
    await reads();
    await reads();
    expect(made).toEqual([1, 2, 3]);
    expect(isDrained).toBe(false);
    await reads();
    expect(isDrained).toBe(true);
    expect(written.map((line) => JSON.parse(line))).toEqual([1, 2, 3].map((count) => ({ type: "t", count })));
  });

  it("says once that nobody reads any more, and holds nobody up then", async () => {
    const { stream, written, reads } = slowStream();
    let gone = 0;
    const outbox = openOutbox(stream, () => {
      gone += 1;
    });
    outbox.send(() => ({ type: "one" }));
    outbox.send(() => ({ type: "two" }));
    const drained = outbox.drained();
    await reads(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await drained;
    stream.emit("error", new Error("write EPIPE"));
    outbox.send(() => ({ type: "three" }));
    await outbox.drained();
    expect(gone).toBe(1);
    expect(written).toHaveLength(1);
  });

  it("writes nothing that a terminal interprets", () => {
    const { stream, written } = slowStream();
    openOutbox(stream, () => {}).send(() => ({ type: "t", text: "\u001b[2J\u009b\u202e\n" }));
    expect(written.join("")).toMatch(/^[\x20-\x7e]+\n$/);
  });
});
