/**
 * One table of what a client can do with its dialog, a person at a terminal, and time: the same for every revision and
 * every kind of client, whatever goes over the wire.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { writeAcceptedConfig, writeConfig } from "../support/config-files.js";
import { eraClients } from "../support/era-clients.js";
import { type Face, openFace } from "../support/face.js";
import { makePlaces, type Places, printing, textOf } from "../support/mcp-server.js";
import type { Reply } from "../support/official-clients.js";
import { test } from "../support/person.js";

let places: Places;
let face: Face;
beforeEach(() => {
  const made = makePlaces();
  places = made;
  face = openFace(places.home);
  // These dialogs answer at once; here that is no sign of a machine.
  writeAcceptedConfig(places.home, { approval: { unseenAnswerMs: 0 } });
  // Hooks of a test end in the reverse order: its clients have left by then.
  onTestFinished(() => made.remove());
});

const approval: Reply = { action: "accept", content: { decision: "approve" } };
const denial: Reply = { action: "accept", content: { decision: "deny" } };
const cancel: Reply = { action: "cancel" };

/** A command that leaves a line for every time it runs. */
const counting = { argv: ["sh", "-c", "echo ran >> effect; echo ran"] };
const runs = (): number => {
  const path = join(places.work, "effect");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
};
const waits = () => expect.poll(() => face.waiting().length, { timeout: 30_000 }).toBe(1);

describe.each(eraClients)("a client without a dialog (%s)", (_name, connect) => {
  test("is approved, denied, told that it waits, and refused as a person at a terminal and the rules say", async ({
    person,
  }) => {
    writeConfig(places.home, { approval: { holdSeconds: 0 } });
    const { run, dialogs } = await connect(places, "no dialog");
    const told = async (args: object = counting) => (await run({ ...args })).structuredContent;
    expect(await told()).toMatchObject({ outcome: "pending", code: "approval_pending" });
    await person.approves(places.home, face.only());
    expect(await told()).toMatchObject({ outcome: "approved", via: "cli", stdout: "ran\n" });
    expect(await told(printing)).toMatchObject({ outcome: "pending" });
    await person.denies(places.home, face.only(), "not now");
    expect(await told(printing)).toMatchObject({ outcome: "denied", retryable: false });
    expect(await told({ argv: [] })).toMatchObject({ outcome: "refused", code: "invalid_input" });
    expect([runs(), dialogs]).toEqual([1, []]);
  });
});

