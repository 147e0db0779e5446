/**
 * What an agent's shell can do to answer its own agent's request, with the built programs: the client is a process of
 * its own that a shell in a terminal started, as a person starts it, and each route runs below that client.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, type TestContext } from "vitest";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { wispProgram } from "../support/built.js";
import { type AuditRecord, type Face, openFace } from "../support/face.js";
import { makePlaces, type Places, printing } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { type Pty, startInPty } from "../support/pty.js";
import type { ToolResult } from "../support/raw-client.js";

const worker = fileURLToPath(new URL("workers/agent-client.mjs", import.meta.url));

let places: Places;
let face: Face;
beforeEach(() => {
  places = makePlaces();
  face = openFace(places.home);
});
const agents: Agent[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.leaves()));
  places.remove();
});

interface Ran {
  readonly exit: number | null;
  readonly out: string;
}

/** A client whose agent has called `run_command`, and its shell. */
interface Agent {
  /** What waits for an answer. */
  readonly request: ApprovalRequest;
  /** Runs `line` as the agent's shell does; `out` is with all that the client's terminal showed. */
  runs(line: string): Promise<Ran>;
  readonly result: Promise<ToolResult>;
  /** Resolves once client and server have ended. */
  leaves(): Promise<void>;
}

type Said =
  | { readonly ready: true }
  | { readonly progress: string }
  | { readonly result: ToolResult }
  | { readonly ran: Ran };

interface Starting {
  /** What stands between the client and its server. */
  readonly wrapper?: readonly string[];
  /** What the agent's shell runs before it calls. */
  readonly before?: string;
}

/** Starts a client that calls itself `name`, from a shell that leads the session of a terminal. */
async function startAgent(name: string, { wrapper = [], before }: Starting = {}): Promise<Agent> {
  const said: Said[] = [];
  const listeners: (() => void)[] = [];
  const hear = (): void => listeners.forEach((listener) => void listener());
  const words = [process.execPath, worker, name, ...wrapper, process.execPath, wispProgram, "mcp"];
  const pty: Pty = startInPty(["sh", "-c", '"$@"; exit $?', "sh", ...words], {
    directory: places.work,
    environment: { PATH: process.env.PATH, HOME: places.root, WISP_HOME: places.home },
    onMessage: (message) => {
      said.push(message as Said);
      hear();
    },
  });
  const next = <Found>(find: (one: Said) => Found | null): Promise<Found> => {
    const found = new Promise<Found>((resolve, reject) => {
      listeners.push(() => {
        for (const one of said) {
          const fitting = find(one);
          if (fitting !== null) resolve(fitting);
        }
      });
      hear();
      pty.ended.then((code) => reject(new Error(`The client ended with ${code}:\n${pty.output()}`)));
    });
    // A test need not wait for all that the client could have said.
    found.catch(() => {});
    return found;
  };
  await next((one) => ("ready" in one ? one : null));
  const ran = async (line: string): Promise<Ran> => {
    const count = said.filter((one) => "ran" in one).length;
    pty.send({ line });
    const { exit, out } = await next(
      () => said.flatMap((one) => ("ran" in one ? one.ran : []))[count] ?? null,
    );
    return { exit, out: out + pty.output() };
  };
  if (before !== undefined) await ran(before);
  pty.send({ call: printing });
  await next((one) => ("progress" in one && one.progress.includes("wisp approvals approve ") ? one : null));
  const agent: Agent = {
    request: face.only(),
    runs: ran,
    result: next((one) => ("result" in one ? one.result : null)),
    async leaves() {
      pty.send({ leave: true });
      await pty.ended;
    },
  };
  agents.push(agent);
  return agent;
}

/** The command that approves, as one line for a shell. */
function approving({ id }: ApprovalRequest): string {
  return `'${process.execPath}' '${wispProgram}' approvals approve ${id}`;
}

/** Runs a line in a terminal that python makes, and ends as it did. */
function inPythonTerminal(line: string): string {
  const program = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  return `python3 -c '${program}' sh -c "${line}"`;
}

/** Skips the running test, with the reason, where a program that its route takes is missing. */
function needs(programs: readonly string[], { skip }: Pick<TestContext, "skip">): void {
  for (const program of programs) {
    skip(spawnSync(program, ["--version"]).status !== 0, `${program} is missing`);
  }
}

interface Refused extends AuditRecord {
  readonly verified: Readonly<Record<string, unknown>>;
}

/** What the log has of answers to the request, refused or taken. */
function answersIn(kind: string): readonly Refused[] {
  return (face.audit() as readonly Refused[]).filter((record) => record.kind === kind);
}

const noTerminal = 4;
const notEnough = 10;

type Route = readonly [
  name: string,
  programs: readonly string[],
  line: (approve: string) => string,
  exit: number,
  reason: string | null,
];

const within = "assurance_insufficient: within_client";

