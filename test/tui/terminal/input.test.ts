import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/tui/state/event.js";
import { type Input, listenTo } from "../../../src/tui/terminal/input.js";
import { FakeClock } from "../../support/fake-clock.js";

interface Listening {
  readonly stream: PassThrough;
  readonly clock: FakeClock;
  readonly events: Event[];
  readonly ends: string[];
  readonly input: Input;
  /** Time passes in which the program has nothing to do, so that whatever is sent is read at once. */
  idle(ms: number): void;
  /** Time passes in which the program is busy; then its timers run, and then it reads what was sent. */
  busy(ms: number, sent: string): Promise<void>;
  /** Whatever was sent was read. */
  read(): void;
}

function listen(): Listening {
  const stream = new PassThrough();
  const clock = new FakeClock();
  const events: Event[] = [];
  const ends: string[] = [];
  /** What is to run after reading. */
  const due: (() => void)[] = [];
  const read = (): void => {
    for (const run of due.splice(0)) run();
  };
  const input = listenTo(stream, {
    clock,
    afterReading: (run) => void due.push(run),
    onEvent: (event) => events.push(event),
    onEnd: () => void ends.push("end"),
  });
  return {
    stream,
    clock,
    events,
    ends,
    input,
    read,
    idle(ms) {
      for (let passed = 0; passed < ms; passed += 10) {
        clock.advance(Math.min(10, ms - passed));
        read();
      }
    },
    async busy(ms, sent) {
      clock.advance(ms);
      stream.write(sent);
      await settle();
      read();
    },
  };
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
    const keys = (): readonly Event[] => events.filter(({ kind }) => kind === "key");
    stream.write("\u001b");
    await settle();
    expect(keys()).toEqual([]);
    clock.advance(50);
    expect(keys()).toMatchObject([{ key: { name: "escape" } }]);
    stream.write("\u001b");
    await settle();
    clock.advance(30);
    stream.write("[A");
    await settle();
    clock.advance(100);
    expect(keys().slice(1)).toMatchObject([{ key: { name: "up" } }]);
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

  it("tells of everything that it drops, and takes the rest of it for no key for two seconds", async () => {
    const { stream, clock, events } = listen();
    stream.write("\u001b[?2026;2$");
    await settle();
    clock.advance(2_000);
    stream.write("y");
    await settle();
    expect(events).toEqual([
      { kind: "noise", at: 1_000 },
      { kind: "noise", at: 3_000 },
    ]);
    stream.write("\u001b[?2026;2$");
    await settle();
    clock.advance(2_100);
    stream.write("y");
    await settle();
    expect(events.slice(2)).toMatchObject([{ kind: "noise" }, { kind: "key", key: { text: "y" } }]);
  });

  it("tells when it is over, and nothing more once it is closed", async () => {
    const { stream, clock, events, ends, input } = listen();
    stream.write("\u001b");
    await settle();
    input.close();
    const { length } = events;
    clock.advance(1_000);
    stream.write("y");
    await settle();
    expect(events).toHaveLength(length);
    expect(clock.timers).toBe(0);
    const other = listen();
    other.stream.end();
    await new Promise((resolve) => other.stream.on("close", resolve));
    expect(other.ends).not.toEqual([]);
    expect(ends).toEqual([]);
  });
});

describe("the time before a key was pressed", () => {
  it("is little before it was read, where the program was idle", async () => {
    const { stream, clock, events, idle } = listen();
    idle(600);
    stream.write("y");
    await settle();
    expect(clock.monotonic()).toBe(1_600);
    expect(events).toMatchObject([{ at: 1_600, since: 1_600 }]);
    idle(560);
    stream.write("y");
    await settle();
    expect(events.slice(1)).toMatchObject([{ at: 2_160, since: 2_100 }]);
  });

  it("is before the program was busy, however long that was and whichever timers ran first", async () => {
    const { events, idle, busy } = listen();
    idle(600);
    await busy(5_000, "y");
    expect(events).toMatchObject([{ at: 6_600, since: 1_600 }]);
    // A terminal hands over only so much at once: what it still holds may be as old.
    await busy(0, "y");
    expect(events.slice(1)).toMatchObject([{ at: 6_600, since: 1_600 }]);
    idle(600);
    await busy(10, "d");
    expect(events.slice(2)).toMatchObject([{ at: 7_210, since: 7_200 }]);
  });

  it("is before whatever else was done in the turn in which nothing was read", async () => {
    const { clock, events, idle, busy, read } = listen();
    idle(590);
    // The last times at which it is looked; what else there is to do after the look takes long.
    clock.advance(3_000);
    read();
    await busy(0, "y");
    expect(events).toMatchObject([{ at: 4_590, since: 1_700 }]);
  });

  it("is looked for anew when something changes, and not while nothing does", async () => {
    const { stream, clock, events, input, idle } = listen();
    idle(10_000);
    expect(clock.timers).toBe(0);
    input.watch();
    idle(800);
    expect(clock.timers).toBe(0);
    stream.write("y");
    await settle();
    expect(events).toMatchObject([{ at: 11_800, since: 11_700 }]);
  });

  it("is not known of what came together with anything else", async () => {
    for (const sent of ["yes please\r", "y\r", "\u001b[?1;2cy", "\u001b[Iy", "yy"]) {
      const { stream, events, idle } = listen();
      idle(600);
      stream.write(sent);
      await settle();
      const keys = events.filter((event) => event.kind === "key");
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.every(({ since }) => since === Number.NEGATIVE_INFINITY)).toBe(true);
      idle(600);
      stream.write("y");
      await settle();
      expect(events.at(-1)).toMatchObject({ kind: "key", since: 2_200 });
    }
  });
});
