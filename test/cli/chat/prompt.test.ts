/** The prompt as a terminal drives it: keys come in pieces, and time is the test's. */
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Typed } from "../../../src/cli/chat/lines.js";
import { promptLines } from "../../../src/cli/chat/prompt.js";
import { FakeClock } from "../../support/fake-clock.js";

/** Longer than a paste is waited for. */
const afterwards = 60;

function atPrompt(canDraw = true) {
  const clock = new FakeClock();
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let drawn = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    drawn += text;
  });
  const interruption = new AbortController();
  const lines = promptLines({
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    clock,
    complete: (line) => ["/approvals approve k7q2mx9d", "/help"].filter((one) => one.startsWith(line)),
    interrupted: interruption.signal,
    canDraw,
  });
  onTestFinished(() => void input.destroy());
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    lines,
    drawn: () => drawn,
    isRaw: () => modes.at(-1) ?? false,
    interrupt: () => interruption.abort(),
    end: () => input.end(),
    /** Types `text` in one piece, and has the prompt hear of it. */
    async key(text: string): Promise<void> {
      input.write(text);
      await turn();
    },
    async advance(ms: number): Promise<void> {
      await turn();
      clock.advance(ms);
      await turn();
    },
    turn,
  };
}

/** What `next` came to, or null as long as it waits. */
function watched(next: Promise<Typed>): () => Typed | null {
  let typed: Typed | null = null;
  next.then((one) => {
    typed = one;
  });
  return () => typed;
}

describe("a line at the prompt", () => {
  it("is what was typed up to Enter, and the terminal edits by itself again then", async () => {
    const { lines, key, advance, isRaw } = atPrompt();
    const next = watched(lines.next(false));
    for (const letter of "/helq\u007fp") await key(letter);
    expect(isRaw()).toBe(true);
    await key("\r");
    expect(next()).toBeNull();
    await advance(afterwards);
    expect(next()).toEqual({ kind: "line", text: "/help" });
    expect(isRaw()).toBe(false);
  });

  it("is completed by TAB", async () => {
    const { lines, key, advance } = atPrompt();
    const next = watched(lines.next(false));
    await key("/approvals ap\t");
    await key("\r");
    await advance(afterwards);
    expect(next()).toEqual({ kind: "line", text: "/approvals approve k7q2mx9d" });
  });

  it("is asked for again where only Enter was pressed, and what follows is kept", async () => {
    const { lines, key, advance } = atPrompt();
    const next = watched(lines.next(false));
    await key("\r");
    await key("\r/he");
    await advance(afterwards);
    await key("lp\r");
    await advance(afterwards);
    expect(next()).toEqual({ kind: "line", text: "/help" });
  });

  it.each([
    ["in one piece", ["/approvals approve k7q2mx9d\ry\r"], 2],
    ["in pieces", ["/approvals appr", "ove k7q2mx9d\r", "/help\r", "/quit\r"], 3],
    ["the last of them without its end", ["/help\r/approvals approve k7q2mx9d"], 2],
    ["with newlines for Enter", ["/help\n/quit\n"], 2],
    ["with both", ["/help\r\n/quit\r\n"], 2],
  ])("is none of several that come at once, %s", async (_how, pieces, count) => {
    const { lines, key, advance } = atPrompt();
    const next = watched(lines.next(false));
    for (const piece of pieces) await key(piece);
    await advance(afterwards);
    expect(next()).toEqual({ kind: "several", count });
    const later = watched(lines.next(true));
    await advance(afterwards);
    await key("/help\r");
    await advance(afterwards);
    expect(later()).toEqual({ kind: "line", text: "/help" });
  });

  it("that is asked for afresh is not what was typed before", async () => {
    const { lines, key, advance, drawn } = atPrompt();
    const next = watched(lines.next(true));
    await key("/approvals approve k7q2mx9d\r/appr");
    expect(drawn()).toBe("");
    await advance(afterwards);
    expect(drawn()).toContain("wisp> ");
    await key("/help\r");
    await advance(afterwards);
    expect(next()).toEqual({ kind: "line", text: "/help" });
  });
});

describe("leaving the prompt", () => {
  it.each([
    ["Ctrl-C", "\u0003", "interrupted"],
    ["Ctrl-C while half a line stands there", "/appr\u0003", "interrupted"],
    ["Ctrl-C right after Enter", "/help\r\u0003", "interrupted"],
    ["Ctrl-D", "\u0004", "end"],
  ])("%s: nothing is run, and the terminal is as it was", async (_what, keys, kind) => {
    const { lines, key, advance, isRaw } = atPrompt();
    const next = watched(lines.next(false));
    await key(keys);
    await advance(afterwards);
    expect(next()).toEqual({ kind });
    expect(isRaw()).toBe(false);
  });

  it.each([
    ["Ctrl-C", "/help\r\u0003", "interrupted"],
    ["Ctrl-D", "/help\r\u0004", "end"],
    ["both", "\u0004\u0003", "interrupted"],
  ])("%s counts before the prompt stands there, too", async (_what, keys, kind) => {
    const { lines, key, advance, isRaw } = atPrompt();
    const next = watched(lines.next(true));
    await key(keys);
    await advance(afterwards);
    expect(next()).toEqual({ kind });
    expect(isRaw()).toBe(false);
  });

  it("the end of the terminal ends it, also where that came while no line was read", async () => {
    const { lines, advance, end, turn, isRaw } = atPrompt();
    const next = watched(lines.next(true));
    end();
    await advance(afterwards);
    await turn();
    expect(next()).toEqual({ kind: "end" });
    expect(isRaw()).toBe(false);
  });

  it("a signal from elsewhere ends it", async () => {
    const { lines, interrupt, turn } = atPrompt();
    const next = watched(lines.next(false));
    interrupt();
    await turn();
    expect(next()).toEqual({ kind: "interrupted" });
    expect(await lines.next(false)).toEqual({ kind: "interrupted" });
  });
});

describe("what is printed while the prompt stands there", () => {
  it("stands above it, and the prompt below that", async () => {
    const { lines, drawn, turn } = atPrompt();
    expect(lines.isEmpty).toBe(false);
    void lines.next(false);
    expect(lines.isEmpty).toBe(true);
    await turn();
    const before = drawn().length;
    let printedAt = 0;
    lines.interject(() => {
      printedAt = before;
    });
    await turn();
    expect(printedAt).toBe(before);
    expect(drawn().slice(before)).toMatch(/wisp> /);
  });

  it("has to wait for whoever types, until all is erased or run", async () => {
    const { lines, key, advance } = atPrompt();
    let offered = 0;
    lines.onEmpty(() => {
      if (lines.isEmpty) offered += 1;
    });
    void lines.next(false);
    expect(offered).toBe(1);
    await key("x");
    expect(lines.isEmpty).toBe(false);
    expect(offered).toBe(1);
    await key("\u007f");
    expect(lines.isEmpty).toBe(true);
    expect(offered).toBe(2);
    await key("/help\r");
    expect(lines.isEmpty).toBe(false);
    await advance(afterwards);
    expect(offered).toBe(2);
  });

  it("waits for a whole line where the terminal cannot be drawn on, which edits its lines itself", async () => {
    const { lines, key, advance, drawn, isRaw } = atPrompt(false);
    const next = watched(lines.next(true));
    await advance(afterwards);
    expect(lines.isEmpty).toBe(false);
    await key("/help\n");
    await advance(afterwards);
    expect(next()).toEqual({ kind: "line", text: "/help" });
    expect(isRaw()).toBe(false);
    expect(drawn()).toBe("wisp> ");
  });
});
