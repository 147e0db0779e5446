/** What the full-screen face does to its terminal, and how it leaves it: built, under a real one. */
import { chmodSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { version } from "../../src/broker/version.js";
import { settleAnswers } from "../support/answering.js";
import { approvalDraft } from "../support/builders.js";
import { runBare, wispOn } from "../support/built.js";
import { test } from "../support/person.js";
import { startOnScreen } from "../support/screen-pty.js";
import { openAsker, openFace, tempDirectory, tempHome } from "../support/temp-home.js";
import { openTui, pressAll, pressUntil, type Tui, tuiProgram } from "../support/tui.js";

/** A home in which one request waits. */
function askedHome(overrides: Parameters<typeof approvalDraft>[0] = {}): Home {
  const home = tempHome();
  const { channel } = openAsker(home);
  channel.file(approvalDraft({ expiresAt: Date.now() + 600_000, ...overrides }), []);
  settleAnswers(channel);
  return home;
}

/** The face on a terminal on which something stood before. */
async function openOver(home: Home, options: Parameters<typeof openTui>[1] = {}): Promise<Tui> {
  const tui = await openTui(home, { before: "what stood here before\r\n", ...options });
  await tui.seen("Run a command?");
  return tui;
}

/** The terminal is as it was: its modes, what stood on it, and no trace of the face. */
function expectRestored(tui: Tui): void {
  expect(tui.unusualModes()).toEqual([]);
  expect(tui.screen()[0]).toBe("what stood here before");
  expect(tui.screen().join("\n")).not.toContain("Run a command?");
}

describe("the terminal is as it was after", () => {
  test.for([
    ["q", "q"],
    ["Ctrl-C", "\u0003"],
  ] as const)("%s, and nothing is answered", async ([_name, key], { person: _ }) => {
    const home = askedHome();
    const tui = await openOver(home);
    const taken = ["alternate screen", "bracketed paste", "focus events", "no wraparound", "hidden caret"];
    expect(tui.unusualModes()).toEqual(taken);
    tui.pty.type(key);
    expect(await tui.ended()).toBe(0);
    expectRestored(tui);
    expect(openFace(home).pending().requests).toHaveLength(1);
  });

  test.for(["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const)("%s", async (signal, { person: _ }) => {
    const tui = await openOver(askedHome());
    tui.signal(signal);
    expect(await tui.ended()).toBe(128 + constants.signals[signal]);
    expectRestored(tui);
  });

  test("an error that nobody caught, which is told on it", async ({ person: _ }) => {
    const fault = join(tempDirectory(), "fault.mjs");
    const thrown = 'throw new Error("planted \\u001b[31m fault");';
    writeFileSync(fault, `process.on("SIGURG", () => { ${thrown} });\n`);
    const tui = await openOver(askedHome(), { node: ["--import", fault] });
    tui.signal("SIGURG");
    expect(await tui.ended()).toBe(1);
    expectRestored(tui);
    expect(tui.screen().join("\n")).toContain("wisp-tui: Something unexpected happened");
    expect(tui.screen().join("\n")).toContain("planted \\u{1b}[31m fault");
  });

  test("a promise that nobody heard fail", async ({ person: _ }) => {
    const fault = join(tempDirectory(), "fault.mjs");
    writeFileSync(fault, `process.on("SIGURG", () => void Promise.reject(new Error("planted")));\n`);
    const tui = await openOver(askedHome(), { node: ["--import", fault] });
    tui.signal("SIGURG");
    expect(await tui.ended()).toBe(1);
    expectRestored(tui);
  });
});

describe("a stop", () => {
  test.for([
    ["by Ctrl-Z", (tui: Tui): void => tui.pty.type("\u001a")],
    ["by a signal", (tui: Tui): void => tui.signal("SIGTSTP")],
  ] as const)(
    "%s gives the terminal to the shell, and the face comes back whole, with a new grace",
    async ([_name, stop], { person: _ }) => {
      const home = askedHome();
      const script = 'set -m; "$@"; echo "stopped"; read -r line; fg >/dev/null; echo "left with $?"';
      const tui = await openOver(home, { under: script });
      stop(tui);
      await tui.seen("stopped");
      expectRestored(tui);
      tui.pty.type("back\n");
      await tui.seen("Run a command?");
      expect(tui.unusualModes()).toContain("alternate screen");
      expect(openFace(home).pending().requests).toHaveLength(1);
      await pressUntil(tui, "d", () => openFace(home).pending().requests.length === 0);
      tui.pty.type("q");
      await tui.seen("left with 0");
      expect(tui.unusualModes()).toEqual([]);
    },
  );

  test("that nobody hears of leaves the face whole, whatever was written on it meanwhile", async ({
    person: _,
  }) => {
    const script = 'set -m; "$@"; echo "written on it"; read -r line; fg >/dev/null; echo "left with $?"';
    const tui = await openOver(askedHome(), { under: script });
    const whole = tui.screen().map(lasting);
    tui.signal("SIGSTOP");
    await tui.seen("written on it");
    tui.pty.type("back\n");
    await tui.until((screen) => !screen.includes("written on it"));
    await expect.poll(() => tui.screen().map(lasting)).toEqual(whole);
    expect(tui.caret().isVisible).toBe(false);
    tui.pty.type("q");
    await tui.seen("left with 0");
    expect(tui.unusualModes()).toEqual([]);
  });
});

describe("a terminal that is gone", () => {
  test("ends the face, which keeps nothing running", async ({ person: _ }) => {
    const home = askedHome();
    const tui = await openOver(home);
    tui.pty.hangUp();
    await expect.poll(() => tui.isRunning(), { timeout: 30_000 }).toBe(false);
    expect(openFace(home).pending().requests).toHaveLength(1);
  });
});

describe("a terminal that another program left dirty", () => {
  test("shows the whole face in its own place and colours", async ({ person: _ }) => {
    const clean = await openOver(askedHome({ thread: "dirt" }));
    // Red on blue, inverse; a scroll region with its own origin; line drawing; insertion.
    const dirt = "\u001b[31;44;7m\u001b[5;10r\u001b[?6h\u001b(0\u001b[4h";
    const dirty = await openTui(askedHome({ thread: "dirt" }), { before: dirt });
    await dirty.seen("Run a command?");
    const plain = ({ screen }: Tui): readonly string[] =>
      screen().map((row) => lasting(row).replaceAll(/[a-z0-9]{8}|\d+:\d\d|\/tmp\/\S+|\d{3,}/g, "…"));
    await expect.poll(() => plain(dirty)).toEqual(plain(clean));
    expect(dirty.unusualModes()).not.toContain("origin mode");
    expect(dirty.unusualModes()).not.toContain("insert mode");
    expect(dirty.isPaintedAt(0, 70)).toBe(false);
  });
});

describe("another size", () => {
  test("as small as 20x5 shows what can be shown, and the face is whole again after it", async ({
    person: _,
  }) => {
    const home = askedHome();
    const tui = await openOver(home);
    const whole = tui.screen();
    tui.resize(20, 5);
    await tui.until((screen) => /^1 waiting\.\n[^│]{1,80}$/.test(screen));
    await pressAll(tui, "y");
    expect(openFace(home).pending().requests).toHaveLength(1);
    tui.resize(80, 24);
    await tui.seen("Run a command?");
    await expect.poll(() => tui.screen().map(lasting), { timeout: 10_000 }).toEqual(whole.map(lasting));
    expect(tui.sent()).not.toContain("\u001b[3J");
    await pressUntil(tui, "y", () => openFace(home).pending().requests.length === 0);
  });

  test("over and over leaves one frame, and nothing above it", async ({ person: _ }) => {
    const tui = await openOver(askedHome());
    for (const [columns, rows] of [
      [60, 12],
      [200, 50],
      [40, 10],
      [120, 30],
      [80, 24],
    ] as const) {
      tui.resize(columns, rows);
      // What stands there while the terminal folds the frame for the size before is not whole.
      await tui.until((screen) => screen.split("╭─ Run").length === 2 && screen.includes("│ runs"));
      await expect.poll(() => tui.screen().filter((row) => row.length > columns - 1)).toEqual([]);
    }
    await expect.poll(() => tui.screen().join("\n").split("╭─ Run")).toHaveLength(2);
    tui.pty.type("q");
    expect(await tui.ended()).toBe(0);
    expectRestored(tui);
  });
});

describe("an environment", () => {
  test("of a developer or a build machine changes nothing", async ({ person: _ }) => {
    const tui = await openOver(askedHome(), { environment: { CI: "true", DEV: "true" } });
    tui.pty.type("q");
    expect(await tui.ended()).toBe(0);
  });

  test("with NO_COLOR shows everything without a colour", async ({ person: _ }) => {
    const tui = await openOver(askedHome({ level: "dangerous" }), { environment: { NO_COLOR: "1" } });
    expect(tui.isPainted()).toBe(false);
    expect(tui.screen().join("\n")).toContain("DANGEROUS");
  });

  type Lined = readonly [
    what: string,
    environment: Readonly<Record<string, string>>,
    words: readonly string[],
  ];
  test.for<Lined>([
    ["TERM=dumb", { TERM: "dumb" }, []],
    ["INK_SCREEN_READER", { INK_SCREEN_READER: "true" }, []],
    ["--screen-reader", {}, ["--screen-reader"]],
  ])(
    "that asks for lines gets lines without an escape, and takes words: %s",
    async ([_name, environment, words], { person: _ }) => {
      const home = askedHome();
      const tui = await openTui(home, { environment, words, columns: 120 });
      await tui.seen("git push origin main");
      const isDone = (): boolean => openFace(home).pending().requests.length === 0;
      tui.pty.type("approve");
      await pressUntil(tui, "\r", isDone);
      await tui.seen("approved (once");
      tui.pty.type("\u0003");
      expect(await tui.ended()).toBe(0);
      // Marks around what is pasted, where the terminal knows them.
      const marks = /\?2004[hl]/.test(tui.sent()) ? ["\u001b[?2004h", "\u001b[?2004l"] : [];
      expect(marks.length > 0).toBe(environment.TERM !== "dumb");
      expect(marks.reduce((text, mark) => text.replace(mark, ""), tui.sent())).not.toContain("\u001b");
    },
  );
});

describe("wisp-tui", () => {
  const onHome = (home: Home): { readonly env: NodeJS.ProcessEnv } => ({
    env: { PATH: process.env.PATH, WISP_HOME: home.path },
  });

  test("without a terminal says in one line where to go, and loads nothing", async () => {
    const home = askedHome();
    for (const words of [[tuiProgram], [...wispOn(home, "tui").slice(3)]]) {
      const { exit, out, err } = await runBare([process.execPath, ...words], onHome(home));
      expect({ exit, out }).toEqual({ exit: 4, out: "" });
      const line = `WISP_HOME=${home.path} wisp chat --plain`;
      expect(err).toBe(`wisp-tui: standard input and output have to be a terminal. Elsewhere: ${line}\n`);
    }
  });

  test("starts what draws only on a terminal", async ({ person: _ }) => {
    const home = askedHome();
    // The layout of ink is WebAssembly, and nothing else here is.
    const watch = join(tempDirectory(), "watch.mjs");
    const tell = 'process.stderr.write("layout loaded\\n");';
    const watched = `for (const name of ["compile", "instantiate"]) {
      const was = WebAssembly[name];
      WebAssembly[name] = (...given) => { ${tell} return was(...given); };
    }`;
    writeFileSync(watch, watched);
    const node = ["--import", watch];
    const bare = await runBare([process.execPath, ...node, tuiProgram], onHome(home));
    expect(bare.exit).toBe(4);
    expect(bare.err).not.toContain("layout loaded");
    const tui = await openOver(home, { node });
    expect(tui.sent()).toContain("layout loaded");
  });

  test("with its output in a pipe says so too, and draws nothing", async ({ person: _ }) => {
    const home = askedHome();
    const script = '"$@" | cat; echo done';
    const tui = startOnScreen(["sh", "-c", script, "sh", process.execPath, tuiProgram], {
      environment: { PATH: process.env.PATH, WISP_HOME: home.path },
    });
    expect(await tui.ended()).toBe(0);
    expect(tui.sent()).toMatch(/^wisp-tui: .*wisp chat --plain\r\ndone\r\n$/);
  });

  test.for([
    [
      "--help",
      0,
      /^Usage: wisp-tui \[--screen-reader\]\n[\s\S]*Exit codes: 0 after q and Ctrl-C, 128\+n\s+ended/,
    ],
    ["--version", 0, new RegExp(`^${version}\n$`)],
  ] as const)("%s needs no terminal", async ([word, exit, out]) => {
    const ran = await runBare([process.execPath, tuiProgram, word]);
    expect({ exit: ran.exit, err: ran.err }).toEqual({ exit, err: "" });
    expect(ran.out).toMatch(out);
  });

  test("refuses an argument that it does not know, safely shown", async () => {
    const ran = await runBare([process.execPath, tuiProgram, "--now\u001b[31m"]);
    expect(ran).toEqual({
      exit: 2,
      out: "",
      err: "wisp-tui: unknown argument '--now\\u{1b}[31m'\n  wisp-tui --help\n",
    });
  });

  test("with a home that others can open shows nothing of it, and says what repairs it", async ({
    person: _,
  }) => {
    const home = askedHome();
    chmodSync(home.path, 0o755);
    const tui = await openTui(home);
    await tui.seen("chmod 700");
    expect(tui.screen().join("\n")).not.toContain("git push");
    chmodSync(home.path, 0o700);
    const { channel } = openAsker(home);
    channel.file(approvalDraft({ expiresAt: Date.now() + 600_000 }), []);
    await tui.seen("git push origin main");
  });

  test("with a home that cannot be one ends with what, why and what to do", async ({ person: _ }) => {
    const tui = startOnScreen([process.execPath, tuiProgram], {
      environment: { PATH: process.env.PATH, HOME: tempDirectory(), WISP_HOME: "relative/home" },
    });
    expect(await tui.ended()).toBe(8);
    expect(tui.sent()).toMatch(/^wisp-tui: [^\n]+\r\n {2}[^\n]+\r\n( {2}[^\n]+\r\n)?$/);
    expect(tui.sent()).not.toContain("\u001b");
  });

  test("is what wisp tui opens", async ({ person: _ }) => {
    const home = askedHome();
    const tui = startOnScreen(wispOn(home, "tui"));
    await tui.seen("Run a command?");
    tui.pty.type("q");
    expect(await tui.ended()).toBe(0);
    expect(tui.unusualModes()).toEqual([]);
  });
});

/** Without the time left, and without how the face notices changes, which is another way while the machine is busy. */
function lasting(row: string): string {
  return row.replaceAll(/\d+:\d\d/g, "0:00").replace(/ polling$/, " ok");
}
