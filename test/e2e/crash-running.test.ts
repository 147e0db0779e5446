/**
 * Deaths of the real `wisp mcp` between an answer and the result: a yes runs at most once, and what had run when the
 * server died is what the log says.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished } from "vitest";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { killGroups } from "../../src/server/command/group.js";
import { wispProgram } from "../support/built.js";
import { writeAcceptedConfig } from "../support/config-files.js";
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
import { atEachStep, type FaultAt } from "../support/workers.js";

/** How long after a record a server signs the head of its log: `src/server/mcp/asking.ts`. */
const headDelayMs = 250;

const faultProgram = fileURLToPath(new URL("workers/fault-at.cjs", import.meta.url));

/** A home in which nothing has been asked yet, and what is started on it. Several live side by side. */
interface Life {
  readonly places: Places;
  readonly face: Face;
  readonly started: ServerProcess[];
  /** The person's command, once it has ended. */
  answering: Promise<void>;
}

function begin(): Life {
  const places = makePlaces();
  writeAcceptedConfig(places.home, readAtOnce);
  const life: Life = { places, face: openFace(places.home), started: [], answering: Promise.resolve() };
  onTestFinished(() => end(life));
  return life;
}

/** Ends what was started. A second time it does nothing. */
async function end(life: Life): Promise<void> {
  for (const server of life.started.splice(0)) {
    server.child.kill("SIGKILL");
    await server.ended;
    expect(server.strayLines).toEqual([]);
  }
  await life.answering;
  life.places.remove();
}

/**
 * Starts a server with a fault at one of the steps that follow the answer; step 0 counts them. The head of its log is signed
 * where it ends: a timer would sign it another number of times in each run.
 */
function start({ places, started }: Life, faultAt: FaultAt | null): ServerProcess {
  const preload = faultAt === null ? [] : ["--require", faultProgram];
  const server = startServer([process.execPath, ...preload, wispProgram, "mcp"], {
    directory: places.work,
    environment: {
      HOME: places.root,
      WISP_HOME: places.home,
      WISP_TEST_HOME: places.home,
      WISP_TEST_REPORT: reportPath(places),
      WISP_TEST_STEP: String(faultAt?.step ?? 0),
      WISP_TEST_FAULT: faultAt?.fault ?? "",
      WISP_TEST_AFTER: ".answer.json",
      WISP_TEST_HELD_MS: String(headDelayMs),
    },
  });
  started.push(server);
  return server;
}

function reportPath({ root }: Places): string {
  return join(root, "steps");
}

