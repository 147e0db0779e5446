/** Upstreams that are real processes, with what came of them. */
import { onTestFinished } from "vitest";
import {
  startUpstream,
  type Upstream,
  type UpstreamEnd,
  type UpstreamOptions,
} from "../../src/server/gate/frames/upstream-stdio.js";
import { FakeClock } from "./fake-clock.js";
import { tempDirectory } from "./temp-home.js";

/** One of them. */
export interface StartedUpstream {
  readonly upstream: Upstream;
  /** Moves only when the test says so. */
  readonly clock: FakeClock;
  /** What it printed, line by line, newlines included. */
  readonly lines: string[];
  /** How long the lines were that were passed over. */
  readonly tooLong: number[];
  /** What it printed to standard error. */
  readonly complaints: () => string;
  /** How it ended; null while it runs. */
  end: UpstreamEnd | null;
  /** How often it was said that it ended. */
  ends: number;
}

/** Starts `argv` in a directory of its own; what is left of it is killed when the running test ends. */
export function startedUpstream(
  argv: readonly [string, ...string[]],
  overrides: Partial<Omit<UpstreamOptions, "argv" | "clock" | "onEnd">> = {},
): StartedUpstream {
  const clock = new FakeClock();
  const lines: string[] = [];
  const tooLong: number[] = [];
  let complaints = "";
  const upstream = startUpstream({
    ...{ argv, clock, environment: process.env, directory: tempDirectory(), mostBytes: 1_000_000 },
    lines: {
      line: (line) => void lines.push(line.toString()),
      tooLong: (bytes) => void tooLong.push(bytes),
    },
    onFlow: () => undefined,
    onComplaint(chunk) {
      complaints += chunk.toString();
    },
    onEnd(end) {
      started.end = end;
      started.ends += 1;
    },
    ...overrides,
  });
  onTestFinished(() => upstream.kill());
  const started: StartedUpstream = {
    ...{ upstream, clock, lines, tooLong, complaints: () => complaints },
    ...{ end: null, ends: 0 },
  };
  return started;
}

/** The same for a line of a shell. */
export function startedShell(
  line: string,
  overrides: Parameters<typeof startedUpstream>[1] = {},
): StartedUpstream {
  return startedUpstream(["/bin/sh", "-c", line], overrides);
}
