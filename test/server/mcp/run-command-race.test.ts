import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../../../src/broker/system/clock.js";
import {
  approval,
  connectInMemory,
  printing,
  readAtOnce,
  startInMemory,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { type RawClient, showsForms } from "../../support/raw-client.js";

/** Every method and response on the wire, in the order it came. */
function orderOf(client: RawClient): readonly string[] {
  return client.received.map(({ method, id }) => method ?? `response ${id}`);
}

describe("the race", () => {
  test("won by the channel cancels the dialog by its id before the result goes out", async () => {
    const { client, face, home } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const { id } = face.only();
    const answering = `In a terminal: WISP_HOME=${home} wisp approvals approve ${id}`;
    expect(String(dialog.params?.message).split("\n").slice(-3)).toEqual([
      `wisp home: ${home}`,
      "A yes in this dialog counts as: dialog; one in a terminal counts as: terminal.",
      `Request ${id}. ${answering}`,
    ]);
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ via: "cli", stdout: "once" });
    const cancelled = client.allOf("notifications/cancelled");
    expect(cancelled.map(({ params }) => params?.requestId)).toEqual([dialog.id]);
    const order = orderOf(client);
    expect(order.indexOf("notifications/cancelled")).toBeLessThan(order.indexOf(`response ${call}`));
  });

  test("won by the dialog cancels nothing, and a face that comes later is told who was first", async () => {
    const { client, face } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const request = face.only();
    client.answer(dialog, approval);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      via: "elicitation",
      stdout: "once",
    });
    expect(client.allOf("notifications/cancelled")).toEqual([]);
    expect(face.receiptOf(request.id)).toMatchObject({
      outcome: "answered",
      via: "elicitation",
      decision: "approve",
    });
    expect(await face.approveAndWait(request)).toMatchObject({
      kind: "settled",
      isVerified: true,
      receipt: { via: "elicitation" },
    });
  });

  test("won by a no in the dialog is declined, and the channel's request goes away", async () => {
    const { client, face } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), { action: "decline" });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "declined" });
    expect(face.waiting()).toEqual([]);
  });

  test.each([
    ["dismissed", { action: "cancel" }],
    ["answered with something else", { action: "accept", content: { decision: "yes" } }],
  ])("goes on in the channel when the dialog is %s", async (_how, reply) => {
    const { client, face } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), reply);
    await client.roundTrip();
    expect(client.hasResponseTo(call)).toBe(false);
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
    expect(client.allOf("notifications/cancelled")).toEqual([]);
  });

  test("goes on in the channel when the client refuses to show a dialog", async () => {
    const { client, face } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    client.refuse(await client.firstOf("elicitation/create"), -32601);
    await client.roundTrip();
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
  });

  test("takes no answer that is bound to something else: it is on record, and a good one still runs", async () => {
    const { client, face } = await connectInMemory();
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    const request = face.only();
    expect(await face.approveAndWait(request, { binding: "f".repeat(64) })).toMatchObject({
      kind: "refused",
    });
    expect(client.hasResponseTo(call)).toBe(false);
    expect(await face.approveAndWait(request)).toMatchObject({ kind: "won", isVerified: true });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      stdout: "once",
    });
    expect(face.audit().find((record) => record.kind === "answer.refused")).toMatchObject({
      call: request.id,
      details: { reason: expect.stringContaining("bound to something else") },
    });
  });

  test("ignores what a withdrawn dialog says late, and a late cancellation of the finished call", async () => {
    const { client, face, errors } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const request = face.only();
    face.deny(request);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "denied" });
    client.answer(dialog, approval);
    client.notify("notifications/cancelled", { requestId: call, reason: "late" });
    await client.roundTrip();
    expect(client.received.filter(({ id, method }) => id === call && method === undefined)).toHaveLength(1);
    expect(face.receiptOf(request.id)).toMatchObject({ decision: "deny" });
    expect(errors).toHaveLength(1);
  });

  test("shows at level dangerous the word, and takes no approval without it", async () => {
    const config = { approval: { ...readAtOnce.approval, declineMemorySeconds: 0 } };
    const { client, face, work } = await connectInMemory({ capabilities: showsForms }, { config });
    mkdirSync(join(work, "build"));
    const call = client.call("run_command", { argv: ["rm", "-rf", "build"] });
    const dialog = await client.firstOf("elicitation/create");
    expect(dialog.params?.message).toContain('Type "build" to approve');
    client.answer(dialog, approval);
    await client.roundTrip();
    expect(client.hasResponseTo(call)).toBe(false);
    expect(readdirSync(work)).toEqual(["build"]);
    face.deny(face.only());
    await client.resultOf(call);
    const again = client.call("run_command", { argv: ["rm", "-rf", "build"] });
    const second = await client.first(
      ({ method, id }) => method === "elicitation/create" && id !== dialog.id,
    );
    client.answer(second, { action: "accept", content: { decision: "approve", word: "build" } });
    expect((await client.resultOf(again)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(work)).toEqual([]);
  });
});