describe.each(eraClients)("a client (%s)", (_name, connect) => {
  test("answers in its own dialog and takes the result", async () => {
    const { run, dialogs } = await connect(places, () => approval);
    expect((await run(counting)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      assurance: "dialog",
      stdout: "ran\n",
    });
    expect(dialogs).toEqual([expect.stringMatching(/^sh -c /)]);
    expect(runs()).toBe(1);
  });

  test("types the word of what is dangerous, and nothing less approves it", async ({ person }) => {
    const words = ["yes", "two"];
    const { run } = await connect(places, () => ({
      action: "accept",
      content: { decision: "approve", word: words.shift() ?? "" },
    }));
    for (const name of ["one", "two"]) mkdirSync(join(places.work, name));
    const wrong = run({ argv: ["rm", "-r", "one"] });
    await waits();
    await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
    await person.denies(places.home, face.only(), "with the right word");
    expect((await wrong).structuredContent).toMatchObject({ outcome: "denied" });
    const right = await run({ argv: ["rm", "-r", "two"] });
    expect(right.structuredContent).toMatchObject({ outcome: "approved", via: "elicitation" });
    expect(["one", "two"].map((name) => existsSync(join(places.work, name)))).toEqual([true, false]);
  });

  test("says no: a hard stop", async () => {
    const { run, dialogs } = await connect(places, () => ({ action: "decline" }));
    for (let time = 0; time < 2; time += 1) {
      const { isError, structuredContent } = await run(counting);
      expect({ isError, ...structuredContent }).toMatchObject({
        isError: true,
        outcome: "declined",
        retryable: false,
      });
    }
    expect([runs(), dialogs.length]).toEqual([0, 1]);
  });

  test("that shows nobody anything waits for a person at a terminal", async ({ person }) => {
    const { run } = await connect(places, () => cancel);
    const call = run(counting);
    await waits();
    await person.approves(places.home, face.only());
    expect((await call).structuredContent).toMatchObject({ outcome: "approved", via: "cli" });
    expect(runs()).toBe(1);
  });

  test("that accepts with an empty form approves nothing", async ({ person }) => {
    const { run } = await connect(places, () => ({ action: "accept", content: {} }));
    const call = run(counting);
    await waits();
    await expect.poll(() => face.audit().some(({ kind }) => kind === "dialog.ended")).toBe(true);
    expect(runs()).toBe(0);
    await person.approves(places.home, face.only());
    expect((await call).structuredContent).toMatchObject({ outcome: "approved", via: "cli" });
    expect(runs()).toBe(1);
  });

  test("whose dialog says no after a person approved at a terminal runs it once, by that", async ({
    person,
  }) => {
    let approving: Promise<void> | null = null;
    const { run } = await connect(places, async () => {
      approving = person.approves(places.home, face.only());
      await approving;
      return denial;
    });
    expect((await run(counting)).structuredContent).toMatchObject({ outcome: "approved", via: "cli" });
    expect(runs()).toBe(1);
    await approving;
  });

  test("whose dialog says yes after a person denied at a terminal is denied, with the words", async ({
    person,
  }) => {
    let denying: Promise<void> | null = null;
    const { run } = await connect(places, async () => {
      denying = person.denies(places.home, face.only(), "not now");
      await denying;
      return approval;
    });
    expect(textOf(await run(counting))).toMatch(/^Denied by the person: not now\./);
    expect(runs()).toBe(0);
    await denying;
  });

  test("that calls four times at once shows one dialog and runs one of them", async () => {
    let answer: (reply: Reply) => void = () => {};
    const answered = new Promise<Reply>((resolve) => {
      answer = resolve;
    });
    const { run, dialogs } = await connect(places, () => answered);
    let waiting = 0;
    const calls = [1, 2, 3, 4].map(() =>
      run(counting, () => {
        waiting += 1;
        if (waiting === 4) answer(approval);
      }),
    );
    const outcomes = (await Promise.all(calls)).map(({ structuredContent }) => structuredContent?.outcome);
    expect(outcomes.toSorted()).toEqual([
      "already_decided",
      "already_decided",
      "already_decided",
      "approved",
    ]);
    expect([runs(), dialogs.length]).toEqual([1, 1]);
  });

  test("that is told that a person has been asked collects the answer with the same call, once", async ({
    person,
  }) => {
    writeAcceptedConfig(places.home, { approval: { unseenAnswerMs: 0, holdSeconds: 1 } });
    const replies: Reply[] = [cancel];
    const { run } = await connect(places, () => replies.shift() ?? denial);
    const first = await run(counting);
    const request = face.only();
    expect(first.isError ?? false).toBe(false);
    expect(first.structuredContent).toMatchObject({
      outcome: "pending",
      code: "approval_pending",
      request: request.id,
    });
    await person.approves(places.home, request);
    expect((await run(counting)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
      request: request.id,
    });
    expect(runs()).toBe(1);
    // It is spent: the next one is asked about anew.
    expect((await run(counting)).structuredContent).toMatchObject({ outcome: "declined" });
    expect(runs()).toBe(1);
  });

  test("takes a result that refuses its arguments, and a good call still works", async () => {
    const { run, dialogs } = await connect(places, () => approval);
    const refused = await run({ argv: ["ls"], cwd: "/" });
    expect(refused).toMatchObject({ isError: true, structuredContent: { outcome: "refused" } });
    expect(dialogs).toEqual([]);
    expect((await run(printing)).structuredContent).toMatchObject({ stdout: "once" });
  });
});
