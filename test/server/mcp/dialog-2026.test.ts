/** The client's dialog in the 2026 era, on the wire: it goes out with one result and comes back with the next request. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asked, cancel, counting, decline, denial, runsIn } from "../../support/asked-in-2026.js";
import {
  approval,
  type MemoryServer,
  printing,
  readAtOnce,
  startInMemory,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { answerDialog, askedIn2026, dialogIn, sendLeg } from "../../support/modern-client.js";

/** No yes for longer is offered for it: it is more than words and quotes. */
const forOnce = { line: "echo ran >> runs" };

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
        decision: {
          // What a shell is told to do is remembered for the session at most.
          oneOf: [{ const: "deny" }, { const: "approve" }, { const: "approve_session" }],
        },
      },
    });
    expect(client.allOf("elicitation/create")).toEqual([]);
    expect(face.audit().find(({ kind }) => kind === "approval.pending")?.details).toMatchObject({
      dialog: true,
    });
  });

  test.each(["project", "always"] as const)("that is accepted for %s leaves its rule", async (scope) => {
    const { dialog, reply, client, face } = await asked(undefined, { args: printing });
    expect(dialog.schema).toMatchObject({
      properties: {
        decision: { oneOf: expect.arrayContaining([expect.objectContaining({ const: `approve_${scope}` })]) },
      },
    });
    const result = await client.resultOf(
      reply({ action: "accept", content: { decision: `approve_${scope}` } }),
    );
    expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "elicitation", scope });
    const next = sendLeg(client, { args: printing });
    expect((await client.resultOf(next)).structuredContent).toMatchObject({
      ...{ scope, via: "elicitation", stdout: "once" },
    });
    expect(face.waiting()).toEqual([]);
    expect(face.audit().filter(({ kind }) => kind === "rule.remembered")).toHaveLength(1);
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

  test.each<[what: string, reply: unknown, args?: typeof forOnce]>([
    ["is cancelled", cancel],
    ["comes back without an answer", undefined],
    ["is accepted with an empty form", { action: "accept", content: {} }],
    ["is accepted with nothing", { action: "accept" }],
    ["is accepted with an unknown option", { action: "accept", content: { decision: "yes" } }],
    [
      "is accepted with an option that was not offered",
      { action: "accept", content: { decision: "answer_in_wisp" } },
    ],
    [
      "is accepted with a scope that was not offered",
      { action: "accept", content: { decision: "approve_always" } },
      forOnce,
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
  ])("that %s approves nothing: the leg is held, and the channel can", async (_what, given, args) => {
    const server = await asked(undefined, args === undefined ? {} : { args });
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
    const { dialog, client, work, reply } = await asked(undefined, { args });
    mkdirSync(join(work, "build"));
    expect(dialog.message).toContain('Type "build" to approve.');
    const wrong = reply({ action: "accept", content: { decision: "approve", word: "built" } });
    await waitingProgress(client);
    expect([client.hasResponseTo(wrong), existsSync(join(work, "build"))]).toEqual([false, true]);
    const again = await asked(undefined, { args });
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
    expect(textOf(result)).toMatch(/^Denied by the person: not now\. Do not retry this call\./);
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
