/** A home with rules in it, and calls that are judged by them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeAccepted } from "../../src/broker/files/sealed.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { openPolicy, type PolicyOptions } from "../../src/broker/policy/book.js";
import type { JudgeSettings, Policy } from "../../src/broker/policy/policy.js";
import type { RememberedRule } from "../../src/broker/policy/remembered.js";
import type { Judged, JudgedTool, Verdict } from "../../src/broker/policy/verdict.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { tempDirectory } from "./temp-home.js";

export interface PolicyHome {
  /** The home of wisp; `~` is the directory above it. */
  readonly path: string;
  readonly homeDirectory: string;
  /** A directory below `~` to run in. */
  readonly project: string;
  readonly policy: Policy;
  /** What is remembered; a test puts rules in. */
  readonly remembered: RememberedRule[];
  /** Writes policy.json: a text, or what stands below `permissions`. */
  write(rules: string | object): void;
  /** Seals a text, as `wisp accept` does; without one, what was written last. */
  accept(text?: string): Promise<void>;
  /** Writes a project's file into `directory`. */
  writeProject(rules: string | object, directory?: string): string;
  line(line: string, overrides?: Partial<Judged>): Verdict;
  argv(...words: string[]): Verdict;
  tool(name: string, args?: JudgedTool["arguments"]): Verdict;
}

const noProgram = { program: null, programIdentity: null, isProgramOpen: false };
const program = { program: "/bin/x", programIdentity: "x", isProgramOpen: false };

export const usual: JudgeSettings = {
  threshold: "low",
  persistDays: 30,
  notices: [],
  onceBecause: null,
};

/** Everything in it is removed when the running test ends. */
export function policyHome(
  overrides: Partial<PolicyOptions> & { settings?: Partial<JudgeSettings> } = {},
): PolicyHome {
  const homeDirectory = tempDirectory();
  const path = join(homeDirectory, "home");
  const project = join(homeDirectory, "project");
  mkdirSync(path, { mode: 0o700 });
  mkdirSync(project);
  const place = { path, ensureHome: () => path, clock: systemClock };
  const keys = rootSecretOf(place);
  const remembered: RememberedRule[] = [];
  const policy = openPolicy({
    home: path,
    keys,
    remembered: {
      list: () => ({ rules: remembered, over: [], unaccepted: [], fault: null, distrust: null }),
    },
    homeDirectory,
    startDirectory: project,
    clock: systemClock,
    ...overrides,
  });
  const settings = { ...usual, ...overrides.settings };
  let last = "";
  const judge = (judged: Judged): Verdict => policy.judge(judged, settings);
  return {
    path,
    homeDirectory,
    project,
    policy,
    remembered,
    write(rules) {
      last = textOf(rules);
      writeFileSync(join(path, "policy.json"), last, { mode: 0o600 });
    },
    accept: (text = last) => writeAccepted(place, "policy.json", text, keys),
    writeProject(rules, directory = project) {
      const file = join(directory, ".wisp", "policy.json");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, textOf(rules));
      return file;
    },
    line: (line, more = {}) =>
      judge({ kind: "command", argv: null, line, directory: project, ...noProgram, ...more } as Judged),
    argv: (...words) =>
      judge({ kind: "command", argv: words, line: words.join(" "), directory: project, ...program }),
    tool(name, args = {}) {
      const [, server = null, tool = name] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
      return judge({ kind: "tool", server, tool, arguments: args, directory: project });
    },
  };
}

/** The same, with rules that are written and accepted. */
export async function acceptedHome(
  rules: string | object,
  overrides: Parameters<typeof policyHome>[0] = {},
): Promise<PolicyHome> {
  const home = policyHome(overrides);
  home.write(rules);
  await home.accept();
  return home;
}

function textOf(rules: string | object): string {
  return typeof rules === "string" ? rules : JSON.stringify({ permissions: rules }, null, 2);
}
