/** Calls that return, or whose clients give up, before a person answers: what they are told, and what comes of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeProgram } from "../../support/commands.js";
import {
  connectInMemory,
  type MemoryServer,
  type MemoryServerOptions,
  printing,
  startInMemory,
  textOf,
  waitingProgress,
} from "../../support/mcp-server.js";
import { sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";
import { type Introduction, showsForms } from "../../support/raw-client.js";

/** A command that leaves a line for every time it runs. */
const counting = { argv: ["sh", "-c", "echo ran >> runs"] };

/** Configured for clients by their names, and for all. */
function held(clients: Readonly<Record<string, number | "auto">>, all?: number): object {
  const entries = Object.entries(clients).map(([name, holdSeconds]) => [name, { holdSeconds }]);
  return { approval: { holdSeconds: all, clients: Object.fromEntries(entries) } };
}

function runsIn(work: string): number {
  const path = join(work, "runs");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

interface Held extends MemoryServer {
  readonly clock: PatientClock;
  /** Calls `run_command` and resolves with the call once it waits. */
  readonly waits: (args?: object) => Promise<number>;
  /** Calls it without waiting. */
  readonly calls: (args?: object) => number;
}

type Start = (introduction: Introduction, options?: MemoryServerOptions) => Promise<Held>;

/** Servers to which a client without a dialog speaks, by era. */
const eras: readonly (readonly [era: string, start: Start])[] = [
  ["2025", start2025],
  ["2026", start2026],
];

async function start2025(introduction: Introduction, options: MemoryServerOptions = {}): Promise<Held> {
  const clock = new PatientClock();
  const server = await connectInMemory(introduction, { clock, ...options });
  return heldBy(server, clock, (args, progressToken) =>
    server.client.call("run_command", { ...args }, { progressToken }),
  );
}

async function start2026({ name = "raw" }: Introduction, options: MemoryServerOptions = {}): Promise<Held> {
  const clock = new PatientClock();
  const server = await startInMemory({ clock, ...options });
  return heldBy(server, clock, (args, progressToken) =>
    sendLeg(server.client, { args: { ...args }, name, capabilities: {}, progressToken }),
  );
}

function heldBy(
  server: MemoryServer,
  clock: PatientClock,
  send: (args: object, progressToken: string) => number,
): Held {
  let made = 0;
  const next = (args: object): [call: number, token: string] => {
    made += 1;
    return [send(args, `t${made}`), `t${made}`];
  };
  return {
    ...server,
    clock,
    calls: (args = counting) => next(args)[0],
    async waits(args = counting) {
      const [call, token] = next(args);
      await waitingProgress(server.client, token);
      return call;
    },
  };
}

/** Lets time pass and says whether the call still has no result. */
async function isHeldAfter(ms: number, { clock, client }: Held, call: number): Promise<boolean> {
  clock.advance(ms);
  // What the passing of time has set off is written to a file before it is told.
  for (let times = 0; times < 20; times += 1) await client.roundTrip();
  return !client.hasResponseTo(call);
}

describe.each(eras)("a call of the %s era", (_era, start) => {
  test.each([
    ["codex-mcp-client", 280, {}],
    ["gemini-cli-mcp-client", 570, {}],
    ["never-measured", 45, {}],
    ["codex-mcp-client", 20, { hold: 20 }],
    ["codex-mcp-client", 70, { hold: 20, config: { approval: { holdSeconds: 70 } } }],
    ["mine", 25, { hold: 20, config: held({ mine: 25, other: 30 }) }],
    ["mine", 25, { hold: 20, config: held({ mine: 25 }, 70) }],
    ["mine", 20, { hold: 20, config: held({ mine: "auto" }, 70) }],
    ["mine", 70, { hold: 20, config: held({ other: 25 }, 70) }],
  ])("by %s is held for %i s, and then says that a person has been asked", async (name, seconds, options) => {
    const server = await start({ name }, options);
    const call = await server.waits();
    const request = server.face.only();
    expect(await isHeldAfter(seconds * 1_000 - 1, server, call)).toBe(true);
    server.clock.advance(1);
    const result = await server.client.resultOf(call);
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toMatchObject({
      outcome: "pending",
      code: "approval_pending",
      retryable: true,
      request: request.id,
      argsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      stateFingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      expiresAt: request.expiresAt,
    });
    const text = textOf(result);
    for (const said of [
      "a person has been asked",
      "nothing ran",
      "Say so to the person",
      `repeat exactly the same call every ${Math.max(30, seconds)} s`,
      "not look for another way",
    ]) {
      expect(text).toContain(said);
    }
    expect(server.face.only().id).toBe(request.id);
    expect(runsIn(server.work)).toBe(0);
  });

  test("by a client that waits for ever is held until nobody has answered in time", async () => {
    const server = await start({ name: "claude-code" });
    const call = await server.waits();
    expect(await isHeldAfter(599_999, server, call)).toBe(true);
    server.clock.advance(1);
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "timed_out" });
  });

  test("is not held at all where that is configured", async () => {
    const server = await start({}, { config: { approval: { holdSeconds: 0 } } });
    const call = server.calls();
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "pending" });
  });

  /** One call has returned, and its request waits for the next one. */
  async function detached(options: MemoryServerOptions = {}): Promise<Held & { readonly id: string }> {
    const server = await start({}, options);
    const call = await server.waits();
    const { id } = server.face.only();
    server.clock.advance(45_000);
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "pending" });
    return { ...server, id };
  }

  test("that comes again waits for the same request, however often, and runs once", async () => {
    const server = await detached();
    for (let times = 0; times < 3; times += 1) {
      const again = await server.waits();
      expect(server.face.only().id).toBe(server.id);
      server.clock.advance(45_000);
      expect((await server.client.resultOf(again)).structuredContent).toMatchObject({
        outcome: "pending",
        request: server.id,
      });
    }
    const last = await server.waits();
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(last)).structuredContent).toMatchObject({
      outcome: "approved",
      request: server.id,
    });
    expect(runsIn(server.work)).toBe(1);
    expect(server.face.audit().filter(({ kind }) => kind === "approval.pending")).toHaveLength(1);
  });

  test("collects a yes that came while none was there, once", async () => {
    const server = await detached();
    expect(await server.face.approveAndWait(server.face.only())).toMatchObject({ kind: "won" });
    expect(runsIn(server.work)).toBe(0);
    const again = await server.client.resultOf(server.calls());
    expect(again.structuredContent).toMatchObject({ outcome: "approved", via: "cli", request: server.id });
    expect(runsIn(server.work)).toBe(1);
    const third = await server.waits();
    expect(server.face.only().id).not.toBe(server.id);
    server.face.deny(server.face.only());
    await server.client.resultOf(third);
    expect(runsIn(server.work)).toBe(1);
  });

  test("that comes three times at once for a yes to what does not start fails three times, and later runs once", async () => {
    const server = await start({});
    const { client, clock, face, work } = server;
    const args = { argv: ["./tool"] };
    writeProgram(work, "tool", `#!${join(work, "reader")}\n`);
    const call = await server.waits(args);
    clock.advance(45_000);
    await client.resultOf(call);
    await face.approveAndWait(face.only());
    const retries = [1, 2, 3].map(() => server.calls(args));
    for (const retry of retries) {
      const { structuredContent } = await client.resultOf(retry);
      expect(structuredContent).toMatchObject({ outcome: "failed", code: "invalid_input" });
    }
    writeProgram(work, "reader", "#!/bin/sh\necho ran >> runs\n");
    const ends = await Promise.all([1, 2, 3].map(() => client.resultOf(server.calls(args))));
    const outcomes = ends.map(({ structuredContent }) => structuredContent?.outcome);
    expect(outcomes.toSorted()).toEqual(["already_decided", "already_decided", "approved"]);
    expect(runsIn(work)).toBe(1);
  });

  test("is told a no that came while none was there, with its words, and the no is remembered", async () => {
    const server = await detached();
    const request = server.face.only();
    server.face.deny(request, "not now");
    await expect.poll(() => server.face.receiptOf(request.id)?.outcome).toBe("answered");
    for (let times = 0; times < 2; times += 1) {
      const again = await server.client.resultOf(server.calls());
      expect(textOf(again)).toBe("Denied by the person: not now. Do not retry this call.");
      expect(again.structuredContent).toMatchObject({ outcome: "denied" });
    }
    expect(runsIn(server.work)).toBe(0);
    const other = await server.waits(printing);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(other)).structuredContent).toMatchObject({ stdout: "once" });
  });

  test("with other arguments neither waits for that request nor collects its yes", async () => {
    const server = await detached();
    await server.face.approveAndWait(server.face.only());
    const other = await server.waits({ argv: [...counting.argv, "x"] });
    expect(server.face.only().id).not.toBe(server.id);
    server.face.deny(server.face.only());
    await server.client.resultOf(other);
    expect(runsIn(server.work)).toBe(0);
    await server.client.resultOf(server.calls());
    expect(runsIn(server.work)).toBe(1);
  });

  test.each([
    ["by its own word", "SdkError: Request timed out", 4_000],
    ["after 20 s, without a word", undefined, 20_000],
    ["after 5 min, in other words", "MCP request cancelled by caller", 300_000],
  ])(
    "whose client gave up %s leaves its request: sent again under a new id it collects the answer, once",
    async (_how, reason, ms) => {
      const server = await start({ name: "claude-code" });
      const call = await server.waits();
      const { id } = server.face.only();
      expect(await isHeldAfter(ms, server, call)).toBe(true);
      server.client.notify("notifications/cancelled", { requestId: call, ...(reason && { reason }) });
      await expect.poll(() => detachedIn(server)).toEqual([id]);
      const resent = server.calls();
      await expect.poll(() => detachedIn(server)).toEqual([]);
      server.face.approve(server.face.only());
      expect((await server.client.resultOf(resent)).structuredContent).toMatchObject({
        outcome: "approved",
        request: id,
      });
      expect([runsIn(server.work), server.client.hasResponseTo(call)]).toEqual([1, false]);
    },
  );

  test("that is cancelled sooner, in other words, takes its request back", async () => {
    const server = await start({});
    const call = await server.waits();
    const { id } = server.face.only();
    expect(await isHeldAfter(19_999, server, call)).toBe(true);
    server.client.notify("notifications/cancelled", { requestId: call, reason: "AbortError: user-cancel" });
    await expect.poll(() => server.face.receiptOf(id)?.outcome).toBe("abandoned");
    expect(server.face.waiting()).toEqual([]);
    const next = await server.waits();
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(next)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(runsIn(server.work)).toBe(1);
  });

  test("that was cancelled after its result has nothing left to cancel", async () => {
    const server = await detached();
    const again = await server.waits();
    for (const requestId of [1, 2, 3].filter((one) => one !== again)) {
      server.client.notify("notifications/cancelled", { requestId, reason: "AbortError" });
    }
    await server.client.roundTrip();
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(again)).structuredContent).toMatchObject({ outcome: "approved" });
    server.client.notify("notifications/cancelled", { requestId: again, reason: "AbortError" });
    await server.client.roundTrip();
    expect(server.errors).toEqual([]);
  });

  test("whose client leaves after 20 s takes its request with it", async () => {
    const server = await start({ name: "claude-code" });
    await server.waits();
    const { id } = server.face.only();
    server.clock.advance(30_000);
    await server.leave();
    await server.settled();
    expect(server.face.receiptOf(id)).toMatchObject({ outcome: "withdrawn" });
    expect(runsIn(server.work)).toBe(0);
  });
});

