/** Dialogs of the 2026 era that answer by themselves: how long they were there is measured from result to next request. */
import { describe, expect, test } from "vitest";
import { type Asked, asked, cancel, decline, runsIn } from "../../support/asked-in-2026.js";
import { approval, printing, waitingProgress } from "../../support/mcp-server.js";
import { sendLeg } from "../../support/modern-client.js";
import { type SteppedClock, steppedClock } from "../../support/stepped-clock.js";

interface Timed extends Asked {
  readonly clock: SteppedClock;
}

async function timed(name: string): Promise<Timed> {
  const clock = steppedClock();
  return { ...(await asked({ clock }, { name })), clock };
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
