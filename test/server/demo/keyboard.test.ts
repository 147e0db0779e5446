import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { answerHere, type Keyboard, linesOf } from "../../../src/server/demo/keyboard.js";
import { calm } from "../../support/asking.js";
import { approvalDraft } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { memoryChannel, memoryPlace } from "../../support/memory-channel.js";

function typing() {
  const clock = new FakeClock();
  const stdin = new PassThrough();
  const over = new AbortController();
  let asked = "";
  const keyboard = linesOf(
    stdin,
    (text) => {
      asked += text;
    },
    clock,
  );
  const reading = keyboard.readLine("y or d? ", over.signal);
  return { clock, stdin, over, reading, asked: () => asked };
}

describe("keyboard", () => {
  it("what was typed before the question is no answer to it", async () => {
    const { clock, stdin, reading, asked } = typing();
    stdin.write("y\n");
    await calm();
    expect(asked()).toBe("");
    clock.advance(1_000);
    expect(asked()).toBe("y or d? ");
    stdin.write("d");
    stdin.write("\ny\n");
    expect(await reading).toBe("d");
  });

  it("an end of input is no line", async () => {
    const { clock, stdin, reading } = typing();
    clock.advance(1_000);
    stdin.end("y");
    expect(await reading).toBeNull();
  });

  it("an answer from elsewhere ends the question, and nothing is read or timed any more", async () => {
    const { clock, stdin, over, reading, asked } = typing();
    clock.advance(1_000);
    over.abort();
    expect(await reading).toBeNull();
    expect(asked()).toBe("y or d? \n");
    expect(stdin.isPaused()).toBe(true);
    expect(stdin.listenerCount("data")).toBe(0);
    expect(clock.timers).toBe(0);
  });
});

/** A request that waits, its server, and somebody who types `lines`. */
function waiting(lines: readonly string[]) {
  const clock = new FakeClock();
  const place = memoryPlace();
  const server = memoryChannel(place, { clock });
  const channel = memoryChannel(place, { clock });
  const request = server.file(approvalDraft(), []);
  if (request.kind !== "approval") throw new Error("Only approvals here.");
  server.changes(() => {
    const news = server.take(request.id);
    if (news?.kind !== "answer") return;
    onSettled();
    server.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
  });
  let onSettled = (): void => {};
  const settles = (then: () => void): void => {
    onSettled = then;
  };
  const said: string[] = [];
  const narrator = {
    scene: () => {},
    step: (name: string, text: string) => void said.push(`${name}: ${text}`),
    line: (text: string) => void said.push(text),
  };
  const rest = [...lines];
  const opened: AbortSignal[] = [];
  let inFace = async (_until: AbortSignal): Promise<void> => {};
  const keyboard: Keyboard = {
    readLine: async () => rest.shift() ?? null,
    openFace: async (until) => {
      opened.push(until);
      await inFace(until);
    },
  };
  const whileOpen = (then: (until: AbortSignal) => Promise<void>): void => {
    inFace = then;
  };
  const { signal } = new AbortController();
  const stage = { channel, clock, narrator, project: "/", signal };
  const run = (over: AbortSignal = signal): Promise<void> => answerHere(request, keyboard, stage, over);
  return { request, channel, server, said, rest, run, settles, clock, opened, whileOpen };
}

describe("answering at the demo's own terminal", () => {
  it.each([
    ["y", "approve", "once"],
    [" Y ", "approve", "once"],
    ["d", "deny", null],
  ])("%j is %s", async (line, decision, scope) => {
    const { run, channel, request } = waiting([line]);
    await run();
    expect(channel.receipt(request.id)).toMatchObject({ decision, scope, via: "cli" });
  });

  it.each(["", " ", "yes", "yy", "n", "approve", "\u001b[A", "1"])(
    "%j answers nothing, and a good answer after it still counts",
    async (line) => {
      const nothing = waiting([line]);
      await nothing.run();
      expect(nothing.channel.slot(nothing.request.id)).toEqual({ kind: "free" });
      const { run, channel, request, said } = waiting([line, "d"]);
      await run();
      expect(said).toEqual(["That was neither y nor d nor f; it still waits."]);
      expect(channel.receipt(request.id)).toMatchObject({ decision: "deny" });
    },
  );

  it("an answer whose receipt ends the wait before it is looked for is said to be nothing but taken", async () => {
    const { run, channel, request, said, settles } = waiting(["y"]);
    const over = new AbortController();
    settles(() => over.abort());
    await run(over.signal);
    expect(channel.receipt(request.id)).toMatchObject({ decision: "approve" });
    expect(said).toEqual([]);
  });

  it("a keyboard that was closed is told of, unless the wait is over", async () => {
    const closed = waiting([]);
    await closed.run();
    expect(closed.said).toEqual(["This keyboard is closed now; answer in another terminal, as above."]);
    const answered = waiting([]);
    await answered.run(AbortSignal.abort());
    expect(answered.said).toEqual([]);
  });

  it("an answer that comes too late is said to be unused, and nothing more is asked", async () => {
    const { run, channel, server, request, said, rest } = waiting(["y", "y"]);
    server.withdraw(request.id, "timed_out", null);
    await run();
    expect(channel.receipt(request.id)).toMatchObject({ outcome: "answered", decision: "timed_out" });
    expect(said).toEqual(["unused: your approve: too late"]);
    expect(rest).toEqual(["y"]);
  });

  it("f lends the terminal to the full-screen face, and what was not answered there is asked again here", async () => {
    const { run, channel, request, opened, said } = waiting(["f", "d"]);
    await run();
    expect(opened).toHaveLength(1);
    expect(said).toEqual([
      "In it: y approves, d denies, q comes back here.",
      "The client here is the demo, so the receipt says that you answered from within it.",
    ]);
    expect(channel.receipt(request.id)).toMatchObject({ decision: "deny" });
  });

  it("what was answered in the face is not asked again, and who walked away from it is waited for no longer", async () => {
    const { run, opened, whileOpen, clock, rest } = waiting(["f", "y"]);
    const over = new AbortController();
    whileOpen(async (until) => {
      over.abort();
      expect(until.aborted).toBe(false);
      clock.advance(60_000);
      expect(until.aborted).toBe(true);
    });
    await run(over.signal);
    expect(opened).toHaveLength(1);
    expect(rest).toEqual(["y"]);
  });
});
