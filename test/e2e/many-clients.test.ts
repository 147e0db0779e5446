/**
 * Many clients, each with its own server, on one home, answered in random order by several processes at once.
 * WISP_TEST_SEED repeats a run; WISP_TEST_CLIENTS and WISP_TEST_CALLS make it smaller.
 */
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import { isReceiptVerified } from "../../src/broker/request/binding.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { answerTo, denialOf } from "../support/builders.js";
import { wispProgram } from "../support/built.js";
import { openFace } from "../support/face.js";
import { makePlaces, type Places, waitingProgress } from "../support/mcp-server.js";
import { type Answerer, needsTerminal, startAnswerer } from "../support/person.js";
import { type RawClient, type ServerProcess, startServer } from "../support/raw-client.js";

const { WISP_TEST_SEED, WISP_TEST_CLIENTS = "20", WISP_TEST_CALLS = "50" } = process.env;
const clients = Number(WISP_TEST_CLIENTS);
const callsEach = Number(WISP_TEST_CALLS);
const answerers = 4;
/** How many answers one process has under way. */
const atOnce = 4;
/** No call comes back without its answer before this, however busy the machine is. */
const holdSeconds = "600";
/** One request in so many is answered yes and no, by two processes at once. */
const contestedEvery = 10;

/** Appends its label to the file of effects, then prints it. */
const script = 'echo "$1" >> effects; printf %s "$1"';

beforeEach(needsTerminal);

test("every call of every client ends once with its own answer, and nothing runs twice or without a yes", async () => {
  const seed = Number(WISP_TEST_SEED ?? randomInt(2 ** 31));
  process.stdout.write(`many clients: WISP_TEST_SEED=${seed}\n`);
  const random = seeded(seed);
  const places = makePlaces();
  const servers = await startClients(places);
  const calls = servers.flatMap((server, index) => callAll(server, `c${index}`));
  await Promise.all(calls.map(({ client, label }) => waitingProgress(client, label)));
  const face = openFace(places.home);
  const requests = shuffled(face.waiting(), random);
  expect(requests.length).toBe(clients * callsEach);

  const processes = await Promise.all(Array.from({ length: answerers }, () => startAnswerer(places.home)));
  const plans = requests.map((request, index) => planFor(request, index, random));
  const given = await answerAll(plans, processes);

  const results = new Map(
    await Promise.all(
      calls.map(async ({ client, id, label }) => [label, await client.resultOf(id)] as const),
    ),
  );
  const approved: string[] = [];
  for (const { request, label } of plans) {
    const endings = given.get(request.id) ?? [];
    const [winner, ...others] = endings.filter(({ ending }) => ending.kind === "won");
    expect(others, label).toEqual([]);
    expect(winner?.ending, label).toMatchObject({ isVerified: true });
    const receipt = face.receiptOf(request.id);
    expect(receipt !== null && isReceiptVerified(receipt, request), label).toBe(true);
    expect(receipt, label).toMatchObject({ outcome: "answered", decision: winner?.decision, via: "cli" });
    if (winner?.decision === "approve") approved.push(label);
    const wanted =
      winner?.decision === "approve"
        ? { structuredContent: { outcome: "approved", request: request.id, stdout: label } }
        : { isError: true, structuredContent: { outcome: "denied", request: request.id } };
    expect(results.get(label), label).toMatchObject(wanted);
    if (winner?.decision === "deny") expect(JSON.stringify(results.get(label))).toContain(`not ${label}`);
  }
  const effects = readFileSync(join(places.work, "effects"), "utf8").trimEnd().split("\n");
  expect(effects.sort()).toEqual(approved.sort());
  for (const { client, id } of calls) {
    expect(
      client.received.filter((message) => message.id === id && message.method === undefined),
    ).toHaveLength(1);
  }
  expect(readdirSync(join(places.home, "pending"))).toEqual([]);
  for (const { child } of servers) child.stdin?.end();
  for (const server of servers) {
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect([server.errors(), server.strayLines]).toEqual(["", []]);
  }
  expect(readdirSync(join(places.home, "servers"))).toEqual([]);
}, 600_000);

interface Call {
  readonly client: RawClient;
  readonly id: number;
  /** What it prints, and the token of its progress. */
  readonly label: string;
}

async function startClients(places: Places): Promise<readonly ServerProcess[]> {
  const servers = Array.from({ length: clients }, () =>
    startServer([process.execPath, wispProgram, "mcp", "--hold", holdSeconds], {
      directory: places.work,
      environment: { HOME: places.root, WISP_HOME: places.home },
    }),
  );
  onTestFinished(async () => {
    for (const { child } of servers) child.kill("SIGKILL");
    await Promise.all(servers.map(({ ended }) => ended));
    places.remove();
  });
  await Promise.all(servers.map(({ client }) => client.initialize()));
  return servers;
}

function callAll({ client }: ServerProcess, name: string): readonly Call[] {
  return Array.from({ length: callsEach }, (_, index) => {
    const label = `${name}-${index}`;
    const argv = ["sh", "-c", script, "sh", label];
    return { client, label, id: client.call("run_command", { argv }, { progressToken: label }) };
  });
}

type Decision = "approve" | "deny";

/** Who says what to one request: one process, or two that disagree. */
interface Plan {
  readonly request: ApprovalRequest;
  readonly label: string;
  readonly given: readonly { readonly by: number; readonly decision: Decision }[];
}

function planFor(request: ApprovalRequest, index: number, random: Random): Plan {
  const { subject } = request;
  const label = subject.type === "command" ? String(subject.argv?.at(-1)) : "";
  const by = random(answerers);
  const decision: Decision = random(2) === 0 ? "approve" : "deny";
  const one = { by, decision };
  if (index % contestedEvery !== 0) return { request, label, given: [one] };
  const rival = { by: (by + 1) % answerers, decision: decision === "approve" ? "deny" : "approve" } as const;
  return { request, label, given: [one, rival] };
}

interface Given {
  readonly decision: Decision;
  readonly ending: AnswerEnding;
}

/** Lets every process give its answers in the order of `plans`; returns how each ended, by request. */
async function answerAll(
  plans: readonly Plan[],
  processes: readonly Answerer[],
): Promise<ReadonlyMap<string, readonly Given[]>> {
  const endings = new Map<string, Given[]>(plans.map(({ request }) => [request.id, []]));
  const give = async (answerer: Answerer, { request, label }: Plan, decision: Decision): Promise<void> => {
    const answer = decision === "approve" ? answerTo(request) : denialOf(request, `not ${label}`);
    endings.get(request.id)?.push({ decision, ending: await answerer.gives(request, answer) });
  };
  const work = processes.flatMap((answerer, by) => {
    const own = plans.flatMap((plan) =>
      plan.given
        .filter((one) => one.by === by)
        .map(
          ({ decision }) =>
            () =>
              give(answerer, plan, decision),
        ),
    );
    return Array.from({ length: atOnce }, () => drain(own));
  });
  await Promise.all(work);
  return endings;
}

async function drain(tasks: (() => Promise<void>)[]): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
}

/** A whole number below `limit`. */
type Random = (limit: number) => number;

/** Park and Miller's generator: the same numbers for the same seed, everywhere. */
function seeded(seed: number): Random {
  const modulus = 2 ** 31 - 1;
  let state = (seed % (modulus - 1)) + 1;
  return (limit) => {
    state = (state * 48_271) % modulus;
    return Math.floor((state / modulus) * limit);
  };
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const keyed = values.map((value) => ({ value, key: random(2 ** 30) }));
  return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
}
