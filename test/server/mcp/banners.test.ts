/** When the person is told of a call that waits, and what its caller learns of that. */
import { describe, expect, test } from "vitest";
import { calm } from "../../support/asking.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import {
  approval,
  connectInMemory,
  type MemoryServer,
  printing,
  readAtOnce,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { showsForms, type ToolResult } from "../../support/raw-client.js";

interface Telling extends MemoryServer {
  readonly clock: FakeClock;
  readonly notifier: FakeNotifier;
}

async function telling(
  how: {
    readonly forms?: boolean;
    readonly config?: unknown;
    readonly faults?: readonly (string | null)[];
  } = {},
): Promise<Telling> {
  const { forms = false, config, faults = [null] } = how;
  const clock = new FakeClock();
  const notifiers = faults.map((fault) => Object.assign(new FakeNotifier(clock), { fault }));
  const [notifier = new FakeNotifier(clock)] = notifiers;
  const introduction = forms ? { capabilities: showsForms } : {};
  const server = await connectInMemory(introduction, {
    clock,
    notifiers,
    ...(config !== undefined && { config }),
  });
  return { ...server, clock, notifier };
}

/** A call whose request waits. */
async function waits({ client }: Telling, args: object = printing, token = "p"): Promise<number> {
  const call = client.call("run_command", { ...args }, { progressToken: token });
  await waitingProgress(client, token);
  return call;
}

function told({ structuredContent }: ToolResult): unknown {
  return structuredContent?.notifications;
}

function settledLine({ face }: Telling): unknown {
  return face.audit().find(({ kind }) => kind === "approval.settled")?.details.banner;
}

/** Once time has jumped, the server looks for answers now and then. */
function look({ clock }: Telling): void {
  clock.advance(1_000);
}

const posted = { source: "approval", outcome: "posted", route: "fake", skipped: [] };

describe("with a dialog up", () => {
  test("one that is answered within the delay posts no banner", async () => {
    const server = await telling({ forms: true, config: readAtOnce });
    const { client, clock, notifier } = server;
    const call = await waits(server);
    clock.advance(9_999);
    client.answer(await client.firstOf("elicitation/create"), approval);
    expect(told(await client.resultOf(call))).toEqual([]);
    clock.advance(1e6);
    await calm();
    expect(notifier.shown).toEqual([]);
    expect(settledLine(server)).toBe("skipped");
  });

  test("one that is left open posts one, which stands in the result and in the log", async () => {
    const server = await telling({ forms: true, config: { approval: { bannerDelaySeconds: 7 } } });
    const { client, clock, face, notifier } = server;
    const call = await waits(server);
    await client.firstOf("elicitation/create");
    const pending = face.audit().find(({ kind }) => kind === "approval.pending");
    expect(pending?.details).toMatchObject({ filed: true, dialog: true, bannerDelaySeconds: 7 });
    clock.advance(6_999);
    expect(notifier.shown).toEqual([]);
    clock.advance(1);
    await calm();
    const { id } = face.only();
    expect(notifier.shown).toMatchObject([{ title: "work · raw asks", request: id, level: "moderate" }]);
    face.approve(face.only());
    look(server);
    const receipt = { ...posted, title: "work · raw asks", body: expect.stringContaining(`approve ${id}`) };
    expect(told(await client.resultOf(call))).toEqual([{ ...receipt, at: expect.any(Number) }]);
    const lines = face.audit().filter(({ kind }) => kind === "notification");
    expect(lines).toMatchObject([{ call: id, details: posted }]);
    expect(JSON.stringify(lines)).not.toContain("work · raw");
    expect(settledLine(server)).toBe("posted");
  });

  test.each([
    ["cancelled before anybody can have seen it", { action: "cancel" }],
    ["answered with nothing", { action: "accept", content: {} }],
  ])("one that is %s is announced at once", async (_what, answer) => {
    const server = await telling({ forms: true });
    const { client, face, notifier } = server;
    const call = await waits(server);
    client.answer(await client.firstOf("elicitation/create"), answer);
    await client.roundTrip();
    await calm();
    expect(notifier.shown).toHaveLength(1);
    server.clock.advance(10_000);
    await calm();
    face.approve(face.only());
    look(server);
    expect(told(await client.resultOf(call))).toMatchObject([posted]);
    expect(notifier.shown).toHaveLength(1);
  });

  test("one that alone can ask, and is dismissed, leaves nothing to announce", async () => {
    const alone = { approval: { outOfBand: false, unseenAnswerMs: 0 } };
    const server = await telling({ forms: true, config: alone });
    const { client, notifier } = server;
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), { action: "cancel" });
    const result = await client.resultOf(call);
    expect([result.structuredContent?.outcome, told(result)]).toEqual(["not_obtained", []]);
    expect(notifier.shown).toEqual([]);
    const again = client.call("run_command", { argv: ["true"] }, withProgress);
    await client.first(({ method, id }) => method === "elicitation/create" && id !== 0);
    server.clock.advance(10_000);
    await calm();
    expect(notifier.shown).toMatchObject([{ body: "true — in the client's dialog" }]);
    client.answer(client.allOf("elicitation/create")[1] ?? { jsonrpc: "2.0" }, approval);
    expect(told(await client.resultOf(again))).toMatchObject([posted]);
  });

  test("the configured delay counts", async () => {
    const config = { approval: { ...readAtOnce.approval, bannerDelaySeconds: 2 } };
    const server = await telling({ forms: true, config });
    await waits(server);
    server.clock.advance(1_999);
    await calm();
    expect(server.notifier.shown).toEqual([]);
    server.clock.advance(1);
    await calm();
    expect(server.notifier.shown).toHaveLength(1);
  });
});

