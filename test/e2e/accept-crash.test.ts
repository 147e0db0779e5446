/** The built `wisp accept` and `wisp config set` at a terminal: killed before each step, and two at one instant. */
import { chownSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { loadConfig } from "../../src/broker/config/load.js";
import { accept as runAccept } from "../../src/cli/accept/main.js";
import { changeKey } from "../../src/cli/config/change.js";
import type { LastingLook } from "../../src/cli/lasting.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { acceptingHome, git } from "../support/accepting.js";
import { wispOn } from "../support/built.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { usual } from "../support/policy-home.js";
import { type Pty, ptyMissing, startInPty } from "../support/pty.js";
import { dayMs, ruleDraft } from "../support/remembered.js";
import { rememberedOptions } from "../support/remembered-home.js";
import { tempDirectory } from "../support/temp-home.js";
import { atTerminal } from "../support/witnesses.js";
import { atEachStep } from "../support/workers.js";

const preload = new URL("workers/fault-at.cjs", import.meta.url).pathname;
const rule = "Bash(git push origin main)";

/** A verb that loosens, what it asks, what is typed to it, and the same in this process. */
interface Loosening {
  readonly words: readonly string[];
  readonly asks: string;
  readonly typed: string;
  readonly run: (terminal: Terminal, look: LastingLook) => Promise<number>;
}

const accept: Loosening = { words: ["accept"], asks: 'Type "accept"', typed: "accept\n", run: runAccept };
const set: Loosening = {
  words: ["config", "set", "approval.timeoutSeconds", "900"],
  asks: "Type y: ",
  typed: "y\n",
  run: (terminal, look) => changeKey({ typed: "approval.timeoutSeconds", value: "900" }, terminal, look),
};

/** Runs it in the home at `path` until it ends, killed before `step`; null for no step, and 0 to count them. */
function started(path: string, { words }: Loosening, step: number | null, report = ""): Pty {
  const faulty = { NODE_OPTIONS: `--require ${preload}`, WISP_TEST_HOME: path, WISP_TEST_REPORT: report };
  return startInPty(wispOn(homeAt(path, false), ...words), {
    isApart: true,
    columns: 200,
    environment: {
      PATH: process.env.PATH,
      HOME: "/home/p",
      ...(step === null ? {} : { ...faulty, WISP_TEST_STEP: `${step}`, WISP_TEST_FAULT: "SIGKILL" }),
    },
  });
}

async function ended(pty: Pty, { asks, typed }: Loosening): Promise<number> {
  // Whoever is killed before asks nothing.
  const isAsked = await pty.seen(asks).then(
    () => true,
    () => false,
  );
  if (isAsked) pty.type(typed);
  return await pty.ended;
}

async function stepsOf(path: string, what: Loosening): Promise<readonly string[]> {
  const [whole, report] = [join(tempDirectory(), "home"), join(tempDirectory(), "steps")];
  cpSync(path, whole, { recursive: true });
  expect(await ended(started(whole, what, 0, report), what)).toBe(0);
  return JSON.parse(readFileSync(report, "utf8"));
}

/** A person runs it once more in the home at `path`. To start the program again for each step would take half of the time. */
async function ranAgain(path: string, { typed, run }: Loosening): Promise<number> {
  const terminal = fakeTerminal({
    home: homeAt(path, false),
    environment: { HOME: "/home/p", NO_COLOR: "1" },
  });
  terminal.type(typed.trimEnd());
  return await run(terminal, () => atTerminal);
}

/** Copies the home, kills the verb there before a step, and lets a person run it again. */
async function killed(path: string, what: Loosening, step: number): Promise<string> {
  const home = join(tempDirectory(), "home");
  cpSync(path, home, { recursive: true });
  expect(await ended(started(home, what, step), what)).toBe(137);
  return home;
}

const waitIn = (home: string): number =>
  loadConfig(home, rememberedOptions(home).keys).settings.approval.timeoutSeconds;

describe.skipIf(ptyMissing !== null)(
  `a verb that loosens${ptyMissing === null ? "" : `: ${ptyMissing}`}`,
  () => {
    it("accept, killed before each step, leaves each file as it was accepted or as it was shown, and goes on", async () => {
      const made = acceptingHome();
      const draft = ruleDraft(Date.now() - 1_000, {
        rule: "Bash(ls)",
        program: git,
        expiresAt: Date.now() + dayMs,
      });
      await made.remembered.remember(draft);
      made.write("policy.json", { permissions: { allow: [rule] } });
      const all = JSON.parse(made.read("remembered.json"));
      all.permissions.remembered.push({ id: "handmade", ...draft, rule: "Bash(pwd)" });
      made.write("remembered.json", all);
      made.write("config.json", { approval: { timeoutSeconds: 900 } });
      const steps = await stepsOf(made.home.path, accept);
      const seals = steps.flatMap((name, index) => (name.startsWith("renameSync") ? [index + 1] : []));
      expect(seals.length).toBeGreaterThanOrEqual(3);
      const seen = new Set<string>();
      await atEachStep(steps, async (step, where) => {
        const home = await killed(made.home.path, accept, step);
        const { allows, rules, wait } = inForceIn(home);
        // One after the other: what is in force is the start of the row.
        expect(["false,1,600", "true,1,600", "true,2,600", "true,2,900"], where).toContain(
          `${allows},${rules},${wait}`,
        );
        seen.add(`${allows},${rules},${wait}`);
        expect(await ranAgain(home, accept), where).toBe(0);
        expect(inForceIn(home), where).toEqual({ allows: true, rules: 2, wait: 900 });
      });
      expect(seen.size).toBe(4);
    }, 600_000);

    it("config set, killed before each step, leaves the old file or the new one, and no value in force without its seal", async () => {
      const made = acceptingHome();
      made.write("config.json", { approval: { bannerDelaySeconds: 20 } });
      const steps = await stepsOf(made.home.path, set);
      const seen = new Set<string>();
      await atEachStep(steps, async (step, where) => {
        const home = await killed(made.home.path, set, step);
        const file = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
        expect(file.approval.bannerDelaySeconds, where).toBe(20);
        const isSealed = existsSync(join(home, "keys", "sealed", "config.json"));
        expect(waitIn(home), where).toBe(isSealed ? 900 : 600);
        // The file comes first.
        if (isSealed) expect(file.approval.timeoutSeconds, where).toBe(900);
        seen.add(`${file.approval.timeoutSeconds},${isSealed}`);
        expect(await ranAgain(home, set), where).toBe(0);
        expect(waitIn(home), where).toBe(900);
      });
      expect(seen).toEqual(new Set(["undefined,false", "900,false", "900,true"]));
    }, 600_000);

    it("accept, twice at one instant, is accepted once; the other is told that something changed meanwhile", async () => {
      const made = acceptingHome();
      made.write("policy.json", { permissions: { allow: [rule] } });
      const both = [started(made.home.path, accept, null), started(made.home.path, accept, null)];
      await Promise.all(both.map((pty) => pty.seen(accept.asks)));
      for (const pty of both) pty.type(accept.typed);
      const exits = await Promise.all(both.map((pty) => pty.ended));
      expect(exits.filter((exit) => exit === 0)).toHaveLength(1);
      const other = both[exits.findIndex((exit) => exit !== 0)]?.output();
      expect(other).toContain("a file changed while you were reading");
      expect(inForceIn(made.home.path).allows).toBe(true);
      expect(await started(made.home.path, accept, null).ended).toBe(0);
    });

    it.skipIf(process.getuid?.() !== 0)(
      "refuses a file of another owner, which is in force for nobody (only root can make one)",
      async () => {
        const made = acceptingHome();
        made.write("policy.json", { permissions: { allow: [rule] } });
        made.write("config.json", { approval: { threshold: "dangerous" } });
        const paths = [made.pathOf("policy.json"), made.pathOf("config.json")];
        for (const path of paths) chownSync(path, 12_345, 12_345);
        for (const what of [accept, set]) {
          const pty = started(made.home.path, what, null);
          expect(await pty.ended).toBe(78);
          expect(pty.output()).toContain("another owner");
        }
        expect(inForceIn(made.home.path).allows).toBe(false);
        for (const path of paths) chownSync(path, 0, 0);
        expect(await ended(started(made.home.path, accept, null), accept)).toBe(0);
        expect(inForceIn(made.home.path).allows).toBe(true);
      },
    );
  },
);

/** What a server would go by. */
function inForceIn(path: string) {
  const { policy, remembered } = acceptingHome(path);
  const judged = {
    kind: "command",
    argv: ["git", "push", "origin", "main"],
    line: "",
    directory: "/",
    program: git,
    programIdentity: "git",
    isProgramOpen: false,
  } as const;
  return {
    allows: policy.judge(judged, usual).name === "allow",
    rules: remembered.list().rules.length,
    wait: waitIn(path),
  };
}
