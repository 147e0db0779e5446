/** The client's dialog in the 2026 era, on the wire: it goes out with one result and comes back with the next request. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeProgram } from "../../support/commands.js";
import {
  approval,
  type MemoryServer,
  type MemoryServerOptions,
  printing,
  readAtOnce,
  startInMemory,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import {
  answerDialog,
  askedIn2026,
  dialogIn,
  type ShownDialog,
  sendLeg,
} from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";
import { type SteppedClock, steppedClock } from "../../support/stepped-clock.js";

/** A command that leaves a line for every time it runs. */
const counting = { argv: ["sh", "-c", "echo ran >> runs"] };

function runsIn(work: string): number {
  const path = join(work, "runs");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

interface Asked extends MemoryServer {
  readonly dialog: ShownDialog;
  /** Answers the dialog in the next leg and returns that leg. */
  readonly reply: (reply: unknown, dialog?: ShownDialog) => number;
}

/** A call has been made, and its dialog is with the client. */
async function asked(
  options: MemoryServerOptions = { config: readAtOnce },
  args: object = counting,
): Promise<Asked> {
  const server = await startInMemory(options);
  const leg = { args: { ...args } };
  const dialog = await askedIn2026(server.client, leg);
  const next = { ...leg, ...withProgress };
  return {
    ...server,
    dialog,
    reply: (reply, shown = dialog) => answerDialog(server.client, next, shown, reply),
  };
}

const decline = { action: "decline" };
const cancel = { action: "cancel" };
const denial = { action: "accept", content: { decision: "deny" } };

/** The call waits at the channel: it has no result, and a person can answer it there. */
async function isHeld({ client, face }: MemoryServer, call: number): Promise<boolean> {
  await client.roundTrip();
  return !client.hasResponseTo(call) && face.waiting().length === 1;
}

describe("a dialog of the 2026 era", () => {
  test("goes out with the first result, while the request waits for every face", async () => {
    const { dialog, face, client } = await asked();
    const request = face.only();
    expect(dialog.id).toBe(request.id);
    expect(dialog.message).toMatch(/^sh -c 'echo ran >> runs'\n/);
    expect(dialog.schema).toMatchObject({
      required: ["decision"],
      properties: {
        decision: { oneOf: [{ const: "deny" }, { const: "approve" }, { const: "approve_session" }] },
      },
    });
    expect(client.allOf("elicitation/create")).toEqual([]);
    expect(face.audit().find(({ kind }) => kind === "approval.pending")?.details).toMatchObject({
      dialog: true,
    });
  });

  test("that is accepted with the approving option runs the command once, in the next leg", async () => {
    const { reply, client, work, face } = await asked();
    expect(runsIn(work)).toBe(0);
    const result = await client.resultOf(reply(approval));
    expect(result.structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      scope: "once",
      assurance: "dialog",
      exitCode: 0,
    });
    expect([runsIn(work), face.waiting()]).toEqual([1, []]);
    expect(face.audit().filter(({ kind }) => kind === "approval.requested")).not.toHaveLength(0);
  });

  test("for the session lets the same call run without one", async () => {
    const { reply, client, work } = await asked();
    await client.resultOf(reply({ action: "accept", content: { decision: "approve_session" } }));
    const again = await client.resultOf(sendLeg(client, { args: counting }));
    expect(again.structuredContent).toMatchObject({ outcome: "approved", scope: "session" });
    expect(runsIn(work)).toBe(2);
  });

  test.each([decline, denial])(
    "that says no with %j is a hard stop, also for the same call again",
    async (no) => {
      const { reply, client, work } = await asked();
      const first = await client.resultOf(reply(no));
      expect(first).toMatchObject({
        isError: true,
        structuredContent: { outcome: "declined", code: "approval_declined", retryable: false },
      });
      const again = await client.resultOf(sendLeg(client, { args: counting }));
      expect(again.structuredContent).toMatchObject({ outcome: "declined" });
      expect(runsIn(work)).toBe(0);
      const other = await askedIn2026(client, { args: printing });
      const good = answerDialog(client, { args: printing }, other, approval);
      expect((await client.resultOf(good)).structuredContent).toMatchObject({ stdout: "once" });
    },
  );

  test.each<[what: string, reply: unknown]>([
    ["is cancelled", cancel],
    ["comes back without an answer", undefined],
    ["is accepted with an empty form", { action: "accept", content: {} }],
    ["is accepted with nothing", { action: "accept" }],
    ["is accepted with an unknown option", { action: "accept", content: { decision: "yes" } }],
    [
      "is accepted with an option that was not offered",
      { action: "accept", content: { decision: "approve_always" } },
    ],
    ["is accepted with true", { action: "accept", content: { decision: true } }],
    [
      "is accepted with something beside the decision",
      { action: "accept", content: { decision: "approve", x: 1 } },
    ],
    ["is accepted with a text for its content", { action: "accept", content: "approve" }],
    ["is accepted with a list for its content", { action: "accept", content: ["approve"] }],
    ["comes with an unknown action", { action: "approve", content: { decision: "approve" } }],
    ["comes wrapped as a response", { method: "elicitation/create", result: approval }],
    ["comes as a text", "approve"],
    ["comes as null", null],
    ["comes as a list", [approval]],
    ["comes as another kind of answer", { roots: [] }],
  ])("that %s approves nothing: the leg is held, and the channel can", async (_what, given) => {
    const server = await asked();
    const call = server.reply(given);
    await waitingProgress(server.client);
    expect(await isHeld(server, call)).toBe(true);
    expect(runsIn(server.work)).toBe(0);
    server.face.approve(server.face.only());
    const result = await server.client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "cli" });
    expect(runsIn(server.work)).toBe(1);
  });

  test.each([
    ["an answer about another request", { zzzzzzzz: approval }],
    ["answers that are no object", [approval]],
    ["answers that are a text", "approve"],
  ])("that brings %s approves nothing", async (_what, responses) => {
    const server = await asked();
    const { state } = server.dialog;
    const call = sendLeg(server.client, { args: counting, ...withProgress, state, responses });
    const { error } = await Promise.race([
      server.client.responseTo(call),
      waitingProgress(server.client).then(() => ({ error: undefined })),
    ]);
    expect(runsIn(server.work)).toBe(0);
    server.face.approve(server.face.only());
    if (error === undefined)
      expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ via: "cli" });
    else await server.client.resultOf(sendLeg(server.client, { args: counting }));
    expect(runsIn(server.work)).toBe(1);
  });

  test("for what is dangerous needs the word", async () => {
    const args = { argv: ["rm", "-rf", "build"] };
    const { dialog, client, work, reply } = await asked(undefined, args);
    mkdirSync(join(work, "build"));
    expect(dialog.message).toContain('Type "build" to approve.');
    const wrong = reply({ action: "accept", content: { decision: "approve", word: "built" } });
    await waitingProgress(client);
    expect([client.hasResponseTo(wrong), existsSync(join(work, "build"))]).toEqual([false, true]);
    const again = await asked(undefined, args);
    mkdirSync(join(again.work, "build"));
    const right = again.reply({ action: "accept", content: { decision: "approve", word: "build" } });
    expect((await again.client.resultOf(right)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(existsSync(join(again.work, "build"))).toBe(false);
  });

  test("is shown to clients that can, by the word of each request", async () => {
    const { client, face } = await startInMemory({ config: readAtOnce });
    await askedIn2026(client, { args: printing, name: "shows" });
    const other = { argv: ["printf", "other"] };
    const held = sendLeg(client, { args: other, name: "blind", capabilities: {}, ...withProgress });
    await waitingProgress(client);
    expect(client.hasResponseTo(held)).toBe(false);
    const request = face.waiting().find((one) => one.client?.name === "blind");
    if (request === undefined) throw new Error("Nobody asks.");
    face.approve(request);
    expect((await client.resultOf(held)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
  });

  test.each([
    ["WISP_ELICITATION=off", { environment: { WISP_ELICITATION: "off" } }],
    [
      "a terminal is required",
      { config: { approval: { require: { low: "terminal", moderate: "terminal" } } } },
    ],
    [
      "the client's dialog is switched off",
      { config: { approval: { clients: { raw: { dialog: false } } } } },
    ],
  ])("is not raised where %s: the call is held", async (_what, options) => {
    const { client, face } = await startInMemory(options);
    const call = sendLeg(client, { args: printing, ...withProgress });
    await waitingProgress(client);
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
  });
});

describe("an answer that came before the dialog's", () => {
  test.each([approval, decline, denial, cancel])(
    "decides, whatever the dialog says (%j): a yes runs once, and the result says which counted",
    async (said) => {
      const { reply, client, face, work, dialog } = await asked();
      const ended = face.approveAndWait(face.only());
      expect(await ended).toMatchObject({ kind: "won" });
      expect(runsIn(work)).toBe(0);
      const result = await client.resultOf(reply(said));
      expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "cli", request: dialog.id });
      const hint = "The answer in the client's dialog did not count: another came first, via cli.";
      expect(textOf(result).includes(hint)).toBe(said !== cancel);
      expect(runsIn(work)).toBe(1);
      // It is spent.
      await client.resultOf(sendLeg(client, { args: printing }));
      expect(dialogIn(await client.resultOf(sendLeg(client, { args: counting }))).id).not.toBe(dialog.id);
      expect(runsIn(work)).toBe(1);
    },
  );

  test("is a no with its words, although the dialog says yes", async () => {
    const { reply, client, face, work } = await asked();
    const request = face.only();
    face.deny(request, "not now");
    await expect.poll(() => face.receiptOf(request.id)?.outcome).toBe("answered");
    const result = await client.resultOf(reply(approval));
    expect(textOf(result)).toMatch(/^Denied by the person: not now\. Do not retry this command\./);
    expect(textOf(result)).toContain("did not count: another came first");
    expect(runsIn(work)).toBe(0);
  });

  test("is no answer when time was over: the leg says so, and the same call asks anew", async () => {
    const config = { approval: { unseenAnswerMs: 0, timeoutSeconds: 1 } };
    const { reply, client, face, work, dialog } = await asked({ config });
    await expect.poll(() => face.receiptOf(dialog.id)?.outcome, { timeout: 20_000 }).toBe("timed_out");
    const result = await client.resultOf(reply(approval));
    expect(result.structuredContent).toMatchObject({
      outcome: "timed_out",
      code: "approval_timed_out",
      request: dialog.id,
    });
    expect(runsIn(work)).toBe(0);
    // Of another call nothing is over.
    const third = await askedIn2026(client, { args: { argv: ["true"] } });
    await expect.poll(() => face.receiptOf(third.id)?.outcome, { timeout: 20_000 }).toBe("timed_out");
    dialogIn(await client.resultOf(answerDialog(client, { args: printing }, third, approval)));
    const anew = await askedIn2026(client, { args: counting });
    expect(anew.id).not.toBe(dialog.id);
    await client.resultOf(answerDialog(client, { args: counting }, anew, approval));
    expect(runsIn(work)).toBe(1);
  });
});

