/**
 * What a command writes on one stream. Memory is bounded however much comes: the beginning and the end are held,
 * and once they are not all of it the whole goes to a file. A disk that fails costs the file, never the command.
 */
import { errnoOf } from "../../broker/index.js";

/** Where whole outputs are kept; both functions throw the system's errors. */
export interface OutputStore {
  create(stream: StreamName): OutputFile;
}

/** Each of the two is captured by itself. */
export type StreamName = "stdout" | "stderr";

/** A file that is being filled. Both functions throw the system's errors. */
export interface OutputFile {
  readonly path: string;
  append(bytes: Uint8Array): void;
  close(): void;
}

/** What became of the whole of an output that was too long to show. */
export interface KeptOutput {
  /** Null when no file could be made. */
  readonly path: string | null;
  /** How many bytes of the beginning are in the file. */
  readonly bytes: number;
  /** Why the file does not hold everything, or null when it does. */
  readonly problem: string | null;
}

/** What can be told of a stream once it has ended. */
export interface Captured {
  /** Decoded as UTF-8, with replacement characters for what is none; cut in the middle when too long. */
  readonly text: string;
  readonly isTruncated: boolean;
  readonly kept: KeptOutput | null;
}

/** Takes one stream as it comes. */
export interface Capture {
  write(chunk: Uint8Array): void;
  /** To be called once, at the end. */
  finish(): Captured;
}

/** Of one stream at most this much is kept in a file. */
export const mostKeptBytes = 64 * 1024 * 1024;

/** A capture whose text takes at most `limit` bytes as a JSON string. */
export function captureOf(stream: StreamName, limit: number, store: OutputStore): Capture {
  // A byte never takes less than a byte of JSON, so no more than half the limit is shown of either end.
  const ends = new Ends(Math.ceil(limit / 2));
  const keeper = new Keeper(stream, store);
  return {
    write(chunk) {
      if (keeper.isOpen) keeper.append(chunk);
      else if (ends.total + chunk.length > limit) keeper.open([...ends.parts(), chunk]);
      ends.add(chunk);
    },
    finish() {
      const whole = decode(Buffer.concat(ends.parts()));
      if (ends.total <= limit && jsonBytes(whole) <= limit) {
        return { text: whole, isTruncated: false, kept: null };
      }
      if (!keeper.isOpen) keeper.open(ends.parts());
      const kept = keeper.close();
      return { text: cutText(ends, limit, kept), isTruncated: true, kept };
    },
  };
}

/** The first and the last `size` bytes of a stream. */
class Ends {
  readonly #head: Buffer;
  readonly #tail: Buffer;
  /** How many bytes came in all. */
  total = 0;

  constructor(size: number) {
    this.#head = Buffer.alloc(size);
    this.#tail = Buffer.alloc(size);
  }

  add(chunk: Uint8Array): void {
    const size = this.#head.length;
    const toHead = Math.min(chunk.length, Math.max(0, size - this.total));
    this.#head.set(chunk.subarray(0, toHead), Math.min(this.total, size));
    this.total += chunk.length;
    const rest = chunk.subarray(Math.max(toHead, chunk.length - size));
    // The tail is a ring; its next free place follows from how much has come.
    const start = (this.total - rest.length) % size;
    const beforeWrap = rest.subarray(0, size - start);
    this.#tail.set(beforeWrap, start);
    this.#tail.set(rest.subarray(beforeWrap.length), 0);
  }

  head(): Buffer {
    return this.#head.subarray(0, this.total);
  }

  tail(): Buffer {
    const size = this.#tail.length;
    const length = Math.min(size, Math.max(0, this.total - size));
    const end = this.total % size;
    const start = end - length;
    if (start >= 0) return this.#tail.subarray(start, end);
    return Buffer.concat([this.#tail.subarray(size + start), this.#tail.subarray(0, end)]);
  }

  /** Both ends; everything, while no more than both came. */
  parts(): readonly Buffer[] {
    return [this.head(), this.tail()];
  }
}

class Keeper {
  readonly #stream: StreamName;
  readonly #store: OutputStore;
  #file: OutputFile | null = null;
  #bytes = 0;
  #problem: string | null = null;
  isOpen = false;

  constructor(stream: StreamName, store: OutputStore) {
    this.#stream = stream;
    this.#store = store;
  }

  open(beginning: readonly Uint8Array[]): void {
    this.isOpen = true;
    this.#try(() => {
      this.#file = this.#store.create(this.#stream);
    });
    for (const part of beginning) this.append(part);
  }

  append(chunk: Uint8Array): void {
    const file = this.#file;
    if (file === null || this.#problem !== null) return;
    const taken = chunk.subarray(0, mostKeptBytes - this.#bytes);
    this.#try(() => {
      file.append(taken);
      this.#bytes += taken.length;
      if (taken.length < chunk.length) this.#problem = `only the first ${mostKeptBytes} bytes are kept`;
    });
  }

  close(): KeptOutput {
    this.#try(() => this.#file?.close());
    return { path: this.#file?.path ?? null, bytes: this.#bytes, problem: this.#problem };
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#problem ??= `the disk did not take it (${errnoOf(error) ?? "unknown error"})`;
    }
  }
}

function cutText(ends: Ends, limit: number, kept: KeptOutput): string {
  // The longest the mark can get: the numbers in it only become smaller.
  const room = Math.floor((limit - jsonBytes(markOf(ends.total, ends.total, kept))) / 2);
  const head = fitting(ends.head(), room, (bytes, length) => bytes.subarray(0, wholeEnd(bytes, length)));
  const tail = fitting(ends.tail(), room, (bytes, length) =>
    bytes.subarray(wholeStart(bytes, bytes.length - length)),
  );
  return decode(head) + markOf(ends.total - head.length - tail.length, ends.total, kept) + decode(tail);
}

function markOf(missing: number, total: number, kept: KeptOutput): string {
  const whole =
    kept.path === null
      ? "The whole was not kept"
      : `${kept.problem === null ? "The whole" : "What was kept of it"} is in ${kept.path}`;
  return `\n[${missing} of ${total} bytes are missing here. ${whole}${kept.problem === null ? "" : `: ${kept.problem}`}.]\n`;
}

/** The longest `part` of `bytes` whose text takes at most `room` bytes of JSON. */
function fitting(bytes: Buffer, room: number, part: (bytes: Buffer, length: number) => Buffer): Buffer {
  let fits = 0;
  let tooLong = bytes.length + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (jsonBytes(decode(part(bytes, middle))) <= room) fits = middle;
    else tooLong = middle;
  }
  return part(bytes, fits);
}

/** UTF-8 takes at most three bytes behind the first of a character. */
const mostContinuations = 3;

/** `end`, or the beginning of the character that it would cut. */
function wholeEnd(bytes: Buffer, end: number): number {
  if (end >= bytes.length) return end;
  let start = end;
  while (end - start < mostContinuations && isContinuation(bytes[start])) start -= 1;
  return isContinuation(bytes[start]) ? end : Math.max(0, start);
}

/** `start`, or the end of the character that it would cut. */
function wholeStart(bytes: Buffer, start: number): number {
  let next = start;
  while (next - start < mostContinuations && isContinuation(bytes[next])) next += 1;
  return isContinuation(bytes[next]) ? start : next;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The quotes around the string are not counted. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text), "utf8") - 2;
}
