/**
 * One gate between two pipes, from its first message to its last. Invariants: no more is kept than one side of the other's
 * longest message; and whichever side goes first, the other is ended, and what waits for a person is withdrawn.
 */
import type { Readable, Writable } from "node:stream";
import { type Clock, shownText } from "../../broker/index.js";
import type { FrameId } from "./frames/client-frame.js";
import { lineSplitter } from "./frames/lines.js";
import type { Upstream, UpstreamEnd, UpstreamOptions } from "./frames/upstream-stdio.js";
import { type GateParts, openGate } from "./gate.js";

/** Hears what comes from an upstream. */
export interface UpstreamListener extends Pick<UpstreamOptions, "lines" | "onFlow" | "onEnd"> {
  /** What was sent under `id` is not answered, for the reason given in words; unless it is unsent, it may have arrived. */
  readonly onLost: (id: FrameId, why: string, isUnsent: boolean) => void;
}

/** Starts what is behind a gate, for whoever hears it. */
export type StartUpstream = (listener: UpstreamListener) => Upstream;

/** What a gate serves, and over what. */
export interface ServeGateOptions extends Omit<GateParts, "toClient" | "toUpstream" | "onWaiting"> {
  /** From the client, and to it. Where it is a terminal, a person started the gate by hand. */
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  /** The longest message of the client's that is read. */
  readonly mostBytes: number;
  /** Is the client still there? Asked once a second while nothing is read from it, when its end cannot be seen. */
  readonly isClientThere: () => boolean;
  readonly startUpstream: StartUpstream;
  /** One line for whoever looks at what this process says, safe to show. */
  readonly say: (line: string) => void;
  /** The end begins: with the status of the upstream, null where that still runs. */
  readonly onEnding: (status: number | null) => void;
}

/** A gate that runs. */
export interface ServedGate {
  /** Resolves with the status of the upstream, once that is gone and everything that waited is settled. */
  readonly ended: Promise<number>;
  /** Ends both sides, as when the client leaves. Idempotent. */
  stop(why: string): void;
  /** Ends the upstream at once, for a process that is about to exit. */
  kill(): void;
}

/** No process outlives its client by more than two of them. */
const lookMs = 1_000;

const byHand =
  "a client starts this, and speaks to it here; until one does nothing happens. wisp gate install NAME puts it into a client's configuration. Ctrl-C ends it.";

/** Starts the upstream, and serves. */
export function serveGate(options: ServeGateOptions): ServedGate {
  const { input, output, mostBytes, isClientThere, startUpstream, say, onEnding, ...parts } = options;
  const { clock } = parts.options;
  let why: string | null = null;
  /** What waits for an upstream that takes nothing for now; null where it takes what it is sent. */
  let unsent: number | null = null;
  /** What waits behind a call that is not judged yet. */
  let waiting = 0;

  let isFull = false;
  let looking: ReturnType<Clock["every"]> | null = null;

  /** Its end is only seen while it is read from, so a client is read from as long as it can be. */
  function readClient(): void {
    const wasFull = isFull;
    isFull = (unsent ?? 0) + waiting > mostBytes || output.writableLength > mostBytes;
    if (isFull === wasFull) return;
    looking?.cancel();
    if (isFull) {
      input.pause();
      looking = clock.every(lookMs, () => !isClientThere() && left());
    } else input.resume();
  }

  const upstream = startUpstream({
    lines: {
      line: (line, frame) => gate.fromUpstream(line, frame),
      tooLong(bytes) {
        // Who waits for it would wait for ever.
        say(`the server sent a message of ${bytes} bytes, which is too long to be read; it is ended`);
        upstream.stop();
      },
    },
    onLost: (id, because, isUnsent) => gate.lostOne(id, because, isUnsent),
    onFlow(isFlowing) {
      unsent = isFlowing ? null : (unsent ?? 0);
      readClient();
    },
    onEnd: (end) => void finish(end).then(resolveEnded, rejectEnded),
  });

  const gate = openGate({
    ...parts,
    toClient(line) {
      if (!output.writable || output.write(line)) return;
      upstream.pause();
      readClient();
    },
    onWaiting(bytes) {
      waiting = bytes;
      readClient();
    },
    toUpstream(line) {
      const isSent = upstream.send(line);
      if (isSent && unsent !== null) {
        unsent += line.length;
        readClient();
      }
      return isSent;
    },
  });

  let resolveEnded: (status: number) => void = () => undefined;
  let rejectEnded: (error: unknown) => void = () => undefined;
  const ended = new Promise<number>((resolve, reject) => {
    resolveEnded = resolve;
    rejectEnded = reject;
  });

  async function finish(end: UpstreamEnd): Promise<number> {
    const endedBecause = shownText(end.why);
    if (why === null) say(endedBecause);
    onEnding(end.status);
    await gate.lost(endedBecause);
    return end.status;
  }

  function stop(reason: string): void {
    if (why !== null) return;
    why = reason;
    looking?.cancel();
    onEnding(null);
    upstream.stop();
    // What is left of its output is nobody's concern but its own.
    upstream.resume();
    void gate.close(reason);
  }

  const left = (): void => stop("the client left");
  const fromClient = lineSplitter(mostBytes, {
    line: (line) => gate.fromClient(line),
    tooLong: (bytes) => gate.refuseLine(`a message has at most ${mostBytes} bytes, not ${bytes}`),
  });
  if (input.isTTY === true) say(byHand);
  input.on("data", (chunk: Buffer) => fromClient.push(chunk));
  input.on("end", () => {
    fromClient.end();
    left();
  });
  input.on("error", left).on("close", left);
  output.on("drain", () => {
    upstream.resume();
    readClient();
  });
  output.on("error", left).on("close", left);

  return { ended, stop, kill: () => upstream.kill() };
}
