/**
 * Deaths of the real `wisp mcp` between an answer and the result: a yes runs at most once, and what had run when the
 * server died is what the log says.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished } from "vitest";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { killGroups } from "../../src/server/command/group.js";
import { wispProgram } from "../support/built.js";
import { writeConfig } from "../support/config-files.js";
import { type Face, openFace } from "../support/face.js";
import {
  appears,
  approval,
  makePlaces,
  type Places,
  readAtOnce,
  waitingProgress,
  withProgress,
} from "../support/mcp-server.js";
import { type Person, test } from "../support/person.js";
import { type ServerProcess, showsForms, startServer } from "../support/raw-client.js";
import type { FaultAt } from "../support/workers.js";

const faultProgram = fileURLToPath(new URL("workers/fault-at.cjs", import.meta.url));

let places: Places;
let face: Face;
/** The person's command, once it has ended. */
let answering: Promise<void>;
const started: ServerProcess[] = [];

/** A home in which nothing has been asked yet. */
function begin(): void {
  places = makePlaces();
  face = openFace(places.home);
  answering = Promise.resolve();
  writeConfig(places.home, readAtOnce);
}

/** Ends what was started. */
async function end(): Promise<void> {
  for (const server of started.splice(0)) {
    server.child.kill("SIGKILL");
    await server.ended;
    expect(server.strayLines).toEqual([]);
  }
  await answering;
  places.remove();
}

beforeEach(begin);
afterEach(end);

/** Starts a server with a fault at one of the steps that follow the answer; step 0 counts them. */
function start(faultAt: FaultAt | null): ServerProcess {
  const preload = faultAt === null ? [] : ["--require", faultProgram];
  const server = startServer([process.execPath, ...preload, wispProgram, "mcp"], {
    directory: places.work,
    environment: {
      HOME: places.root,
      WISP_HOME: places.home,
      WISP_TEST_HOME: places.home,
      WISP_TEST_REPORT: reportPath(),
      WISP_TEST_STEP: String(faultAt?.step ?? 0),
      WISP_TEST_FAULT: faultAt?.fault ?? "",
      WISP_TEST_AFTER: ".answer.json",
    },
  });
  started.push(server);
  return server;
}

function reportPath(): string {
  return join(places.root, "steps");
}

/** Once for each run of the command: its own process and its parent, which is the server that ran it. */
function effects(): readonly (readonly number[])[] {
  const path = join(places.work, "effects");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => line.split(" ").map(Number));
}

const noting = "echo $$ $PPID >>effects";

interface Asked {
  readonly call: number;
  readonly request: ApprovalRequest;
}

/** Has `line` asked for and approves it, and waits for nothing that comes of it. */
type Way = (server: ServerProcess, line: string, person: Person) => Promise<Asked>;

const ways: readonly (readonly [name: string, approves: Way])[] = [
  ["a person at a terminal", approveAtTerminal],
  ["the client's dialog", approveInDialog],
];

async function approveAtTerminal({ client }: ServerProcess, line: string, person: Person): Promise<Asked> {
  await client.initialize();
  const call = client.call("run_command", { line }, withProgress);
  await waitingProgress(client);
  const request = face.only();
  // It fails where its server dies before it says how that ended.
  answering = person.approves(places.home, request).catch(() => {});
  return { call, request };
}

async function approveInDialog({ client }: ServerProcess, line: string): Promise<Asked> {
  await client.initialize({ capabilities: showsForms });
  const call = client.call("run_command", { line }, withProgress);
  const dialog = await client.firstOf("elicitation/create");
  // A dead server's request lies there until somebody looks for such.
  const request = face.waiting().at(-1);
  if (request === undefined) throw new Error("A dialog was raised and nothing waits.");
  client.answer(dialog, approval);
  return { call, request };
}

/** What the log has of the request, in its order. */
function logged({ id }: ApprovalRequest): readonly string[] {
  return face
    .audit()
    .filter(({ call }) => call === id)
    .map(({ kind }) => kind);
}

