/** The verbs of the configuration at a terminal whose person is the test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../../src/broker/channel/home.js";
import { loadConfig } from "../../src/broker/config/load.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { type ConfigVerb, runConfig } from "../../src/cli/config/main.js";
import { type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.js";
import { startOn } from "./run-verb.js";
import { atTerminal } from "./witnesses.js";

/** Starts one of them where nothing stands against it. */
export function start(what: ConfigVerb, home: Home, options: FakeTerminalOptions = {}) {
  return startOn(fakeTerminal({ home, ...options }), (terminal) =>
    runConfig(what, terminal, () => atTerminal),
  );
}

export const change = (typed: string, value: string | null): ConfigVerb => ({
  verb: "change",
  change: { typed, value },
});

/** Sets a key; a person types `y` where they are asked. */
export async function set(home: Home, typed: string, value: string | null, answer: string | null = "y") {
  const { terminal, ended } = start(change(typed, value), home);
  terminal.type(answer);
  return { ...(await ended), asked: terminal.questions.length };
}

export function inForceIn({ path }: Home) {
  return loadConfig(path, rootSecretOf({ path, ensureHome: () => path, clock: systemClock }));
}

export const textIn = ({ path }: Home): string => readFileSync(join(path, "config.json"), "utf8");

export const logIn = ({ path }: Home) =>
  readFileSync(join(path, "audit", "log.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(
      (line) =>
        JSON.parse(line) as { readonly kind: string; readonly verified: unknown; readonly details: unknown },
    );
