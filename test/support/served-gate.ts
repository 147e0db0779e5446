/** A gate served between two pipes in memory, before an upstream that a test moves by hand. */
import { PassThrough, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/broker/system/clock.js";
import { type ServedGate, serveGate, type UpstreamListener } from "../../src/server/gate/serve-gate.js";
import { makePlaces } from "./mcp-server.js";
import { memoryGateParts } from "./memory-gate.js";

/** What the test has in hand. */
export interface GateBetweenPipes {
  readonly served: ServedGate;
  /** What the client writes to. */
  readonly input: PassThrough;
  /** Lines that the client took. */
  readonly taken: () => readonly string[];
  /** While false the client takes nothing. */
  reads(isReading: boolean): void;
  /** The client closes what it reads from. */
  breaks(): void;
  readonly upstream: HandUpstream;
  readonly said: readonly string[];
  /** What `onEnding` was told, in order. */
  readonly endings: readonly (number | null)[];
}

/** The upstream: what it was told, and what it does. */
export interface HandUpstream extends UpstreamListener {
  /** All that was sent to it. */
  readonly sent: () => string;
  /** "pause", "resume", "stop", "kill", in order. */
  readonly told: readonly string[];
  /** From now on it takes nothing, or everything again. */
  takes(isTaking: boolean): void;
}

/** The longest message of the client's, here. */
export const mostBytes = 100_000;

/** Serves; it ends with the running test. */
export function serveBetweenPipes(
  clock?: Clock,
  isClientThere: () => boolean = () => true,
  isTTY = false,
): GateBetweenPipes {
  const places = makePlaces();
  const said: string[] = [];
  const told: string[] = [];
  const endings: (number | null)[] = [];
  const sent: string[] = [];
  let isTaking = true;
  const { output, taken, reads } = clientEnd();
  const input = Object.assign(new PassThrough(), { isTTY });
  const heard: UpstreamListener[] = [];
  const served = serveGate({
    ...memoryGateParts(places, clock === undefined ? {} : { clock }, said),
    ...{ input, output, mostBytes, isClientThere, say: (line) => void said.push(line) },
    onEnding: (status) => void endings.push(status),
    startUpstream(listener) {
      heard.push(listener);
      return {
        send(line) {
          sent.push(line.toString());
          if (!isTaking) listener.onFlow(false);
          return true;
        },
        pause: () => void told.push("pause"),
        resume: () => void told.push("resume"),
        stop: () => void told.push("stop"),
        kill: () => void told.push("kill"),
      };
    },
  });
  const [listener] = heard;
  if (listener === undefined) throw new Error("No upstream was started.");
  onTestFinished(async () => {
    listener.onEnd({ status: 0, why: "the test is over" });
    await served.ended;
    places.remove();
  });
  const takes = (now: boolean): void => {
    isTaking = now;
    if (now) listener.onFlow(true);
  };
  return {
    ...{ served, input, taken, reads, said, endings },
    breaks: () => void output.destroy(new Error("EPIPE")),
    upstream: { ...listener, told, takes, sent: () => sent.join("") },
  };
}

/** The client's end of what the gate writes. */
function clientEnd() {
  const lines: string[] = [];
  let isReading = true;
  let onTaken: (() => void) | null = null;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const take = (): void => {
        lines.push(chunk.toString());
        done();
      };
      if (isReading) take();
      else onTaken = take;
    },
  });
  const reads = (now: boolean): void => {
    isReading = now;
    const take = onTaken;
    onTaken = null;
    if (now) take?.();
  };
  return { output, reads, taken: () => lines };
}