interface Timed extends Asked {
  readonly clock: SteppedClock;
}

async function timed(name: string): Promise<Timed> {
  const clock = steppedClock();
  const server = await startInMemory({ clock });
  const leg = { args: counting, name };
  const dialog = await askedIn2026(server.client, leg);
  const next = { ...leg, ...withProgress };
  return {
    ...server,
    clock,
    dialog,
    reply: (reply, shown = dialog) => answerDialog(server.client, next, shown, reply),
  };
}

const known = "claude-code";
const unknown = "some-client";

describe("a dialog that is answered by itself", () => {
  test("after 3 ms with a decline, by a client known to, has asked nobody", async () => {
    const server = await timed(known);
    server.clock.advance(3);
    const call = server.reply(decline);
    await waitingProgress(server.client);
    expect(server.client.hasResponseTo(call)).toBe(false);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
    expect(runsIn(server.work)).toBe(1);
  });

  test("after 3 ms with a decline, by any other client, is declined and says how soon", async () => {
    const server = await timed(unknown);
    server.clock.advance(3);
    const result = await server.client.resultOf(server.reply(decline));
    expect(result.structuredContent).toMatchObject({ outcome: "declined", unseenMs: 3 });
    expect(runsIn(server.work)).toBe(0);
  });

  test.each([known, unknown])("after 3 s with a decline by %s is a person's no", async (name) => {
    const server = await timed(name);
    server.clock.advance(3_000);
    const result = await server.client.resultOf(server.reply(decline));
    expect(result.structuredContent).toMatchObject({ outcome: "declined" });
    expect(result.structuredContent).not.toHaveProperty("unseenMs");
  });

  test.each([
    [3, known, false],
    [3, unknown, false],
    [3_000, known, true],
    [3_000, unknown, true],
  ])(
    "after %i ms with a cancel by %s refuses nothing; is a dialog shown again: %j",
    async (ms, name, isShown) => {
      const server = await timed(name);
      const { client, face } = server;
      server.clock.advance(ms);
      const call = server.reply(cancel);
      await waitingProgress(client);
      face.approve(face.only());
      expect((await client.resultOf(call)).structuredContent).toMatchObject({
        outcome: "approved",
        via: "cli",
      });
      const next = sendLeg(client, { args: printing, name, progressToken: "next" });
      await waitingProgress(client, "next");
      // One that has a dialog has its result by itself; of one that has none this is the result.
      if (!isShown) face.approve(face.only());
      const { resultType } = await client.resultOf(next);
      expect(resultType).toBe(isShown ? "input_required" : "complete");
    },
  );

  test("after 3 ms with the approving option counts, and is raised no more", async () => {
    const server = await timed(known);
    server.clock.advance(3);
    const result = await server.client.resultOf(server.reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "elicitation" });
  });
});

