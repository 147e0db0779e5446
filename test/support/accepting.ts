/** A home whose files are to be accepted, and a person at a terminal who accepts them, or an agent that writes to them. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { judgingOf } from "../../src/broker/config/judging.js";
import { loadConfig } from "../../src/broker/config/load.js";
import { openPolicy } from "../../src/broker/policy/book.js";
import { openRememberedRules } from "../../src/broker/policy/remembered-store.js";
import type { JudgedCommand } from "../../src/broker/policy/verdict.js";
import { accept } from "../../src/cli/accept/main.js";
import type { LastingLook } from "../../src/cli/lasting.js";
import { fakeTerminal } from "./fake-terminal.js";
import { rememberedOptions } from "./remembered-home.js";
import { tempHome } from "./temp-home.js";
import { atTerminal } from "./witnesses.js";

const files = ["policy.json", "remembered.json", "config.json"] as const;
type FileName = (typeof files)[number];

/** Where commands of these tests run, and what `git` leads to there. */
export const directory = "/home/p/api";
export const git = "/usr/bin/git";

/** A new home, or the one at `path`. */
export function acceptingHome(path?: string) {
  const home = path === undefined ? tempHome() : homeAt(path, false);
  mkdirSync(home.path, { mode: 0o700, recursive: true });
  const options = rememberedOptions(home.path);
  const remembered = openRememberedRules(options);
  const policy = openPolicy({
    home: home.path,
    keys: options.keys,
    remembered,
    homeDirectory: "/home/p",
    startDirectory: directory,
    clock: options.clock,
  });
  const pathOf = (name: FileName): string => join(home.path, name);
  const terminalOf = (size: { readonly columns?: number; readonly rows?: number }) =>
    fakeTerminal({ home, environment: { HOME: "/home/p", NO_COLOR: "1" }, ...size });
  const settings = () => loadConfig(home.path, options.keys);
  return {
    home,
    options,
    remembered,
    policy,
    settings,
    pathOf,
    /** As anybody does who can write to the home. */
    write(name: FileName, value: unknown): void {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      writeFileSync(pathOf(name), text, { mode: 0o600 });
      chmodSync(pathOf(name), 0o600);
    },
    read: (name: FileName): string => readFileSync(pathOf(name), "utf8"),
    /** What the rules say of a command of these words. */
    judge(argv: readonly string[], overrides: Partial<JudgedCommand> = {}) {
      const judged = {
        kind: "command",
        argv,
        line: argv.join(" "),
        directory,
        program: git,
        programIdentity: "git",
        isProgramOpen: false,
        ...overrides,
      } as const;
      return policy.judge(judged, judgingOf(settings()));
    },
    /** The same on a screen of a size, with `lines` typed one after the other. */
    async acceptsOn(
      size: { readonly columns?: number; readonly rows?: number },
      lines: readonly (string | null)[],
    ) {
      const terminal = terminalOf(size);
      const running = accept(terminal, () => atTerminal);
      for (const [index, line] of lines.entries()) {
        await expect.poll(() => terminal.questions.length).toBe(index + 1);
        terminal.type(line);
      }
      const exit = await running;
      return { exit, out: terminal.printed(), err: terminal.said(), questions: terminal.questions };
    },
    /** `wisp accept`, with `line` typed where it asks. */
    async accepts(
      line: string | null,
      look: LastingLook = () => atTerminal,
      meanwhile: (() => void) | null = null,
    ) {
      const terminal = terminalOf({});
      const running = accept(terminal, look);
      if (meanwhile !== null) {
        await expect.poll(() => terminal.questions.length).toBe(1);
        meanwhile();
      }
      terminal.type(line);
      const exit = await running;
      return { exit, out: terminal.printed(), err: terminal.said(), questions: terminal.questions };
    },
  };
}
