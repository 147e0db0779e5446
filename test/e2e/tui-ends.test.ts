/** Ways in which the full-screen face ends that nobody asks for in it: built, under a real terminal. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { filed, filedOnly } from "../support/filed.js";
import { test } from "../support/person.js";
import { openFace, tempDirectory } from "../support/temp-home.js";
import { openTui, pressUntil } from "../support/tui.js";

const soon = { timeout: 30_000 } as const;

describe("a terminal that is gone", () => {
  test.for([
    ["the face", [], ":"],
    ["the face in lines", ["--screen-reader"], ":"],
    ["the face of somebody who ignores it", [], "''"],
  ] as const)("ends %s by a signal, and without a word", async ([_name, words, trap], { person: _ }) => {
    const { home } = filed();
    const [exit, errors] = [join(tempDirectory(), "exit"), join(tempDirectory(), "errors")];
    const under = `trap ${trap} HUP; "$@" 2>${errors}; echo $? >${exit}.new; mv ${exit}.new ${exit}`;
    const tui = await openTui(home, { words, under });
    await tui.seen("git push origin main");
    tui.pty.hangUp();
    await expect.poll(() => existsSync(exit), soon).toBe(true);
    expect(Number(readFileSync(exit, "utf8"))).toBe(128 + constants.signals.SIGHUP);
    // The shell may say what ended it.
    expect(readFileSync(errors, "utf8")).toMatch(/^(Hangup\n)?$/i);
  });
});

describe("the terminal is as it was after", () => {
  test.for(["SIGALRM", "SIGXCPU", "SIGABRT", "SIGUSR2"] as const)("%s", async (signal, { person: _ }) => {
    const tui = await openTui(filed().home, { before: "what stood here before\r\n" });
    await tui.seen("git push origin main");
    tui.signal(signal);
    expect(await tui.ended()).toBe(128 + constants.signals[signal]);
    expect(tui.unusualModes()).toEqual([]);
    expect(tui.screen()[0]).toBe("what stood here before");
  });
});

describe("q", () => {
  test.for([
    ["y", "approve", "; a yes counts only while this face is there"],
    ["d", "deny", ""],
  ] as const)("tells of %s where it was not read yet", async ([key, decision, rest], { person: _ }) => {
    const { home, request } = filedOnly({ expiresAt: Date.now() + 600_000 });
    const tui = await openTui(home, { columns: 120 });
    await tui.seen("git push origin main");
    await pressUntil(tui, key, () => openFace(home).slot(request.id).kind === "answer");
    tui.pty.type("q");
    expect(await tui.ended()).toBe(0);
    expect(tui.unusualModes()).toEqual([]);
    const told = `wisp-tui: not read yet: your answer to ${request.id} (${decision})${rest}.`;
    expect(tui.screen().join("\n")).toContain(told);
  });
});

describe("Ctrl-C", () => {
  test.for(["\u001b[99;5u", "\u001b[27;5;99~"])(
    "leaves in every protocol for keys: %j",
    async (sent, { person: _ }) => {
      const tui = await openTui(filed().home);
      await tui.seen("git push origin main");
      tui.pty.type(sent);
      expect(await tui.ended()).toBe(0);
    },
  );
});

describe("SIGUSR1", () => {
  test("opens no debugger, and ends nothing", async ({ person: _ }) => {
    const { home, request } = filed();
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    tui.signal("SIGUSR1");
    // A later signal is handled later, and Node tells of its debugger before it handles any.
    tui.signal("SIGCONT");
    const frames = tui.sent().split("\u001b[2J").length;
    await expect.poll(() => tui.sent().split("\u001b[2J").length).toBeGreaterThan(frames);
    await tui.seen(request.id);
    tui.pty.type("q");
    expect(await tui.ended()).toBe(0);
    expect(tui.sent()).not.toContain("Debugger");
  });
});

describe("a terminal that takes nothing", () => {
  test("keeps no signal from ending the face", async ({ person: _ }) => {
    const tui = await openTui(filed().home, { under: '"$@"; exit' });
    await tui.seen("git push origin main");
    const bridge = parentOf(parentOf(tui.pid));
    process.kill(bridge, "SIGSTOP");
    onTestFinished(() => void process.kill(bridge, "SIGCONT"));
    // Each return draws the whole face, until no more fits into the terminal.
    let returns = 0;
    const comeBack = (): number => {
      tui.signal("SIGCONT");
      returns += 1;
      return returns;
    };
    await expect.poll(comeBack, { interval: 20 }).toBeGreaterThan(12);
    tui.signal("SIGTERM");
    await expect.poll(() => tui.isRunning(), soon).toBe(false);
  });
});

function parentOf(pid: number): number {
  return Number(spawnSync("ps", ["-o", "ppid=", "-p", `${pid}`], { encoding: "utf8" }).stdout);
}
