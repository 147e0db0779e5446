import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { claimStdout } from "../../../src/server/mcp/stdout.js";

function streams() {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  return { stdout, stderr, claimed: claimStdout(stdout as never, stderr as never) };
}

describe("standard output, once claimed", () => {
  test("carries what its owner writes, and nobody else's words", () => {
    const { stdout, stderr, claimed } = streams();
    claimed.write("protocol\n");
    stdout.write("stray\n");
    claimed.write("more\n");
    expect(String(stdout.read())).toBe("protocol\nmore\n");
    expect(String(stderr.read())).toBe("stray\n");
  });

  test("tells its owner when the reader went away", async () => {
    const { stdout, claimed } = streams();
    const broken = new Promise<Error>((resolve) => claimed.on("error", resolve));
    stdout.emit("error", new Error("EPIPE"));
    expect((await broken).message).toBe("EPIPE");
  });

  test("stays whole when whoever read standard error went away", () => {
    const { stdout, stderr, claimed } = streams();
    stderr.emit("error", new Error("EPIPE"));
    claimed.write("protocol\n");
    expect(String(stdout.read())).toBe("protocol\n");
  });
});