describe("a client", () => {
  test.each([
    ["declares nothing", {}],
    ["declares only URLs", { elicitation: { url: {} } }],
  ])("that %s is never sent a dialog", async (_what, capabilities) => {
    const { client, face } = await connectInMemory({ capabilities });
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    await client.resultOf(call);
    expect(client.allOf("elicitation/create")).toEqual([]);
  });

  test("of the 2026 era is not sent a dialog either: the channel asks alone", async () => {
    const { client, face } = await startInMemory();
    const call = client.call("run_command", printing, {
      ...withProgress,
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": showsForms,
    });
    await waitingProgress(client);
    expect(face.only().client).toEqual({ name: "modern", version: "1" });
    expect(face.audit().at(-1)).toMatchObject({ kind: "approval.pending", details: { dialog: false } });
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(client.allOf("elicitation/create")).toEqual([]);
  });

  test("is shown no dialog while WISP_ELICITATION is off, read at each call", async () => {
    const environment: Record<string, string | undefined> = { WISP_ELICITATION: "off" };
    const { client, face } = await connectInMemory({ capabilities: showsForms }, { environment });
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    await client.resultOf(call);
    expect(client.allOf("elicitation/create")).toEqual([]);
  });

  test("that asks for no progress gets none", async () => {
    const { client, face } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    await client.firstOf("elicitation/create");
    face.approve(face.only());
    await client.resultOf(call);
    expect(client.allOf("notifications/progress")).toEqual([]);
  });

  test("gets progress while a person is asked and while the command runs, and none after the result", async () => {
    const beats = new Set<() => void>();
    const every: Clock["every"] = (periodMs, run) => {
      if (periodMs !== 10_000) return systemClock.every(periodMs, run);
      beats.add(run);
      return { cancel: () => void beats.delete(run) };
    };
    const { client, face, home } = await connectInMemory({}, { clock: { ...systemClock, every } });
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    for (const beat of beats) beat();
    face.approve(face.only());
    await client.resultOf(call);
    const { id } =
      face
        .audit()
        .map((record) => ({ id: record.call }))
        .findLast((one) => one.id !== null) ?? {};
    const texts = client.allOf("notifications/progress").map(({ params }) => params?.message);
    const answering = `WISP_HOME=${home} wisp approvals approve ${id}`;
    const where = `Waiting for a person. Answer in a terminal: ${answering} (10 min left)`;
    expect(texts).toEqual(["Asking a person.", where, where, "Approved; it runs."]);
    expect(beats.size).toBe(0);
  });

  test("that sends four calls at once is asked four times, and each answer runs its own", async () => {
    const { client, face } = await connectInMemory();
    const names = ["a", "b", "c", "d"];
    const calls = names.map((name) =>
      client.call("run_command", { argv: ["printf", name] }, { progressToken: name }),
    );
    for (const name of names) await waitingProgress(client, name);
    for (const request of face.waiting().toReversed()) {
      const { argv } = request.subject as { argv: string[] };
      if (argv[1] === "b") face.deny(request);
      else face.approve(request);
    }
    const results = await Promise.all(calls.map((call) => client.resultOf(call)));
    expect(
      results.map((result) => result.structuredContent?.stdout ?? result.structuredContent?.outcome),
    ).toEqual(["a", "denied", "c", "d"]);
  });
});
