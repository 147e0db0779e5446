/**
 * Answers of the 2026 era that come when their request is over: a no still refuses, a yes that was kept still counts, and
 * whatever did not count is named.
 */

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { approveLate } from "../../../src/broker/approval/answer-late.js";
import { homeAt } from "../../../src/broker/channel/home.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { type Asked, asked, cancel, counting, decline, denial, runsIn } from "../../support/asked-in-2026.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { answerTo } from "../../support/builders.js";
import { type KeptHome, keptHome } from "../../support/kept-home.js";
import { approval, readAtOnce, startInMemory, textOf } from "../../support/mcp-server.js";
import { answerDialog, askedIn2026, dialogIn, sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";
import { atTerminal } from "../../support/witnesses.js";

interface Over extends Asked {
  readonly clock: PatientClock;
  readonly kept: KeptHome;
}

/** A form is with the client, and its request has timed out. */
async function timedOut(): Promise<Over> {
  const clock = new PatientClock();
  const server = await asked({ clock, config: readAtOnce });
  clock.advance(600_000);
  await expect.poll(() => server.face.receiptOf(server.dialog.id)?.outcome).toBe("timed_out");
  const kept = keptHome(homeAt(server.home, false));
  await expect.poll(() => kept.late.read(server.dialog.id)).not.toBeNull();
  return { ...server, clock, kept };
}

const unused = "The answer in the client's dialog did not count:";

describe("after the time of its request is over", () => {
  test.each([decline, denial])("a no refuses the call and is remembered (%j)", async (no) => {
    const { client, reply, dialog, work, face, kept, clock } = await timedOut();
    const result = await client.resultOf(reply(no));
    expect(result.structuredContent).toMatchObject({
      outcome: "declined",
      code: "approval_declined",
      retryable: false,
      assurance: "dialog",
      request: dialog.id,
    });
    expect(textOf(result)).toMatch(/^Declined by the person\..* Do not retry/);
    expect(textOf(result)).not.toContain(unused);
    // Nobody can say yes to it behind that any more.
    expect(kept.late.read(dialog.id)).toBeNull();
    const again = await client.resultOf(sendLeg(client, { args: counting }));
    expect(again.structuredContent).toMatchObject({ outcome: "declined", request: dialog.id });
    const lines = face.audit().filter(({ kind, call }) => kind === "approval.decided" && call === dialog.id);
    expect(lines.map(({ details }) => details.outcome)).toEqual(["pending", "declined", "declined"]);
    expect(lines[1]?.details).toMatchObject({ via: "elicitation", why: "its request was over" });
    expect([runsIn(work), face.waiting()]).toEqual([0, []]);
    clock.advance(60_001);
    const anew = await askedIn2026(client, { args: counting });
    await client.resultOf(reply(approval, anew));
    expect(runsIn(work)).toBe(1);
  });

  test("a yes is named as not counted, and the next call asks anew", async () => {
    const { client, reply, dialog, work } = await timedOut();
    const result = await client.resultOf(reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "timed_out", request: dialog.id });
    expect(textOf(result)).toContain(`${unused} its request was over.`);
    expect(runsIn(work)).toBe(0);
    const anew = await askedIn2026(client, { args: counting });
    await client.resultOf(reply(approval, anew));
    expect(runsIn(work)).toBe(1);
  });

  test("a cancel is told the time-out, without a word on an answer", async () => {
    const { client, reply } = await timedOut();
    const result = await client.resultOf(reply(cancel));
    expect(result.structuredContent).toMatchObject({ outcome: "timed_out" });
    expect(textOf(result)).not.toContain(unused);
  });

  test.each([approval, cancel, undefined])(
    "a leg uses the yes that somebody gave late, whatever it brings (%j), once",
    async (said) => {
      const { client, reply, dialog, work, home, kept } = await timedOut();
      const late = kept.late.read(dialog.id) ?? expect.fail("It is not kept.");
      const audit = auditLogAt(home, { session: "face" });
      const yes = answerTo(late.request);
      const parts = { audit, grants: kept.grants, late: kept.late, clock: systemClock };
      expect(await approveLate(late, yes, atTerminal, parts)).toMatchObject({ kind: "kept" });
      const result = await client.resultOf(reply(said));
      expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "cli", request: dialog.id });
      expect(textOf(result).includes(`${unused} another came first, via cli.`)).toBe(said === approval);
      expect(runsIn(work)).toBe(1);
      dialogIn(await client.resultOf(sendLeg(client, { args: counting })));
      expect(runsIn(work)).toBe(1);
    },
  );
});