/** Refused before anything runs. */
const invalidState = { code: -32_602, data: { reason: "invalid_request_state" } };

describe("a state", () => {
  test.each<[what: string, change: (state: string) => unknown]>([
    ["that is empty", () => ""],
    ["that is none", () => "v1.e30.AAAA"],
    ["with another proof", (state) => `${state.slice(0, -12)}AAAAAAAAAAAA`],
    ["without its proof", (state) => state.slice(0, state.lastIndexOf("."))],
    ["with another body", (state) => state.replace(/^v1\.eyJ/, "v1.eyK")],
    ["with another beginning", (state) => state.replace("v1.", "v2.")],
    ["in capitals", (state) => state.toUpperCase()],
    ["that is a number", () => 1],
    ["that is an object", () => ({ approved: true })],
    ["that is null", () => null],
  ])("%s is refused before anything runs, and the right one still counts", async (_what, change) => {
    const { client, dialog, reply, work, face } = await asked();
    const wrong = sendLeg(client, {
      args: counting,
      state: change(dialog.state),
      responses: { [dialog.id]: approval },
    });
    const { error } = await client.responseTo(wrong);
    expect(error?.code).toBe(-32_602);
    expect([runsIn(work), face.only().id]).toEqual([0, dialog.id]);
    expect((await client.resultOf(reply(approval))).structuredContent).toMatchObject({ outcome: "approved" });
    expect(runsIn(work)).toBe(1);
  });

  test("of another home is refused", async () => {
    const other = await asked();
    const { client, work, face, reply, dialog } = await asked();
    const wrong = sendLeg(client, {
      args: counting,
      state: other.dialog.state,
      responses: { [other.dialog.id]: approval, [dialog.id]: approval },
    });
    expect((await client.responseTo(wrong)).error).toMatchObject(invalidState);
    expect([runsIn(work), runsIn(other.work), face.waiting().length]).toEqual([0, 0, 1]);
    await client.resultOf(reply(approval));
    expect(runsIn(work)).toBe(1);
  });

  test("that was given to another client is refused", async () => {
    const { client, dialog, reply, work } = await asked();
    const leg = { args: counting, name: "another" };
    expect((await client.responseTo(answerDialog(client, leg, dialog, approval))).error).toMatchObject(
      invalidState,
    );
    expect(runsIn(work)).toBe(0);
    await client.resultOf(reply(approval));
    expect(runsIn(work)).toBe(1);
  });

  test("that comes a second time brings no answer, in no spelling: the person is asked anew", async () => {
    const { client, dialog, reply, work } = await asked();
    await client.resultOf(reply(approval));
    for (const state of [dialog.state, `${dialog.state}=`, `${dialog.state}==`]) {
      const response = await client.responseTo(reply(approval, { ...dialog, state }));
      if (response.result !== undefined) expect(dialogIn(response.result).id).not.toBe(dialog.id);
      expect(runsIn(work)).toBe(1);
    }
    const last = await client.resultOf(sendLeg(client, { args: counting }));
    await client.resultOf(reply(approval, dialogIn(last)));
    expect(runsIn(work)).toBe(2);
  });

  test("brings no yes after it brought none, although its request still waits", async () => {
    const clock = new PatientClock();
    const { client, dialog, reply, work, face } = await asked({ clock, config: readAtOnce });
    const held = reply(cancel);
    await waitingProgress(client);
    clock.advance(45_000);
    expect((await client.resultOf(held)).structuredContent).toMatchObject({ outcome: "pending" });
    const again = dialogIn(await client.resultOf(reply(approval)));
    expect([again.id, face.only().id, runsIn(work)]).toEqual([dialog.id, dialog.id, 0]);
    await client.resultOf(reply(approval, again));
    expect(runsIn(work)).toBe(1);
  });

  test("of what has changed since answers nothing about what it is now", async () => {
    const server = await startInMemory({ config: readAtOnce });
    const { client, work } = server;
    const args = { argv: ["./tool"] };
    writeProgram(work, "tool", "#!/bin/sh\ntouch old\n");
    const before = await askedIn2026(client, { args });
    writeProgram(work, "tool", "#!/bin/sh\ntouch new\n");
    const now = await askedIn2026(client, { args });
    expect(now.id).not.toBe(before.id);
    const again = dialogIn(await client.resultOf(answerDialog(client, { args }, before, approval)));
    expect([again.id, readdirSync(work)]).toEqual([now.id, ["tool"]]);
    await client.resultOf(answerDialog(client, { args }, again, approval));
    expect(readdirSync(work)).toEqual(["new", "tool"]);
  });

  test("of what has changed since answers nothing about it while another call waits for that, either", async () => {
    const { client, work } = await startInMemory({ config: readAtOnce });
    const args = { argv: ["./tool"] };
    writeProgram(work, "tool", "#!/bin/sh\ntouch old\n");
    const before = await askedIn2026(client, { args });
    writeProgram(work, "tool", "#!/bin/sh\ntouch new\n");
    const first = sendLeg(client, { args });
    const joined = sendLeg(client, { args, progressToken: "joined" });
    const now = dialogIn(await client.resultOf(first));
    await waitingProgress(client, "joined");
    const late = answerDialog(client, { args, progressToken: "late" }, before, approval);
    await waitingProgress(client, "late");
    await client.roundTrip();
    expect([client.hasResponseTo(joined), client.hasResponseTo(late), readdirSync(work)]).toEqual([
      false,
      false,
      ["tool"],
    ]);
    const own = answerDialog(client, { args }, now, approval);
    const ends = await Promise.all([joined, late, own].map((call) => client.resultOf(call)));
    expect(ends.map(({ structuredContent }) => structuredContent?.outcome).toSorted()).toEqual([
      "already_decided",
      "already_decided",
      "approved",
    ]);
    expect(readdirSync(work)).toEqual(["new", "tool"]);
  });

  test.each([60, 0])(
    "of a dialog that was declined, replayed with a yes, runs nothing (a no is remembered for %i s)",
    async (declineMemorySeconds) => {
      const config = { approval: { unseenAnswerMs: 0, declineMemorySeconds } };
      const { client, dialog, reply, work } = await asked({ config });
      await client.resultOf(reply(decline));
      const replayed = await client.resultOf(reply(approval));
      if (declineMemorySeconds > 0) expect(replayed.structuredContent).toMatchObject({ outcome: "declined" });
      else expect(dialogIn(replayed).id).not.toBe(dialog.id);
      expect(runsIn(work)).toBe(0);
    },
  );

  test("with other arguments answers nothing about them; twice it asks, and then holds the call", async () => {
    const { client, dialog, face, work } = await asked();
    const other = { args: { argv: ["touch", "other"] } };
    const third = { args: { argv: ["touch", "third"] } };
    const first = dialogIn(await client.resultOf(answerDialog(client, other, dialog, approval)));
    expect(first.message).toMatch(/^touch other\n/);
    const second = dialogIn(await client.resultOf(answerDialog(client, third, first, approval)));
    expect(second.message).toMatch(/^touch third\n/);
    const held = answerDialog(client, { ...other, ...withProgress }, second, approval);
    await waitingProgress(client);
    expect([client.hasResponseTo(held), readdirSync(work)]).toEqual([false, []]);
    const waiting = face.waiting().find(({ id }) => id === first.id);
    if (waiting === undefined) throw new Error("Nobody asks.");
    face.approve(waiting);
    expect((await client.resultOf(held)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
    expect(readdirSync(work)).toEqual(["other"]);
  });
});
