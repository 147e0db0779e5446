/** The full-screen face as it was built, under a terminal that shows what a person would see. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { appears } from "./mcp-server.js";
import { type ScreenOptions, type ScreenPty, startOnScreen } from "./screen-pty.js";
import { tempDirectory } from "./temp-home.js";

/** The program, as `npm run build` leaves it. */
export const tuiProgram: string = fileURLToPath(new URL("../../dist/wisp-tui.mjs", import.meta.url));

export interface TuiOptions extends Omit<ScreenOptions, "environment"> {
  /** Arguments of the program. */
  readonly words?: readonly string[];
  /** Beside what a terminal has anyway. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of node. */
  readonly node?: readonly string[];
  /** A shell script that starts `"$@"`, which is the face. */
  readonly under?: string;
}

export interface Tui extends ScreenPty {
  /** The number of its process. */
  readonly pid: number;
  /** Sends the program a signal. */
  signal(name: NodeJS.Signals): void;
  /** Is the program still there? */
  isRunning(): boolean;
}

/** Opens the face on `home`; it ends with the running test. */
export async function openTui(home: Home, options: TuiOptions = {}): Promise<Tui> {
  const { words = [], environment = {}, node = [], under = '"$@"', ...others } = options;
  const pidFile = join(tempDirectory(), "pid");
  const script = 'echo $$ > "$0.new" && mv "$0.new" "$0" && exec "$@"';
  const program = [process.execPath, ...node, tuiProgram, ...words];
  const terminal = startOnScreen(["sh", "-c", under, "sh", "sh", "-c", script, pidFile, ...program], {
    ...others,
    environment: { PATH: process.env.PATH, HOME: home.path, WISP_HOME: home.path, ...environment },
  });
  await appears(pidFile);
  const pid = Number(readFileSync(pidFile, "utf8"));
  return {
    ...terminal,
    pid,
    signal: (name) => void process.kill(pid, name),
    isRunning() {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    },
  };
}

/** A key decides only after half a second of quiet. */
const quietMs = 700;
/** Until then it is seen what a key decided, or it came too early. */
const againMs = 900;

/** Presses `key` after the quiet, and every now and then until `isDone`. */
export async function pressUntil({ pty }: ScreenPty, key: string, isDone: () => boolean): Promise<void> {
  let due = performance.now() + quietMs;
  const press = (): boolean => {
    if (isDone()) return true;
    const now = performance.now();
    if (now < due) return false;
    pty.type(key);
    due = now + againMs;
    return false;
  };
  await expect.poll(press, { interval: 20, timeout: 30_000 }).toBe(true);
}

/** Presses each of `keys` after the quiet, and lets as much time pass after the last. */
export async function pressAll({ pty }: ScreenPty, ...keys: readonly string[]): Promise<void> {
  await later(quietMs);
  for (const key of keys) {
    pty.type(key);
    await later(quietMs);
  }
}

/** All that the face itself sends: colours of the palette, moves of the caret, erasing, and its modes. */
export const sentByFace: RegExp =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b\[(?:\?(?:1049|25|2004|1004|2026|6|7)[hl]|(?:[0-9]{1,2};?)*m|[0-9]*[A-GKX]|[0-9;]*H|2J|r|4l|=0u|>4;0m)|\u001b\(B|[\u000f\u0007\r\n]/g;
