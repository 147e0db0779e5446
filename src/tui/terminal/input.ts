/**
 * Standard input as events: each with the monotonic time at which it was read, and each key with a time before it was
 * pressed. Invariant: what a person pressed while this program was busy is not told as pressed when it was read.
 */
import type { Clock, Timer } from "../../broker/index.js";
import type { Event } from "../state/event.js";
import { createDecoder, type Heard } from "./keys.js";

/** What is read: standard input, or a stand-in for it. */
export interface InputStream {
  on(event: "data", listener: (data: string | Uint8Array) => void): unknown;
  on(event: "end" | "error" | "close", listener: () => void): unknown;
  off(event: "data", listener: (data: string | Uint8Array) => void): unknown;
  off(event: "end" | "error" | "close", listener: () => void): unknown;
  setEncoding(encoding: "utf8"): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** What a terminal tells by itself. */
export type InputEvent = Extract<Event, { kind: "key" | "pasted" | "focused" | "noise" }>;

/** Who is told of what is read. */
export interface InputOptions {
  readonly clock: Clock;
  /** Runs `run` after whatever can be read now was read. */
  readonly afterReading: (run: () => void) => void;
  readonly onEvent: (event: InputEvent) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
}

/** Opened by `listenTo`. */
export interface Input {
  /** Something has changed: what is pressed from now on has to be told from what was pressed before. */
  watch(): void;
  /** Reads no more. */
  close(): void;
}

/** Time for the rest of a sequence to come through a slow line; a lone escape is a key after it. */
const sequenceMs = 50;

/** Time for the rest of what cannot be a key any more: longer than the quiet after which a letter of it would decide. */
const replyMs = 2_000;

/** A key that could have been pressed this much earlier is not told from one that was. */
const probeMs = 100;

/** After so many there was half a second without a key, and keys are as late as they may be. */
const probes = 7;

/** Reads `stream` until it is closed. */
export function listenTo(stream: InputStream, { clock, afterReading, onEvent, onEnd }: InputOptions): Input {
  const decoder = createDecoder();
  let waiting: Timer | null = null;
  let probing: Timer | null = null;
  let probesLeft = 0;
  let reads = 0;
  /** Nothing that was not read by now had been sent by then. */
  let emptyAt = Number.NEGATIVE_INFINITY;

  function tell(all: readonly Heard[], since: number): void {
    const at = clock.monotonic();
    for (const heard of all) onEvent(heard.kind === "key" ? { ...heard, at, since } : { ...heard, at });
  }
  function onData(data: string | Uint8Array): void {
    reads += 1;
    watch();
    waiting?.cancel();
    waiting = null;
    const text = String(data);
    // A terminal without marks around what is pasted sends it in one piece. Every key that decides is one character.
    const isAlone = !decoder.isWaiting() && [...text].length === 1;
    const heard = decoder.push(text);
    // A reply, too, comes when somebody does something: no key decides in the half second after it.
    if (heard.length === 0) onEvent({ kind: "noise", at: clock.monotonic() });
    tell(heard, isAlone ? emptyAt : Number.NEGATIVE_INFINITY);
    if (decoder.isWaiting()) waiting = clock.after(sequenceMs, giveUp);
  }
  function giveUp(): void {
    tell(decoder.flush(), emptyAt);
    waiting = decoder.isWaiting() ? clock.after(replyMs, () => decoder.forget()) : null;
  }
  /** Only what is read tells what was sent: while nothing comes, it is looked whether there is anything to read. */
  function watch(): void {
    probesLeft = probes;
    probing ??= clock.every(probeMs, probe);
  }
  function probe(): void {
    const at = clock.monotonic();
    const before = reads;
    afterReading(() => {
      if (reads === before) emptyAt = at;
    });
    probesLeft -= 1;
    if (probesLeft > 0) return;
    probing?.cancel();
    probing = null;
  }
  stream.setEncoding("utf8");
  stream.on("data", onData);
  const ends = ["end", "error", "close"] as const;
  for (const end of ends) stream.on(end, onEnd);
  stream.resume();
  watch();
  return {
    watch,
    close() {
      waiting?.cancel();
      probing?.cancel();
      probing = null;
      stream.off("data", onData);
      for (const end of ends) stream.off(end, onEnd);
      // An error that comes while the program ends is nobody's news.
      stream.on("error", () => {});
      stream.pause();
    },
  };
}
