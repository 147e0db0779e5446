import { readUpstreamFrame, type UpstreamFrame } from "../../src/server/gate/frames/upstream-frame.js";

/** A line as an upstream hands it on, with what was seen of it. */
export function upstreamLine(text: string): [line: Buffer, frame: UpstreamFrame] {
  const line = Buffer.from(text);
  return [line, readUpstreamFrame(line)];
}
