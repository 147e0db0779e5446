/**
 * Lines to a front end that may read slowly or be gone. What waits to be written is kept as what makes its line, so that
 * thousands of requests cost no second copy of themselves.
 */
import type { Writable } from "node:stream";
import { jsonLine } from "../json.js";

/** One for the whole of a session. */
export interface Outbox {
  /** Writes the line that `make` returns, after all before it. */
  send(make: () => object): void;
  /** Resolves when all that was sent is handed over, or nobody reads any more. */
  drained(): Promise<void>;
  /** Is there anything that the reader has not made room for? */
  readonly isFull: boolean;
}

/** Writes to `stream`, whose faults are taken for the end of its reader: then `onGone` is called once. */
export function openOutbox(stream: Writable, onGone: () => void): Outbox {
  let queue: (() => object)[] = [];
  let isFull = false;
  let isGone = false;
  let waiting: (() => void)[] = [];

  const pump = (): void => {
    let next = 0;
    while (!isFull && !isGone && next < queue.length) {
      const line = queue[next]?.() ?? {};
      next += 1;
      isFull = !stream.write(jsonLine(line));
    }
    queue = isGone ? [] : queue.slice(next);
    if (isFull && !isGone) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  stream.on("drain", () => {
    isFull = false;
    pump();
  });
  stream.on("error", () => {
    if (isGone) return;
    isGone = true;
    pump();
    onGone();
  });
  return {
    send(make) {
      queue.push(make);
      pump();
    },
    drained: () => (isFull && !isGone ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    get isFull() {
      return isFull;
    },
  };
}