test("a client without a dialog is announced at once", async () => {
  const server = await telling();
  const { client, face, notifier } = server;
  const call = await waits(server);
  await calm();
  expect(notifier.shown).toMatchObject([{ source: "approval", request: face.only().id }]);
  face.deny(face.only());
  expect(told(await client.resultOf(call))).toMatchObject([posted]);
});

test("four identical calls have one banner, and each result lists it", async () => {
  const server = await telling();
  const { client, face, notifier } = server;
  const tokens = ["a", "b", "c", "d"];
  const calls = await Promise.all(tokens.map((token) => waits(server, printing, token)));
  await calm();
  expect(notifier.shown).toHaveLength(1);
  face.approve(face.only());
  for (const call of calls) expect(told(await client.resultOf(call))).toMatchObject([posted]);
  const again = client.call("run_command", { argv: ["true"] }, { progressToken: "e" });
  await waitingProgress(client, "e");
  await calm();
  expect(notifier.shown).toHaveLength(2);
  face.deny(face.only());
  expect(told(await client.resultOf(again))).toHaveLength(1);
});

test("half-way to the time-out a request that still waits is announced once more, also when its call has returned", async () => {
  const server = await telling();
  const { client, clock, face, notifier } = server;
  const call = await waits(server);
  await calm();
  clock.advance(299_999);
  const pending = await client.resultOf(call);
  expect([pending.structuredContent?.outcome, told(pending)]).toMatchObject(["pending", [posted]]);
  expect(notifier.shown).toHaveLength(1);
  clock.advance(1);
  await calm();
  expect(notifier.shown[1]).toMatchObject({ source: "reminder", title: "work · raw still waits" });
  const again = await waits(server, printing, "again");
  clock.advance(40_000);
  await calm();
  expect(notifier.shown).toHaveLength(2);
  face.approve(face.only());
  look(server);
  expect(told(await client.resultOf(again))).toMatchObject([posted, { ...posted, source: "reminder" }]);
});

test("of 20 requests at once five are announced alone and the rest together", async () => {
  const server = await telling();
  const { client, clock, face, notifier } = server;
  const calls: number[] = [];
  for (let index = 0; index < 20; index += 1) {
    calls.push(await waits(server, { argv: ["printf", String(index)] }, `p${index}`));
  }
  await calm();
  expect(notifier.shown).toHaveLength(5);
  clock.advance(10_000);
  await calm();
  expect(notifier.shown.slice(5)).toMatchObject([{ title: "20 waiting", request: null }]);
  for (const request of face.waiting()) face.deny(request);
  look(server);
  for (const call of calls) expect(told(await client.resultOf(call))).toMatchObject([posted]);
});

describe("a place for banners", () => {
  test("that hangs delays neither the result nor the end, and what was given up is written down", async () => {
    const server = await telling();
    const { client, face, notifier } = server;
    notifier.isHolding = true;
    const call = await waits(server);
    face.deny(face.only());
    const result = await client.resultOf(call);
    expect([result.structuredContent?.outcome, told(result)]).toEqual(["denied", []]);
    await server.leave();
    await server.settled();
    const [line] = face.audit().filter(({ kind }) => kind === "notification");
    const cancelled = [{ route: "fake", why: "cancelled" }];
    expect(line?.details).toMatchObject({ outcome: "failed", route: null, skipped: cancelled });
  });

  test("that does not work is told beside one that does", async () => {
    const server = await telling({ faults: ["no bus", null] });
    const { client, face } = server;
    const call = await waits(server);
    await calm();
    face.approve(face.only());
    expect(told(await client.resultOf(call))).toMatchObject([
      { outcome: "failed", route: null, skipped: [{ route: "fake", why: "no bus" }] },
      posted,
    ]);
  });
});

test("an argument that is wrong announces nothing", async () => {
  const server = await telling();
  const result = await server.client.resultOf(server.client.call("run_command", { argv: [] }));
  expect(result.structuredContent).toMatchObject({ outcome: "refused", notifications: [] });
  expect(server.notifier.shown).toEqual([]);
  await waits(server);
  await calm();
  expect(server.notifier.shown).toHaveLength(1);
});
