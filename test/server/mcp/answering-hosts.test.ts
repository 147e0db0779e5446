/** Clients whose dialogs answer by themselves, refuse, or say nothing that was asked. */
import { describe, expect, test } from "vitest";
import {
  approval,
  connectInMemory,
  type MemoryServer,
  printing,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { type Message, showsForms } from "../../support/raw-client.js";
import { type SteppedClock, steppedClock } from "../../support/stepped-clock.js";

interface Asked extends MemoryServer {
  readonly clock: SteppedClock;
  readonly call: number;
  readonly dialog: Message;
}

/** A client of this name has called, and its dialog is there. */
async function asked(name: string, approvalSettings: object = {}, args: object = printing): Promise<Asked> {
  const clock = steppedClock();
  const server = await connectInMemory(
    { capabilities: showsForms, name },
    { clock, config: { approval: approvalSettings } },
  );
  const call = server.client.call("run_command", { ...args });
  return { ...server, clock, call, dialog: await server.client.firstOf("elicitation/create") };
}

/** Lets the dialog be answered so many milliseconds after it was raised. */
async function answersAfter(
  ms: number,
  { client, clock, dialog }: Asked,
  reply: Readonly<Record<string, unknown>>,
): Promise<void> {
  clock.advance(ms);
  client.answer(dialog, reply);
  await client.roundTrip();
}

/** Approves the next call in a face, and says how many dialogs were raised until then. */
async function dialogsOfNextCall({ client, face }: Asked): Promise<number> {
  const call = client.call("run_command", { argv: ["printf", "next"] }, withProgress);
  await waitingProgress(client);
  await client.roundTrip();
  const raised = client.allOf("elicitation/create").length;
  face.approve(face.only());
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  return raised;
}

const known = "claude-code";
const unknown = "some-client";
/** No yes for longer is offered for it: it is more than words and quotes. */
const forOnce = { line: "printf once | cat" };
const decline = { action: "decline" };
const cancel = { action: "cancel" };

describe("a dialog that is declined", () => {
  test.each([
    ["by a client that is known to", known, {}],
    [
      "by a client of which the person said so",
      unknown,
      { clients: { [unknown]: { unseenDecline: "cancel" } } },
    ],
  ])(
    "after 3 ms %s has asked nobody: the channel goes on, and no dialog is raised again",
    async (_who, name, settings) => {
      const server = await asked(name, settings);
      await answersAfter(3, server, decline);
      expect(server.client.hasResponseTo(server.call)).toBe(false);
      server.face.approve(server.face.only());
      expect((await server.client.resultOf(server.call)).structuredContent).toMatchObject({
        outcome: "approved",
        via: "cli",
      });
      expect(await dialogsOfNextCall(server)).toBe(1);
    },
  );

  test.each([
    ["by any other", unknown, {}],
    ["by a known one that the person trusts", known, { clients: { [known]: { unseenDecline: "decline" } } }],
  ])("after 3 ms %s is declined, and nobody is said to have said no", async (_who, name, settings) => {
    const server = await asked(name, settings);
    await answersAfter(3, server, decline);
    const result = await server.client.resultOf(server.call);
    expect(result.structuredContent).toMatchObject({
      outcome: "declined",
      code: "approval_declined",
      retryable: false,
      unseenMs: 3,
    });
    expect(textOf(result)).toBe(
      "Declined: the client's dialog answered 3 ms after it was asked, before anybody can have read it. Nothing ran. Do not retry this call; ask the person.",
    );
    expect(await dialogsOfNextCall(server)).toBe(1);
  });

  test.each([known, unknown])(
    "after 3 s by %s is a person's no, and the next call has a dialog again",
    async (name) => {
      const server = await asked(name);
      await answersAfter(3_000, server, decline);
      const result = await server.client.resultOf(server.call);
      expect(result.structuredContent).toMatchObject({ outcome: "declined" });
      expect(result.structuredContent).not.toHaveProperty("unseenMs");
      expect(textOf(result)).toMatch(/^Declined by the person\. Do not retry/);
      expect(await dialogsOfNextCall(server)).toBe(2);
    },
  );

  test.each([known, unknown])("after 3 ms by %s, but by its own option, is declined", async (name) => {
    const server = await asked(name);
    await answersAfter(3, server, { action: "accept", content: { decision: "deny" } });
    const result = await server.client.resultOf(server.call);
    expect(result.structuredContent).toMatchObject({ outcome: "declined", unseenMs: 3 });
    expect(await dialogsOfNextCall(server)).toBe(1);
  });

  test("at the configured time counts as read, and a millisecond sooner does not", async () => {
    const seen = await asked(unknown, { unseenAnswerMs: 50 });
    await answersAfter(50, seen, decline);
    const unseen = await asked(unknown, { unseenAnswerMs: 50 });
    await answersAfter(49, unseen, decline);
    expect((await seen.client.resultOf(seen.call)).structuredContent).not.toHaveProperty("unseenMs");
    expect((await unseen.client.resultOf(unseen.call)).structuredContent).toMatchObject({ unseenMs: 49 });
  });
});

describe("a dialog that is cancelled", () => {
  test.each([
    ["3 ms", 3, known, 1],
    ["3 ms", 3, unknown, 1],
    ["3 s", 3_000, known, 2],
    ["3 s", 3_000, unknown, 2],
  ])("after %s refuses nothing: the channel goes on (%i ms, %s)", async (_after, ms, name, dialogs) => {
    const server = await asked(name);
    await answersAfter(ms, server, cancel);
    expect(server.client.hasResponseTo(server.call)).toBe(false);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(server.call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
    expect(await dialogsOfNextCall(server)).toBe(dialogs);
  });
});

describe("a dialog that is accepted", () => {
  test("after 3 ms counts with what it requires, and is raised no more", async () => {
    const server = await asked(known);
    await answersAfter(3, server, approval);
    const result = await server.client.resultOf(server.call);
    expect(result.structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      assurance: "dialog",
      unseenMs: 3,
    });
    expect(textOf(result)).toContain(
      "Approved (once, via elicitation, dialog, 3 ms after it was asked, before anybody can have read it)",
    );
    expect(await dialogsOfNextCall(server)).toBe(1);
  });

  test.each<[what: string, reply: Readonly<Record<string, unknown>>, args?: object]>([
    ["an empty form", { action: "accept", content: {} }],
    ["nothing", { action: "accept" }],
    ["an unknown option", { action: "accept", content: { decision: "yes" } }],
    ["an option that was not offered", { action: "accept", content: { decision: "answer_in_wisp" } }],
    ["a scope that was not offered", { action: "accept", content: { decision: "approve_always" } }, forOnce],
    ["true", { action: "accept", content: { decision: true } }],
    ["a text for its content", { action: "accept", content: "approve" }],
    ["an unknown action", { action: "approve", content: { decision: "approve" } }],
    ["no action", {}],
  ])("with %s approves nothing, and the channel still can", async (_what, reply, args = printing) => {
    const server = await asked(unknown, {}, args);
    await answersAfter(3_000, server, reply);
    expect(server.client.hasResponseTo(server.call)).toBe(false);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(server.call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
    expect(await dialogsOfNextCall(server)).toBe(2);
  });

  test("twice decides once, and the second answer changes nothing", async () => {
    const server = await asked(unknown);
    await answersAfter(3_000, server, { action: "accept", content: { decision: "deny" } });
    await answersAfter(1, server, approval);
    expect((await server.client.resultOf(server.call)).structuredContent).toMatchObject({
      outcome: "declined",
    });
    expect(server.errors.length).toBeGreaterThan(0);
    expect(await dialogsOfNextCall(server)).toBe(2);
  });

  test("after it was withdrawn changes nothing", async () => {
    const server = await asked(unknown);
    server.face.deny(server.face.only());
    const result = await server.client.resultOf(server.call);
    await answersAfter(3_000, server, approval);
    expect(result.structuredContent).toMatchObject({ outcome: "denied" });
    expect(server.client.received.filter(({ id, method }) => id === server.call && !method)).toHaveLength(1);
    expect(await dialogsOfNextCall(server)).toBe(2);
  });
});

describe("a client that answers a dialog with an error", () => {
  test.each([
    [-32601, 1],
    [-32603, 2],
  ])("%i leaves it to the channel; the next call has %i in all", async (code, dialogs) => {
    const server = await asked(unknown);
    server.client.refuse(server.dialog, code);
    await server.client.roundTrip();
    expect(server.client.hasResponseTo(server.call)).toBe(false);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(server.call)).structuredContent).toMatchObject({ via: "cli" });
    expect(await dialogsOfNextCall(server)).toBe(dialogs);
  });
});

test("a dialog that is never answered keeps nobody from answering elsewhere, and is withdrawn", async () => {
  const server = await asked(unknown);
  server.clock.advance(599_000);
  server.face.approve(server.face.only());
  expect((await server.client.resultOf(server.call)).structuredContent).toMatchObject({
    via: "cli",
    stdout: "once",
  });
  expect(server.client.allOf("notifications/cancelled").map(({ params }) => params?.requestId)).toEqual([
    server.dialog.id,
  ]);
});
