/** When the person is told of a call of the 2026 era, whose dialog is with its client. */
import { describe, expect, test } from "vitest";
import { type Asked, asked, cancel, counting, runsIn } from "../../support/asked-in-2026.js";
import { calm } from "../../support/asking.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { approval, readAtOnce, startInMemory, waitingProgress } from "../../support/mcp-server.js";
import { askedIn2026, dialogIn, sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";

interface Telling extends Asked {
  readonly clock: PatientClock;
  readonly notifier: FakeNotifier;
}

/** A form is with the client, and the banner waits its 10 s. */
async function telling(): Promise<Telling> {
  const clock = new PatientClock();
  const notifier = new FakeNotifier(clock);
  const server = await asked({ clock, notifiers: [notifier], config: readAtOnce });
  return { ...server, clock, notifier };
}

/** Lets time pass, and what that sets off. */
async function pass(ms: number, { clock }: Pick<Telling, "clock">): Promise<void> {
  clock.advance(ms);
  await calm();
}

const posted = { source: "approval", outcome: "posted", route: "fake", skipped: [] };

describe("a form that is with the client", () => {
  test("and is answered within the delay posts no banner, then or later", async () => {
    const server = await telling();
    await pass(9_999, server);
    const result = await server.client.resultOf(server.reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", notifications: [] });
    await pass(599_000, server);
    expect(server.notifier.shown).toEqual([]);
    expect(server.face.audit().find(({ kind }) => kind === "approval.settled")?.details.banner).toBe(
      "skipped",
    );
  });

  test("and is left open posts exactly one, which the leg that brings the answer tells", async () => {
    const server = await telling();
    await pass(9_999, server);
    expect(server.notifier.shown).toEqual([]);
    await pass(1, server);
    expect(server.notifier.shown).toMatchObject([{ request: server.dialog.id, source: "approval" }]);
    await pass(280_000, server);
    expect(server.notifier.shown).toHaveLength(1);
    const result = await server.client.resultOf(server.reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", notifications: [posted] });
    expect(server.notifier.shown).toHaveLength(1);
  });

  test("and comes back cancelled is announced at once, and once", async () => {
    const server = await telling();
    const call = server.reply(cancel);
    await waitingProgress(server.client);
    await calm();
    expect(server.notifier.shown).toHaveLength(1);
    await pass(10_000, server);
    expect(server.notifier.shown).toHaveLength(1);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({
      notifications: [posted],
    });
  });
});

describe("four identical first legs", () => {
  test("at once have one form and one banner between them, and one run", async () => {
    const clock = new PatientClock();
    const notifier = new FakeNotifier(clock);
    const { client, face, work } = await startInMemory({ clock, notifiers: [notifier], config: readAtOnce });
    const tokens = ["b", "c", "d"];
    const first = sendLeg(client, { args: counting });
    const held = tokens.map((progressToken) => sendLeg(client, { args: counting, progressToken }));
    const { id } = dialogIn(await client.resultOf(first));
    for (const token of tokens) await waitingProgress(client, token);
    expect([face.only().id, notifier.shown]).toEqual([id, []]);
    await pass(10_000, { clock });
    expect(notifier.shown).toMatchObject([{ request: id }]);
    face.approve(face.only());
    const results = await Promise.all(held.map((leg) => client.resultOf(leg)));
    const told = results.map(({ structuredContent }) => structuredContent);
    for (const one of told) expect(one).toMatchObject({ request: id, notifications: [posted] });
    expect(told.map((one) => one?.outcome).toSorted()).toEqual([
      "already_decided",
      "already_decided",
      "approved",
    ]);
    expect([notifier.shown.length, runsIn(work)]).toEqual([1, 1]);
  });

  test("one after the other have a form each, for one request, one banner and one run", async () => {
    const server = await telling();
    const { client, dialog, notifier, work, reply } = server;
    const dialogs = [dialog];
    for (let leg = 1; leg < 4; leg += 1) dialogs.push(await askedIn2026(client, { args: counting }));
    expect(new Set(dialogs.map(({ id }) => id)).size).toBe(1);
    await pass(10_000, server);
    expect(notifier.shown).toHaveLength(1);
    const result = await client.resultOf(reply(approval, dialogs.at(-1)));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", notifications: [posted] });
    expect([notifier.shown.length, runsIn(work)]).toEqual([1, 1]);
  });
});
