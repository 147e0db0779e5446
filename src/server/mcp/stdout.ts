/**
 * Standard output belongs to the protocol: one stray line in it and the client drops the connection. Once it is
 * claimed, whatever else this process prints there goes to standard error.
 */
import { Writable } from "node:stream";

type Stream = Pick<NodeJS.WriteStream, "write" | "on" | "once">;

/**
 * Takes `stdout` for the caller alone: the stream returned is the only way to it, and later writes go to `stderr`.
 * A reader that went away breaks the stream returned, which ends the connection.
 */
export function claimStdout(stdout: Stream, stderr: Stream): Writable {
  const write = stdout.write.bind(stdout) as (chunk: Buffer) => boolean;
  const claimed = new Writable({
    // Handed on in the same step, so that a message written just before the end is not lost in a second buffer.
    write(chunk: Buffer, _encoding, done) {
      if (write(chunk)) done();
      else stdout.once("drain", () => done());
    },
  });
  // Each message that is being written listens to it: thousands may be told at once.
  claimed.setMaxListeners(0);
  stdout.on("error", (error: Error) => claimed.destroy(error));
  // Whoever read what is said there went away: that is all that is lost.
  stderr.on("error", () => undefined);
  stdout.write = stderr.write.bind(stderr) as Stream["write"];
  return claimed;
}