const routes: readonly Route[] = [
  ["a pipe", [], (approve) => `printf 'y\\ny\\n' | ${approve}`, noTerminal, null],
  ["a here-document", [], (approve) => `${approve} <<END\ny\nEND`, noTerminal, null],
  ["the client's own terminal", [], (approve) => `${approve} </dev/tty 2>/dev/tty`, notEnough, within],
  ["script", ["script"], (approve) => `script -qec "${approve}" /dev/null`, notEnough, within],
  ["a terminal that python makes", [], inPythonTerminal, notEnough, within],
  [
    "script in a session of its own",
    ["script", "setsid"],
    (approve) => `setsid -w script -qec "${approve}" /dev/null`,
    notEnough,
    within,
  ],
];

describe("an agent of a client that gives it a shell", () => {
  test.for(routes)(
    "cannot approve its own call through %s; it waits for a person, who can",
    async ([, programs, line, exit, reason], { person, skip }) => {
      needs(programs, { skip });
      const agent = await startAgent("claude-code");
      const ran = await agent.runs(line(approving(agent.request)));
      expect(ran).toMatchObject({ exit, out: expect.stringContaining(agent.request.id) });
      expect(answersIn("answer.refused").map(({ details }) => details.reason)).toEqual(
        reason === null ? [] : [reason],
      );
      expect(face.only()).toEqual(agent.request);
      await person.approves(places.home, agent.request);
      const { structuredContent } = await agent.result;
      expect(structuredContent).toMatchObject({ outcome: "approved", stdout: "once", assurance: "terminal" });
      expect(face.receiptOf(agent.request.id)).toMatchObject({
        verified: { terminal: true, ancestry: true },
      });
    },
  );

  test("cannot leave its client behind in a terminal that the client's processes hold", async ({
    person,
    skip,
  }) => {
    skip(process.platform !== "linux", "only Linux tells who holds a terminal");
    const agent = await startAgent("claude-code");
    const done = join(places.work, "done");
    // Its parent ends at once: whoever takes in orphans is its parent then.
    const orphan = `( ( ${approving(agent.request)} </dev/tty; echo \\$? >${done} ) & )`;
    const ran = await agent.runs(
      `${inPythonTerminal(`${orphan}; until [ -s ${done} ]; do sleep 0.1; done`)}; exit $(cat ${done})`,
    );
    expect(ran).toMatchObject({ exit: notEnough, out: expect.stringContaining("holds the other end") });
    expect(answersIn("answer.refused")).toMatchObject([
      {
        details: { reason: "assurance_insufficient: terminal_held" },
        verified: { within: null, masterHolder: { name: expect.stringMatching(/^python/) } },
      },
    ]);
    await person.approves(places.home, agent.request);
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
  });

  test("cannot cut its client off by ending the wrapper that started the server", async ({
    person,
    skip,
  }) => {
    needs(["script"], { skip });
    const file = join(places.work, "wrapper");
    // The outer one stays, because a client of node's lets go of a server whose process it started has ended.
    const inner = `sh -c 'echo $$ >${file}; "$@"; exit $?' sh "$@"`;
    const agent = await startAgent("claude-code", {
      wrapper: ["sh", "-c", `${inner}; exec sleep 600 >&- 2>&-`, "sh"],
      before: `kill -9 $(cat ${file})`,
    });
    const ran = await agent.runs(`script -qec "${approving(agent.request)}" /dev/null`);
    expect(ran).toMatchObject({ exit: notEnough });
    expect(answersIn("answer.refused").map(({ details }) => details.reason)).toEqual([within]);
    await person.approves(places.home, agent.request);
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
  });

  test("that leaves its client behind, terminal and all, is taken for a person: this is not promised", async ({
    person: _person,
    skip,
  }) => {
    needs(["script", "setsid"], { skip });
    const agent = await startAgent("claude-code");
    await agent.runs(
      `(env -i PATH="$PATH" WISP_HOME="$WISP_HOME" setsid script -qec "${approving(agent.request)}" /dev/null >/dev/null 2>&1 &)`,
    );
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved" });
    const [answered] = answersIn("approval.answered");
    // Nothing names the client, but the log says what stood there instead of a person's shell.
    expect(answered?.verified).toMatchObject({ within: null, masterHolder: null });
    expect(namesIn(answered?.verified.ancestors)).toContain("script");
  });
});

describe("whoever starts a server by a program that is not known to give an agent a shell", () => {
  test("may answer in a terminal of their own making, and receipt and log say where that was", async ({
    person: _person,
  }) => {
    const agent = await startAgent("harness");
    const ran = await agent.runs(inPythonTerminal(approving(agent.request)));
    expect(ran).toMatchObject({ exit: 0 });
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
    expect(face.receiptOf(agent.request.id)?.verified).toEqual({
      terminal: true,
      ancestry: false,
      signed: null,
    });
    const [answered] = answersIn("approval.answered");
    expect(answered?.verified).toMatchObject({ within: "harness" });
    const { client, ancestors } = answered?.verified ?? {};
    expect(ancestors).toEqual(expect.arrayContaining([...(client as readonly unknown[])]));
    expect(namesIn(ancestors)).toContain("sh");
  });
});

function namesIn(processes: unknown): readonly unknown[] {
  return (processes as readonly { readonly name: unknown }[]).map(({ name }) => name);
}
