/** What the benchmarks ask and answer: an ordinary command, and a person's yes to it. */
import { linkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  type Ask,
  type DirectoryChannel,
  type Home,
  type Request,
  startedAtOf,
} from "../../src/broker/index.js";

/** The part of a request that an answer is made of. */
export type Asked = Pick<Request, "id" | "binding">;

export function askFor(number: number): Ask {
  const words = ["git", "push", "origin", `feature-${number}`];
  const line = words.join(" ");
  return {
    subject: {
      type: "command",
      line,
      argv: words,
      command: line,
      directory: "/srv/project",
      pattern: null,
      program: null,
      directoryIdentity: null,
      state: null,
    },
    longTexts: [],
    level: "moderate",
    reasons: ["every command asks"],
    rule: null,
    says: "Publish the fix so that the checks can run",
    scopes: ["once"],
    remember: null,
    allowedBy: null,
    client: { name: "bench", version: "1.0.0" },
    caller: "stdio",
    thread: null,
    bound: { role: "mcp", server: "bench" },
  };
}

export function draftFor(number: number): Parameters<DirectoryChannel["file"]>[0] {
  const {
    longTexts: _none,
    bound: _who,
    remember: _nothing,
    allowedBy: _nobody,
    reasons,
    scopes,
    ...asked
  } = askFor(number);
  return {
    ...asked,
    reasons: [...reasons],
    scopes: [...scopes],
    kind: "approval",
    expiresAt: null,
    assurance: "file",
  };
}

const ownStart = startedAtOf(process.pid) ?? "";

export function yesTo({ id, binding }: Asked): Answer {
  return {
    v: 1,
    id,
    binding,
    decision: "approve",
    scope: "once",
    note: null,
    via: "cli",
    answeredAt: Date.now(),
    by: { pid: process.pid, startedAt: ownStart, tty: "/dev/pts/0", version: "0.1.0" },
  };
}

/** An answer that is written and only has to be linked: what happens at the instant of the decision. */
export interface Prepared {
  /** Links it into the slot of its request. */
  link(): void;
  /** Removes the temporary, as every publisher does next. */
  clear(): void;
}

export function prepareYes(home: Home, asked: Asked): Prepared {
  const temporary = join(home.pending, `.tmp.bench-${asked.id}`);
  writeFileSync(temporary, JSON.stringify(yesTo(asked)), { flag: "wx", mode: 0o600 });
  return {
    link: () => linkSync(temporary, join(home.pending, `${asked.id}.answer.json`)),
    clear: () => unlinkSync(temporary),
  };
}