/** The requests that no call waits for, by the server's own record. */
function detachedIn({ home }: MemoryServer): readonly string[] {
  return recordsIn(home).flatMap(({ detached }) => detached);
}

function recordsIn(home: string): readonly { readonly detached: readonly string[] }[] {
  const servers = join(home, "servers");
  return readdirSync(servers).map((name) => JSON.parse(readFileSync(join(servers, name), "utf8")));
}

describe("a call that returns", () => {
  test("takes its dialog down first, and raises it again when it comes back", async () => {
    const server = await start2025({ capabilities: showsForms });
    const { client, clock, face, work } = server;
    const first = await server.waits();
    const dialog = await client.firstOf("elicitation/create");
    clock.advance(45_000);
    const response = await client.responseTo(first);
    const [cancelled] = client.allOf("notifications/cancelled");
    if (cancelled === undefined) throw new Error("The dialog is still up.");
    expect(cancelled.params).toMatchObject({ requestId: dialog.id });
    expect(client.placeOf(cancelled)).toBeLessThan(client.placeOf(response));
    // A late answer changes nothing.
    client.answer(dialog, { action: "accept", content: { decision: "approve" } });
    await client.roundTrip();
    expect([runsIn(work), face.waiting().length]).toEqual([0, 1]);
    const second = await server.waits();
    const again = await client.first(({ method, id }) => method === "elicitation/create" && id !== dialog.id);
    clock.advance(3_000);
    client.answer(again, { action: "accept", content: { decision: "approve" } });
    expect((await client.resultOf(second)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
    });
    expect(runsIn(work)).toBe(1);
  });
});

describe("two clients that call the same", () => {
  test("do not collect each other's yes, whether they share a home or a connection", async () => {
    const one = await start2026({ name: "one" });
    const { client, clock, face, work } = one;
    const call = await one.waits();
    const { id } = face.only();
    clock.advance(45_000);
    await client.resultOf(call);
    await face.approveAndWait(face.only());
    const here = sendLeg(client, { args: counting, name: "two", capabilities: {}, progressToken: "here" });
    await waitingProgress(client, "here");
    expect(face.only()).not.toMatchObject({ id });
    const other = await start2026({ name: "two" }, { environment: { WISP_HOME: one.home } });
    const there = await other.waits({ ...counting, directory: work });
    expect(runsIn(work)).toBe(0);
    const own = await client.resultOf(sendLeg(client, { args: counting, name: "one", capabilities: {} }));
    expect(own.structuredContent).toMatchObject({ outcome: "approved", request: id });
    for (const request of face.waiting()) face.deny(request);
    const ends = await Promise.all([client.resultOf(here), other.client.resultOf(there)]);
    expect(ends.map(({ structuredContent }) => structuredContent?.outcome)).toEqual(["denied", "denied"]);
    expect(runsIn(work)).toBe(1);
  });
});
