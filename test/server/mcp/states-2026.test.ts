/** The states of the 2026 era on the wire: whatever comes back with an answer, it says yes to what its form showed, once. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asked, cancel, counting, decline, runsIn } from "../../support/asked-in-2026.js";
import { writeProgram } from "../../support/commands.js";
import {
  approval,
  readAtOnce,
  startInMemory,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { answerDialog, askedIn2026, dialogIn, sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";

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

  test.each([
    ["a yes", approval, "approved", "cli", 1],
    ["a no", decline, "declined", undefined, 0],
  ])("that cannot be noted as used brings no yes, but a no (%s)", async (_what, said, outcome, via, runs) => {
    const { client, reply, work, home, face } = await asked();
    mkdirSync(join(home, "keys"), { mode: 0o700, recursive: true });
    writeFileSync(join(home, "keys", "consumed"), "in the way");
    const call = reply(said);
    await waitingProgress(client);
    await client.roundTrip();
    expect(runsIn(work)).toBe(0);
    if (via !== undefined) {
      await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
      face.approve(face.only());
    }
    const { structuredContent } = await client.resultOf(call);
    expect([structuredContent?.outcome, structuredContent?.via]).toEqual([outcome, via]);
    expect(runsIn(work)).toBe(runs);
  });

  test("of a dialog that alone decides is kept nowhere, and counts once all the same", async () => {
    const config = { approval: { outOfBand: false, unseenAnswerMs: 0 } };
    const { client, reply, dialog, work, home } = await asked({ config });
    const result = await client.resultOf(reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "elicitation" });
    expect(dialogIn(await client.resultOf(reply(approval))).id).not.toBe(dialog.id);
    expect(runsIn(work)).toBe(1);
    expect(readdirSync(home).toSorted()).toEqual(["audit", "config.json", "format", "keys"]);
  });
});
