import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { type ErrorStream, standardError } from "../../../src/server/gate/standard-error.js";

/** A stream whose reader takes what was written when the test says so. */
function slowStream() {
  let text = "";
  let take: () => void = () => undefined;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      take = () => {
        text += chunk.toString("latin1");
        done();
      };
    },
  });
  const takeAll = async (): Promise<void> => {
    while (stream.writableLength > 0) {
      take();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const errors = standardError(stream as unknown as ErrorStream);
  return { stream, errors, takeAll, text: () => text };
}

const chunk = Buffer.alloc(64 * 1024, "x");

test("what the gate says and what the server prints stand in the order in which they came", async () => {
  const { errors, takeAll, text } = slowStream();
  errors.pass(Buffer.from("a banner\n\xff", "latin1"));
  errors.say("the client left");
  await takeAll();
  expect(text()).toBe("a banner\n\xffwisp gate: the client left\n");
});

test("what nobody reads is kept up to a limit; how much is missing is said once it is read again", async () => {
  const { stream, errors, takeAll, text } = slowStream();
  for (let count = 0; count < 1_000; count += 1) errors.pass(chunk);
  expect(stream.writableLength).toBeLessThan(1_200_000);
  await takeAll();
  const kept = text().indexOf("\n");
  expect(text().slice(kept)).toBe(
    `\nwisp gate: ${chunk.length * 1_000 - kept} bytes of standard error are missing here, because nobody read it for a while\n`,
  );
  errors.say("on");
  await takeAll();
  expect(text().endsWith("\nwisp gate: on\n")).toBe(true);
});

test("a reader that went away takes nothing with it", async () => {
  const { stream, errors } = slowStream();
  errors.say("before");
  stream.emit("error", new Error("EPIPE"));
  errors.say("after");
  errors.pass(chunk);
  expect(stream.writableLength).toBe("wisp gate: before\n".length);
});