test.each([decline, denial])(
  "a no that comes after a kept yes was over refuses the call (%j)",
  async (no) => {
    const server = await asked({ config: { approval: { unseenAnswerMs: 0, ttlSeconds: 1 } } });
    const { client, dialog, reply, work, face, home } = server;
    await face.approveAndWait(face.only());
    const { grants } = keptHome(homeAt(home, false));
    await expect
      .poll(() => grants.list().unspent.map(({ fault }) => fault), { timeout: 15_000 })
      .not.toEqual([null]);
    const result = await client.resultOf(reply(no));
    expect(result.structuredContent).toMatchObject({ outcome: "declined", request: dialog.id });
    expect(runsIn(work)).toBe(0);
    const other = { args: { argv: ["true"] } };
    const good = answerDialog(client, other, await askedIn2026(client, other), approval);
    expect((await client.resultOf(good)).structuredContent).toMatchObject({ outcome: "approved" });
  },
);

describe("in a fresh server, after the first was killed", () => {
  test.each([decline, denial])("a no refuses the call and is remembered (%j)", async (no) => {
    const { dialog, home, work } = await asked();
    const { client } = await startInMemory({ environment: { WISP_HOME: home }, config: readAtOnce });
    const leg = { args: { ...counting, directory: work } };
    const first = await client.resultOf(answerDialog(client, leg, dialog, no));
    expect(first.structuredContent).toMatchObject({ outcome: "declined", request: dialog.id });
    const again = await client.resultOf(sendLeg(client, leg));
    expect(again.structuredContent).toMatchObject({ outcome: "declined" });
    const replayed = await client.resultOf(answerDialog(client, leg, dialog, no));
    expect(textOf(replayed)).toContain(`${unused} it had come before.`);
    expect(runsIn(work)).toBe(0);
    const other = { args: { argv: ["true"] } };
    const good = answerDialog(client, other, await askedIn2026(client, other), approval);
    expect((await client.resultOf(good)).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("a yes runs nothing: the person is asked anew", async () => {
    const { dialog, home, work } = await asked();
    const { client } = await startInMemory({ environment: { WISP_HOME: home }, config: readAtOnce });
    const leg = { args: { ...counting, directory: work } };
    const anew = dialogIn(await client.resultOf(answerDialog(client, leg, dialog, approval)));
    expect([anew.id === dialog.id, runsIn(work)]).toEqual([false, 0]);
  });
});

describe("a no to a request that waits", () => {
  test("for another thread refuses this call, and is that request's answer, too", async () => {
    const { client, face, work, dialog } = await asked(undefined, { args: { ...counting, thread: "a" } });
    const other = { args: { ...counting, thread: "b" } };
    const result = await client.resultOf(answerDialog(client, other, dialog, denial));
    expect(result.structuredContent).toMatchObject({ outcome: "declined", request: dialog.id });
    await expect
      .poll(() => face.receiptOf(dialog.id))
      .toMatchObject({ outcome: "answered", decision: "deny" });
    await expect.poll(() => face.waiting()).toEqual([]);
    expect(runsIn(work)).toBe(0);
  });

  test("about another state refuses this call, and is that request's answer, too", async () => {
    const server = await startInMemory({ config: readAtOnce });
    const { client, face, work } = server;
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.invalid", ...words], {
        cwd: work,
      });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    const before = await askedIn2026(client, { args: counting });
    git("commit", "-q", "--allow-empty", "-m", "two");
    const result = await client.resultOf(answerDialog(client, { args: counting }, before, denial));
    expect(result.structuredContent).toMatchObject({ outcome: "declined", request: before.id });
    await expect
      .poll(() => face.receiptOf(before.id))
      .toMatchObject({ outcome: "answered", decision: "deny" });
    const again = await client.resultOf(sendLeg(client, { args: counting }));
    expect(again.structuredContent).toMatchObject({ outcome: "declined" });
    await expect.poll(() => face.waiting()).toEqual([]);
    expect(runsIn(work)).toBe(0);
  });
});

describe("a decline that nobody can have read, to a request that waits for another thread,", () => {
  const threads = async (config: object) => {
    const clock = new PatientClock();
    const server = await asked({ clock, config }, { args: { ...counting, thread: "a" } });
    const other = { args: { ...counting, thread: "b" } };
    return {
      ...server,
      told: await server.client.resultOf(answerDialog(server.client, other, server.dialog, decline)),
    };
  };

  test("is no no by a client that answers by itself: this call is asked about", async () => {
    const { told, face, dialog } = await threads({
      approval: { clients: { raw: { unseenDecline: "cancel" } } },
    });
    const anew = dialogIn(told);
    expect(face.waiting().map(({ id }) => id)).toEqual([dialog.id, anew.id]);
  });

  test("is the protocol's no by any other, and says how soon it came", async () => {
    const { told, face } = await threads({});
    expect(told.structuredContent).toMatchObject({ outcome: "declined", unseenMs: 0 });
    await expect.poll(() => face.waiting()).toEqual([]);
  });
});
