/** What a call is told when a person has answered: never that nobody has, however soon it was to return. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asked, cancel, counting, decline, denial, runsIn } from "../../support/asked-in-2026.js";
import {
  approval,
  connectInMemory,
  readAtOnce,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { sendLeg } from "../../support/modern-client.js";
import { PatientClock } from "../../support/patient-clock.js";
import { showsForms } from "../../support/raw-client.js";

describe("a call of the 2026 era that is not held at all", () => {
  const config = { approval: { unseenAnswerMs: 0, holdSeconds: 0 } };

  test.each([
    { reply: approval, outcome: "approved", runs: 1 },
    { reply: decline, outcome: "declined", runs: 0 },
    { reply: denial, outcome: "declined", runs: 0 },
  ])("ends as its dialog says ($reply)", async ({ reply: said, outcome, runs }) => {
    const { client, dialog, reply, work } = await asked({ config });
    const result = await client.resultOf(reply(said));
    expect(result.structuredContent).toMatchObject({ outcome, request: dialog.id });
    expect(runsIn(work)).toBe(runs);
  });

  test("returns at once where nobody answered in it", async () => {
    const { client, reply } = await asked({ config });
    const result = await client.resultOf(reply(cancel));
    expect(result.structuredContent).toMatchObject({ outcome: "pending" });
    expect(textOf(result)).toContain("has not answered yet; nothing ran, and nobody said no.");
  });
});

describe("a hold that ends while the answer is being written down", () => {
  test.each([
    { reply: approval, outcome: "approved", runs: 1 },
    { reply: denial, outcome: "declined", runs: 0 },
  ])("changes nothing of it ($reply)", async ({ reply, outcome, runs }) => {
    const clock = new PatientClock();
    const server = await connectInMemory({ capabilities: showsForms }, { clock, config: readAtOnce });
    const { client, work } = server;
    const call = client.call("run_command", counting, withProgress);
    const dialog = await client.firstOf("elicitation/create");
    await waitingProgress(client);
    clock.advance(44_999);
    client.answer(dialog, reply);
    // The answer is heard; no file can be written before the event loop goes on.
    for (let step = 0; step < 100; step += 1) await Promise.resolve();
    clock.advance(1);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome });
    expect(runsIn(work)).toBe(runs);
  });
});

describe("a call whose dialog's answer does not count", () => {
  test("because its state cannot be used up says so and why, and not that nobody has answered", async () => {
    const clock = new PatientClock();
    const { client, reply, work, home, face } = await asked({ clock, config: readAtOnce });
    mkdirSync(join(home, "keys"), { mode: 0o700, recursive: true });
    writeFileSync(join(home, "keys", "consumed"), "in the way");
    const call = reply(approval);
    await waitingProgress(client);
    await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
    clock.advance(45_000);
    const result = await client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "pending" });
    const text = textOf(result);
    expect(text).toContain("a person has been asked and no answer of theirs counts yet; nothing ran.");
    expect(text).toMatch(
      /The answer in the client's dialog did not count: it could not be noted that it came: .*consumed/,
    );
    expect(text).not.toContain("nobody said no");
    expect(runsIn(work)).toBe(0);
    const again = sendLeg(client, { args: counting, progressToken: "again", capabilities: {} });
    await waitingProgress(client, "again");
    face.approve(face.only());
    expect((await client.resultOf(again)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(runsIn(work)).toBe(1);
  });

  test("because it was none that the form offers says so", async () => {
    const clock = new PatientClock();
    const { client, reply } = await asked({ clock, config: readAtOnce });
    const call = reply({ action: "accept", content: { decision: "yes" } });
    await waitingProgress(client);
    clock.advance(45_000);
    const result = await client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "pending" });
    expect(textOf(result)).toContain("did not count: the answer does not fit the form.");
  });
});
