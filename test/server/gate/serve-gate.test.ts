/** What a gate keeps of what one side does not take, and how it ends, whichever side goes first. */

import { describe, expect, test } from "vitest";
import { FakeClock } from "../../support/fake-clock.js";
import { mostBytes, serveBetweenPipes } from "../../support/served-gate.js";
import { upstreamLine } from "../../support/upstream-line.js";

/** A message that goes through, of this many bytes and a few. */
function notice(bytes: number): string {
  return `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { text: "x".repeat(bytes) } })}\n`;
}

function callOf(name: string, id = 7, text = ""): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: { text } } })}\n`;
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

test("says in a terminal that a client is to start it, and nothing to a client", () => {
  expect(serveBetweenPipes(undefined, undefined, true).said).toEqual([
    expect.stringContaining("a client starts this"),
  ]);
  expect(serveBetweenPipes().said).toEqual([]);
});

describe("an upstream that takes nothing", () => {
  test("is sent no more than the longest message again, and all of it in order once it takes", async () => {
    const { input, upstream } = serveBetweenPipes();
    upstream.takes(false);
    const notices = Array.from({ length: 40 }, (_, index) => notice(10_000 + index));
    for (const one of notices) input.write(one);
    await expect.poll(() => input.isPaused()).toBe(true);
    const before = upstream.sent().length;
    expect(before).toBeGreaterThan(mostBytes);
    expect(before).toBeLessThan(2 * mostBytes);
    upstream.takes(true);
    await expect.poll(() => upstream.sent()).toBe(notices.join(""));
    input.write(ping);
    await expect.poll(() => upstream.sent().endsWith(ping)).toBe(true);
  });

  test("does not keep the gate from seeing that the client left", async () => {
    const { input, upstream, endings } = serveBetweenPipes();
    upstream.takes(false);
    for (let count = 0; count < 5; count += 1) input.write(notice(10_000));
    input.end();
    await expect.poll(() => endings).toEqual([null]);
    expect(upstream.told).toContain("stop");
  });
});

describe("a client that leaves while nothing is read from it", () => {
  /** Paused, before an upstream that takes nothing. */
  async function paused() {
    const clock = new FakeClock();
    const client = { isThere: true };
    const served = serveBetweenPipes(clock, () => client.isThere);
    served.upstream.takes(false);
    for (let count = 0; count < 40; count += 1) served.input.write(notice(10_000));
    await expect.poll(() => served.input.isPaused()).toBe(true);
    return { ...served, clock, client };
  }

  test("is missed within 2 s, and the upstream is ended", async () => {
    const { clock, client, endings, upstream } = await paused();
    clock.advance(10_000);
    expect(endings).toEqual([]);
    client.isThere = false;
    clock.advance(1_000);
    expect([endings, upstream.told.includes("stop")]).toEqual([[null], true]);
    clock.advance(10_000);
    expect(endings).toEqual([null]);
  });

  test("is not looked for once it is read from again", async () => {
    const { clock, client, input, endings, upstream } = await paused();
    upstream.takes(true);
    await expect.poll(() => input.isPaused()).toBe(false);
    client.isThere = false;
    clock.advance(10_000);
    expect(endings).toEqual([]);
    input.write(ping);
    await expect.poll(() => upstream.sent().endsWith(ping)).toBe(true);
  });
});

describe("a client that takes nothing", () => {
  test("has the upstream wait, and then gets everything in order", async () => {
    const { upstream, reads, taken } = serveBetweenPipes();
    reads(false);
    const notices = Array.from({ length: 3 }, (_, index) => notice(20_000 + index));
    for (const one of notices) upstream.lines.line(...upstreamLine(one));
    expect(upstream.told[0]).toBe("pause");
    expect(upstream.told).not.toContain("resume");
    reads(true);
    await expect.poll(() => taken()).toEqual(notices);
    expect(upstream.told.at(-1)).toBe("resume");
  });

  test("has a flood of the upstream wait in its pipe, and not in the gate", async () => {
    const { upstream, reads, taken } = serveBetweenPipes();
    reads(false);
    const most = 1_000;
    let count = 0;
    for (; upstream.told.at(-1) !== "pause" && count < most; count += 1)
      upstream.lines.line(...upstreamLine(notice(1_000)));
    expect(count).toBeLessThan(30);
    reads(true);
    await expect.poll(() => taken().length).toBe(count);
    await expect.poll(() => upstream.told.at(-1)).toBe("resume");
    upstream.lines.line(...upstreamLine(ping));
    await expect.poll(() => taken().at(-1)).toBe(ping);
  });

  test("is not read from any more once so much waits for it, whoever said it", async () => {
    const { input, reads, taken, upstream } = serveBetweenPipes();
    reads(false);
    const batches = 5_000;
    for (let count = 0; count < batches; count += 1) input.write("[]\n");
    await expect.poll(() => input.isPaused()).toBe(true);
    reads(true);
    await expect.poll(() => taken().length, { timeout: 20_000 }).toBe(batches);
    input.write(ping);
    await expect.poll(() => upstream.sent()).toBe(ping);
  });
});

describe("an upstream that does not say what its tools are", () => {
  test("has what stands behind a call wait, no more than the longest message again, and then gets it in order", async () => {
    const { input, upstream } = serveBetweenPipes();
    input.write(callOf("write_file"));
    await expect.poll(() => upstream.sent()).toContain("tools/list");
    const asked = upstream.sent();
    const notices = Array.from({ length: 40 }, (_, index) => notice(10_000 + index));
    for (const one of notices) input.write(one);
    await expect.poll(() => input.isPaused()).toBe(true);
    expect(upstream.sent()).toBe(asked);
    // What was not read waits in the pipe.
    expect(input.readableLength + input.writableLength).toBeGreaterThan(
      notices.join("").length - 2 * mostBytes,
    );
    const answer = { jsonrpc: "2.0", id: JSON.parse(asked).id, result: { tools: [{ name: "write_file" }] } };
    upstream.lines.line(...upstreamLine(JSON.stringify(answer)));
    await expect.poll(() => upstream.sent()).toBe(asked + notices.join(""));
    expect(input.isPaused()).toBe(false);
    input.write(ping);
    await expect.poll(() => upstream.sent().endsWith(ping)).toBe(true);
  });

  test("has further calls wait no longer", async () => {
    const { input, upstream } = serveBetweenPipes();
    for (let id = 0; id < 40; id += 1) input.write(callOf("write_file", id, "x".repeat(10_000)));
    await expect.poll(() => input.isPaused()).toBe(true);
    upstream.onEnd({ status: 0, why: "the upstream server ended with 0" });
    await expect.poll(() => input.isPaused()).toBe(false);
  });
});

describe("a message that is too long", () => {
  test("of the client's is refused with its length, and the next one is taken", async () => {
    const { input, upstream, taken } = serveBetweenPipes();
    input.write(notice(mostBytes));
    await expect.poll(() => taken().length).toBe(1);
    expect(JSON.parse(taken()[0] ?? "")).toMatchObject({
      id: null,
      error: { code: -32_600, message: expect.stringContaining(`at most ${mostBytes} bytes, not 1000`) },
    });
    input.write(ping);
    await expect.poll(() => upstream.sent()).toBe(ping);
  });

  test("of the upstream's ends it, because who waits for it would wait for ever, and that is said", async () => {
    const { input, upstream, said, taken, served } = serveBetweenPipes();
    input.write(ping);
    await expect.poll(() => upstream.sent()).toBe(ping);
    upstream.lines.tooLong(130_000_000);
    expect(upstream.told).toEqual(["stop"]);
    expect(said).toEqual([
      "the server sent a message of 130000000 bytes, which is too long to be read; it is ended",
    ]);
    upstream.onEnd({ status: 143, why: "the upstream server was ended by SIGTERM" });
    expect(await served.ended).toBe(143);
    expect(JSON.parse(taken()[0] ?? "")).toMatchObject({ id: 1, error: { code: -32_000 } });
  });
});

describe("the end", () => {
  test.each(["leaves", "closes what it reads from", "breaks off"])(
    "begins when the client %s: the upstream is stopped, and its status is that of the gate",
    async (how) => {
      const { input, breaks, upstream, endings, served } = serveBetweenPipes();
      if (how === "leaves") input.end();
      else if (how === "breaks off") input.destroy(new Error("ECONNRESET"));
      else breaks();
      await expect.poll(() => endings).toEqual([null]);
      expect(upstream.told.filter((word) => word === "stop")).toEqual(["stop"]);
      upstream.onEnd({ status: 3, why: "the upstream server ended with 3" });
      expect(await served.ended).toBe(3);
      expect(endings).toEqual([null, 3]);
    },
  );

  test("begins when the upstream is gone: what waits for it is answered, and why is said", async () => {
    const { input, upstream, said, taken, endings, served } = serveBetweenPipes();
    input.write(ping);
    await expect.poll(() => upstream.sent()).toBe(ping);
    upstream.onEnd({ status: 137, why: "the upstream server was ended by SIGKILL" });
    expect(await served.ended).toBe(137);
    expect(endings).toEqual([137]);
    expect(said).toEqual(["the upstream server was ended by SIGKILL"]);
    expect(taken().map((line) => JSON.parse(line))).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32_000, message: "the upstream server was ended by SIGKILL" },
      },
    ]);
  });

  test("is one, whoever asks for it again", async () => {
    const { served, input, upstream, endings } = serveBetweenPipes();
    served.stop("the gate got SIGTERM");
    served.stop("the gate got SIGTERM");
    input.end();
    upstream.onEnd({ status: 0, why: "the upstream server ended with 0" });
    expect(await served.ended).toBe(0);
    expect([upstream.told.filter((word) => word === "stop"), endings]).toEqual([["stop"], [null, 0]]);
  });

  test("of a gate that is about to exit is at once", () => {
    const { served, upstream } = serveBetweenPipes();
    served.kill();
    expect(upstream.told).toEqual(["kill"]);
  });
});