/** Once for each run of the command: its own process and its parent, which is the server that ran it. */
function effects({ places }: Life): readonly (readonly number[])[] {
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
type Way = (life: Life, server: ServerProcess, line: string, person: Person) => Promise<Asked>;

const ways: readonly (readonly [name: string, approves: Way])[] = [
  ["a person at a terminal", approveAtTerminal],
  ["the client's dialog", approveInDialog],
];

async function approveAtTerminal(
  life: Life,
  { client }: ServerProcess,
  line: string,
  person: Person,
): Promise<Asked> {
  await client.initialize();
  const call = client.call("run_command", { line }, withProgress);
  await waitingProgress(client);
  const request = life.face.only();
  // It fails where its server dies before it says how that ended.
  life.answering = person.approves(life.places.home, request).catch(() => {});
  return { call, request };
}

async function approveInDialog({ face }: Life, { client }: ServerProcess, line: string): Promise<Asked> {
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
function logged({ face }: Life, { id }: ApprovalRequest): readonly string[] {
  return face
    .audit()
    .filter(({ call }) => call === id)
    .map(({ kind }) => kind);
}

/** How often process `pid` ran the command. */
function runsBy(life: Life, pid: number | undefined): number {
  return effects(life).filter(([, parent]) => parent === pid).length;
}

/** What the log has of a run: each rests on the one before it. */
const order = ["approval.answered", "approval.decided", "effect.started", "effect.finished"];

/** What is true of a yes whose server is dead, whenever it died: how far it came by its log, and how often it ran. */
function fateOf(
  life: Life,
  request: ApprovalRequest,
  { child: { pid } }: ServerProcess,
  when: string,
): string {
  const runs = runsBy(life, pid);
  const found = logged(life, request).filter((kind) => order.includes(kind));
  expect(found, when).toEqual(order.slice(0, found.length));
  const last = found.at(-1);
  if (last === "effect.finished") expect(runs, when).toBe(1);
  else expect(runs, when).toBeLessThanOrEqual(last === "effect.started" ? 1 : 0);
  const receipt = life.face.receiptOf(request.id);
  if (found.includes("effect.started")) {
    expect(receipt, when).toMatchObject({ outcome: "answered", decision: "approve", ran: null });
  } else expect(receipt, when).not.toBeNull();
  return `${last}, ran ${runs} times`;
}

/** The same call on a new server is asked about again, and runs once for its own yes. */
async function expectToAskAgain(
  life: Life,
  first: ApprovalRequest,
  line: string,
  when: string,
): Promise<void> {
  const server = start(life, null);
  const { call, request } = await approveInDialog(life, server, line);
  expect(request.id, when).not.toBe(first.id);
  const { structuredContent } = await server.client.resultOf(call);
  expect(structuredContent, when).toMatchObject({
    outcome: "approved",
    request: request.id,
    via: "elicitation",
  });
  expect(runsBy(life, server.child.pid), when).toBe(1);
}

/** The steps that follow an answer in a server that lives. */
async function soundSteps(approves: Way, person: Person): Promise<readonly string[]> {
  const life = begin();
  const server = start(life, { step: 0, fault: "SIGKILL" });
  const { call, request } = await approves(life, server, noting, person);
  expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  server.child.stdin?.end();
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(fateOf(life, request, server, "sound")).toBe("effect.finished, ran 1 times");
  const steps: readonly string[] = JSON.parse(readFileSync(reportPath(life.places), "utf8"));
  // Of the head, and of what keys/ knows of it: once each, or the timer that was to be held rang.
  expect(steps.filter((step) => step.startsWith("renameSync"))).toHaveLength(2);
  return steps;
}

describe("a yes whose server dies", () => {
  test.for(ways)(
    "before any step after the answer runs at most once, as the log says, and the same call is asked about again: %s",
    { timeout: 600_000 },
    async ([, approves], { person }) => {
      const steps = await soundSteps(approves, person);
      const fates = new Set<string>();
      await atEachStep(steps, async (_, when, step) => {
        const life = begin();
        const server = start(life, { step, fault: "SIGKILL" });
        const { call, request } = await approves(life, server, noting, person);
        // The last steps come as it leaves.
        const result = server.client.resultOf(call).then(() => server.child.stdin?.end());
        await Promise.race([result, server.ended]);
        expect(await server.ended, when).toEqual({ code: null, signal: "SIGKILL" });
        await life.answering;
        // The next server sweeps: until then nobody has said how the request of the dead one ended.
        await expectToAskAgain(life, request, noting, when);
        fates.add(fateOf(life, request, server, when));
        await end(life);
      });
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
    const life = begin();
    const { places } = life;
    const server = start(life, null);
    const { request } = await approveAtTerminal(life, server, line, person);
    await appears(join(places.work, "noted"));
    server.child.kill("SIGKILL");
    await server.ended;
    const groups = effects(life).map(([own = 0]) => own);
    expect(groups).toEqual([expect.toSatisfy((own: number) => own > 1)]);
    // After SIGKILL nobody ends what ran.
    onTestFinished(() => killGroups(groups));
    await life.answering;
    writeFileSync(join(places.work, "end"), "");
    await expectToAskAgain(life, request, line, "while it runs");
    expect(fateOf(life, request, server, "while it runs")).toBe("effect.started, ran 1 times");
  });
});
