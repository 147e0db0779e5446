/** How long the answer of a form of the 2026 era is taken, on the wire: as long as its request waits, by no wall clock. */
import { describe, expect, test } from "vitest";
import { asked, counting, decline, denial, runsIn } from "../../support/asked-in-2026.js";
import { approval } from "../../support/mcp-server.js";
import { askedIn2026, dialogIn, sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";
import { shiftedWallClock } from "../../support/shifted-wall-clock.js";

const hourMs = 3_600_000;

describe("the answer of a form that is with the client", () => {
  test.each(
    [hourMs, -hourMs].flatMap((ms) => [
      { ms, reply: approval, outcome: "approved", runs: 1 },
      { ms, reply: denial, outcome: "declined", runs: 0 },
      { ms, reply: decline, outcome: "declined", runs: 0 },
    ]),
  )(
    "counts although somebody set the wall clock by $ms ms meanwhile ($reply)",
    async ({ ms, reply, outcome, runs }) => {
      const wall = shiftedWallClock();
      const server = await asked();
      wall.set(ms);
      const result = await server.client.resultOf(server.reply(reply));
      expect(result.structuredContent).toMatchObject({ outcome, request: server.dialog.id });
      expect([runsIn(server.work), server.face.waiting()]).toEqual([runs, []]);
    },
  );

  test("counts after 75 s, when no call of the client would have been held any more", async () => {
    const clock = new PatientClock();
    const server = await asked({ clock });
    clock.advance(75_000);
    const result = await server.client.resultOf(server.reply(approval));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", via: "elicitation" });
    expect(runsIn(server.work)).toBe(1);
  });

  test("is refused a minute after its request's time, whatever the wall clock says, and a new one counts", async () => {
    const clock = new PatientClock();
    const wall = shiftedWallClock();
    const server = await asked({ clock });
    const { client, dialog, face, work, reply } = server;
    clock.advance(600_000);
    await expect.poll(() => face.receiptOf(dialog.id)?.outcome).toBe("timed_out");
    clock.advance(60_001);
    for (const ms of [0, -hourMs]) {
      wall.set(ms);
      const { error } = await client.responseTo(reply(approval));
      expect(error).toMatchObject({ code: -32_602, data: { reason: "invalid_request_state" } });
    }
    expect(runsIn(work)).toBe(0);
    const again = await askedIn2026(client, { args: counting });
    expect(again.id).not.toBe(dialog.id);
    clock.advance(3_000);
    await client.resultOf(reply(approval, again));
    expect(runsIn(work)).toBe(1);
    dialogIn(await client.resultOf(sendLeg(client, { args: counting })));
  });
});
