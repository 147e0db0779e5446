import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/tui/state/event.js";
import { listenTo } from "../../../src/tui/terminal/input.js";
import { FakeClock } from "../../support/fake-clock.js";

function listen(): {
  readonly stream: PassThrough;
  readonly clock: FakeClock;
  readonly events: Event[];
  readonly ends: string[];
  readonly stop: () => void;
} {
  const stream = new PassThrough();
  const clock = new FakeClock();
  const events: Event[] = [];
  const ends: string[] = [];
  const onEnd = (): void => void ends.push("end");
  const stop = listenTo(stream, { clock, onEvent: (event) => events.push(event), onEnd });
  return { stream, clock, events, ends, stop };
}

/** Streams tell what was written in a turn of their own. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("standard input", () => {
  it("tells each key with the time at which it was read", async () => {
    const { stream, clock, events } = listen();
    stream.write("y");
    await settle();
    clock.advance(700);
    stream.write("d");
    await settle();
    expect(events).toMatchObject([
      { kind: "key", key: { text: "y" }, at: 1_000 },
      { kind: "key", key: { text: "d" }, at: 1_700 },
    ]);
  });

  it("takes a lone escape for the key once nothing follows it, and a sequence in two pieces for one", async () => {
    const { stream, clock, events } = listen();
    stream.write("\u001b");
    await settle();
    expect(events).toEqual([]);
    clock.advance(50);
    expect(events).toMatchObject([{ key: { name: "escape" } }]);
    stream.write("\u001b");
    await settle();
    clock.advance(30);
    stream.write("[A");
    await settle();
    clock.advance(100);
    expect(events.slice(1)).toMatchObject([{ key: { name: "up" } }]);
  });

  it("hears a character whose bytes come apart as one", async () => {
    const { stream, events } = listen();
    const bytes = Buffer.from("漢");
    stream.write(bytes.subarray(0, 1));
    await settle();
    stream.write(bytes.subarray(1));
    await settle();
    expect(events).toMatchObject([{ key: { text: "漢" } }]);
  });

  it("tells when it is over, and nothing more once it is stopped", async () => {
    const { stream, clock, events, ends, stop } = listen();
    stream.write("\u001b");
    await settle();
    stop();
    clock.advance(1_000);
    stream.write("y");
    await settle();
    expect(events).toEqual([]);
    const other = listen();
    other.stream.end();
    await new Promise((resolve) => other.stream.on("close", resolve));
    expect(other.ends).not.toEqual([]);
    expect(ends).toEqual([]);
  });
});