/** How often process `pid` ran the command. */
function runsBy(pid: number | undefined): number {
  return effects().filter(([, parent]) => parent === pid).length;
}

/** What the log has of a run: each rests on the one before it. */
const order = ["approval.answered", "approval.decided", "effect.started", "effect.finished"];

/** What is true of a yes whose server is dead, whenever it died: how far it came by its log, and how often it ran. */
function fateOf(request: ApprovalRequest, { child: { pid } }: ServerProcess, when: string): string {
  const runs = runsBy(pid);
  const found = logged(request).filter((kind) => order.includes(kind));
  expect(found, when).toEqual(order.slice(0, found.length));
  const last = found.at(-1);
  if (last === "effect.finished") expect(runs, when).toBe(1);
  else expect(runs, when).toBeLessThanOrEqual(last === "effect.started" ? 1 : 0);
  const receipt = face.receiptOf(request.id);
  if (found.includes("effect.started")) {
    expect(receipt, when).toMatchObject({ outcome: "answered", decision: "approve", ran: null });
  } else expect(receipt, when).not.toBeNull();
  return `${last}, ran ${runs} times`;
}

/** The same call on a new server is asked about again, and runs once for its own yes. */
async function expectToAskAgain(first: ApprovalRequest, line: string, when: string): Promise<void> {
  const server = start(null);
  const { call, request } = await approveInDialog(server, line);
  expect(request.id, when).not.toBe(first.id);
  const { structuredContent } = await server.client.resultOf(call);
  expect(structuredContent, when).toMatchObject({
    outcome: "approved",
    request: request.id,
    via: "elicitation",
  });
  expect(runsBy(server.child.pid), when).toBe(1);
}

/** The steps that follow an answer in a server that lives. */
async function soundSteps(approves: Way, person: Person): Promise<readonly string[]> {
  const server = start({ step: 0, fault: "SIGKILL" });
  const { call, request } = await approves(server, noting, person);
  expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  server.child.stdin?.end();
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(fateOf(request, server, "sound")).toBe("effect.finished, ran 1 times");
  return JSON.parse(readFileSync(reportPath(), "utf8"));
}

describe("a yes whose server dies", () => {
  test.for(ways)(
    "before any step after the answer runs at most once, as the log says, and the same call is asked about again: %s",
    { timeout: 600_000 },
    async ([, approves], { person }) => {
      const steps = await soundSteps(approves, person);
      const fates = new Set<string>();
      for (let step = 1; step <= steps.length; step += 1) {
        await end();
        begin();
        const when = `step ${step} ${steps[step - 1]}`;
        const server = start({ step, fault: "SIGKILL" });
        const { request } = await approves(server, noting, person);
        expect(await server.ended, when).toEqual({ code: null, signal: "SIGKILL" });
        await answering;
        await expectToAskAgain(request, noting, when);
        fates.add(fateOf(request, server, when));
      }
      // Without each of these no death would have been where it matters.
      expect([...fates]).toEqual(
        expect.arrayContaining([
          "approval.decided, ran 0 times",
          "effect.started, ran 0 times",
          "effect.started, ran 1 times",
          "effect.finished, ran 1 times",
        ]),
      );
    },
  );

  test("while the command runs does not run it again, and the log says that it began", async ({ person }) => {
    const line = `${noting}; touch noted; [ -e end ] || exec sleep 600`;
    const server = start(null);
    const { request } = await approveAtTerminal(server, line, person);
    await appears(join(places.work, "noted"));
    server.child.kill("SIGKILL");
    await server.ended;
    const groups = effects().map(([own = 0]) => own);
    expect(groups).toEqual([expect.toSatisfy((own: number) => own > 1)]);
    // After SIGKILL nobody ends what ran.
    onTestFinished(() => killGroups(groups));
    await answering;
    writeFileSync(join(places.work, "end"), "");
    await expectToAskAgain(request, line, "while it runs");
    expect(fateOf(request, server, "while it runs")).toBe("effect.started, ran 1 times");
  });
});
