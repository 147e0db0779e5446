/** Standard input as events: each with the monotonic time at which it was read. */
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
export type InputEvent = Extract<Event, { kind: "key" | "pasted" | "focused" }>;

/** Who is told of what is read. */
export interface InputOptions {
  readonly clock: Clock;
  readonly onEvent: (event: InputEvent) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
}

/** Time for the rest of a sequence to come through a slow line; a lone escape is a key after it. */
const sequenceMs = 50;

/** Reads `stream` until what is returned is called. */
export function listenTo(stream: InputStream, { clock, onEvent, onEnd }: InputOptions): () => void {
  const decoder = createDecoder();
  let waiting: Timer | null = null;

  function tell(all: readonly Heard[]): void {
    for (const heard of all) onEvent({ ...heard, at: clock.monotonic() });
  }
  function onData(data: string | Uint8Array): void {
    waiting?.cancel();
    waiting = null;
    tell(decoder.push(String(data)));
    if (decoder.isWaiting()) waiting = clock.after(sequenceMs, () => tell(decoder.flush()));
  }
  stream.setEncoding("utf8");
  stream.on("data", onData);
  const ends = ["end", "error", "close"] as const;
  for (const end of ends) stream.on(end, onEnd);
  stream.resume();
  return () => {
    waiting?.cancel();
    stream.off("data", onData);
    for (const end of ends) stream.off(end, onEnd);
    // An error that comes while the program ends is nobody's news.
    stream.on("error", () => {});
    stream.pause();
  };
}
