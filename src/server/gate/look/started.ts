/** A server that is looked at, as its client would start it, or at its address. Invariant: what it prints is read to a limit. */
import { lineSplitter } from "../frames/lines.js";
import { startUpstream, type Upstream, type UpstreamOptions } from "../frames/upstream-stdio.js";
import type { UpstreamPlace } from "../identity.js";
import type { Talk } from "./talk.js";

/** All that it prints. Ten thousand tools are less. */
const mostBytes = 16 * 1024 * 1024;

/** A server that runs, or is reached. */
export interface Started {
  readonly upstream: Upstream;
  /** Resolves when nothing of it runs any more. */
  readonly gone: Promise<void>;
}

/** Starts it. What it prints is read to a limit, and its end ends the talk. */
export async function startedAt(
  place: UpstreamPlace,
  options: Pick<UpstreamOptions, "environment" | "directory" | "clock">,
  talk: Talk,
  printed: (line: Buffer) => void,
): Promise<Started> {
  const { environment, directory, clock } = options;
  let resolve: () => void = () => undefined;
  const gone = new Promise<void>((done) => {
    resolve = done;
  });
  let bytes = 0;
  const tooMuch = (): void => talk.end(`It printed more than the ${mostBytes} bytes that are read of it.`);
  const line = (one: Buffer): void => {
    bytes += one.length;
    if (bytes > mostBytes) tooMuch();
    else talk.hear(one);
  };
  const onEnd = ({ why }: { readonly why: string }): void => {
    talk.end(`${why}.`);
    resolve();
  };
  switch (place.kind) {
    case "command": {
      const complaints = lineSplitter(longestComplaint, { line: printed, tooLong: () => undefined });
      const upstream = startUpstream({
        ...{ argv: place.argv, environment, directory, clock, mostBytes },
        lines: { line, tooLong: tooMuch },
        onComplaint: (chunk) => complaints.push(chunk),
        onFlow: () => undefined,
        onEnd(end) {
          complaints.end();
          onEnd(end);
        },
      });
      return { upstream, gone };
    }
    case "address": {
      const { openHttpUpstream } = await import("../frames/upstream-http.js");
      const onLost = (_: unknown, why: string): void => talk.end(why);
      const upstream = openHttpUpstream({
        ...{ url: place.url, bearer: null, clock, mostBytes, lines: { line }, onLost, onEnd },
        // What could not be delivered to a server that is only looked at is not missed.
        say: () => undefined,
      });
      return { upstream, gone };
    }
    default:
      return place satisfies never;
  }
}

const longestComplaint = 64 * 1024;
