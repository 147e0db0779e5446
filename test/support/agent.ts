/**
 * A client with an agent, as a person starts it: a process of its own below a shell that leads the session of a
 * terminal. What its agent's shell runs, runs below it.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished, type TestContext } from "vitest";
import type {
  ApprovalRequest,
  FactRequest,
  QuestionRequest,
  Request,
} from "../../src/broker/request/request.js";
import { wispProgram } from "./built.js";
import { type AuditRecord, type Face, openFace } from "./face.js";
import { personAt } from "./fact-server.js";
import { makePlaces, type Places, printing, saysWhere } from "./mcp-server.js";
import { type Pty, startInPty } from "./pty.js";
import type { ToolResult } from "./raw-client.js";

const worker = fileURLToPath(new URL("../e2e/workers/agent-client.mjs", import.meta.url));

/** What the log has of an answer, with what was seen of the process that gave it. */
export interface AnswerRecord extends AuditRecord {
  readonly verified: Readonly<Record<string, unknown>>;
}

/** How a line of the agent's shell ended. */
export interface Ran {
  readonly exit: number | null;
  readonly out: string;
}

/** A client whose agent has called a tool, and its shell. Client and server end with the running test. */
export interface Agent<Waiting extends Request = ApprovalRequest> extends Places {
  readonly face: Face;
  /** What waits for an answer. */
  readonly request: Waiting;
  /** Runs `line` as the agent's shell does; `out` is with all that the client's terminal showed. */
  runs(line: string): Promise<Ran>;
  /** Resolves once a line that still runs has printed `text`. */
  hears(text: string): Promise<void>;
  /** Types into the terminal of the client. */
  types(text: string): void;
  readonly result: Promise<ToolResult>;
  /** What the log has of answers: those that were refused, or those that were taken. */
  answers(kind: "answer.refused" | `${Request["kind"]}.answered`): readonly AnswerRecord[];
}

type Said =
  | { readonly ready: true }
  | { readonly progress: string }
  | { readonly result: ToolResult }
  | { readonly heard: string }
  | { readonly ran: Ran };

export interface AgentOptions {
  /** What stands between the client and its server. */
  readonly wrapper?: readonly string[];
  /** What the agent's shell runs before it calls. */
  readonly before?: string;
  /** What the agent asks for. */
  readonly call?: { readonly argv: readonly string[] };
}

/** Starts a client that calls itself `name`, whose agent calls `run_command`. */
export async function startAgent(name: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await startCaller(name, "run_command", options.call ?? printing, options);
  return { ...agent, request: agent.face.only() };
}

/** The same for an agent that asks the person what only they know. */
export async function startAsker(name: string, args: object): Promise<Agent<QuestionRequest>> {
  const agent = await startCaller(name, "ask_person", args);
  return { ...agent, request: agent.face.question() };
}

/** The same for an agent that proposes a fact, and has been told that it waits. */
export async function startProposer(name: string, args: object): Promise<Agent<FactRequest>> {
  const agent = await startCaller(name, "keep_fact", args);
  await agent.result;
  return { ...agent, request: personAt(agent).only() };
}

/**
 * Starts a client that calls `tool`, from a shell that leads the session of a terminal. Client, server and shell are in
 * the working directory of its own places. Resolves once what is asked waits, or the call has its result.
 */
async function startCaller(
  name: string,
  tool: string,
  call: object,
  { wrapper = [], before }: AgentOptions = {},
): Promise<Omit<Agent, "request">> {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  const face = openFace(places.home);
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
  onTestFinished(async () => {
    pty.send({ leave: true });
    await pty.ended;
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
  pty.send({ tool, call });
  await next((one) => ("result" in one || ("progress" in one && saysWhere(one.progress)) ? one : null));
  return {
    ...places,
    face,
    runs: ran,
    hears: async (text) =>
      void (await next((one) => ("heard" in one && one.heard.includes(text) ? one : null))),
    types: (text) => pty.type(text),
    result: next((one) => ("result" in one ? one.result : null)),
    answers: (kind) => (face.audit() as readonly AnswerRecord[]).filter((record) => record.kind === kind),
  };
}

/** The command that approves, as one line for a shell. */
export function approving({ id }: ApprovalRequest): string {
  return answering(`approvals approve ${id}`);
}

/** The command of these words, as one line for a shell. */
export function answering(words: string): string {
  return `'${process.execPath}' '${wispProgram}' ${words}`;
}

/** Runs a line in a terminal that python makes, and ends as it did. */
export function inPythonTerminal(line: string): string {
  const program = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  return `python3 -c '${program}' sh -c "${line}"`;
}

/** Skips the running test, with the reason, where a program that its route takes is missing. */
export function needs(programs: readonly string[], { skip }: Pick<TestContext, "skip">): void {
  for (const program of programs) {
    const { status } = spawnSync("sh", ["-c", 'command -v "$1"', "sh", program]);
    skip(status !== 0, `${program} is missing`);
  }
}

/** What the log calls processes. */
export function namesIn(processes: unknown): readonly unknown[] {
  return (processes as readonly { readonly name: unknown }[]).map(({ name }) => name);
}
