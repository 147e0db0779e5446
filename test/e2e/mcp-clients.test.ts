/** `wisp mcp` under the official clients: today's (v1), and the v2 SDK in each way it opens a connection. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { writeAcceptedConfig } from "../support/config-files.js";
import { type Face, openFace } from "../support/face.js";
import { makePlaces, type Places, printing } from "../support/mcp-server.js";
import { connectV2, officialClients, type Reply } from "../support/official-clients.js";
import { test } from "../support/person.js";

let places: Places;
let face: Face;
beforeEach(() => {
  const made = makePlaces();
  places = made;
  face = openFace(places.home);
  // Hooks of a test end in the reverse order: its clients have left by then.
  onTestFinished(() => made.remove());
});

/** These dialogs answer at once; from here on that is no sign of a machine, after which none would be shown again. */
function believeFastAnswers(): void {
  writeAcceptedConfig(places.home, { approval: { unseenAnswerMs: 0 } });
}

const approval: Reply = { action: "accept", content: { decision: "approve" } };

/** A command that leaves a line for every time it runs. */
const counting = { argv: ["sh", "-c", "echo ran >> effect; echo ran"] };
const runs = (): number => {
  const path = join(places.work, "effect");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
};

describe.each(officialClients)("a client of the SDK, %s", (_name, connect) => {
  test("answers in its own dialog and takes the result", async () => {
    const { run, dialogs } = await connect(places, () => approval);
    expect((await run(printing)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      stdout: "once",
    });
    expect(dialogs).toEqual([expect.stringMatching(/^printf %s once\n/)]);
  });

  test("whose person approves for the session is asked once about that command, and anew about another", async () => {
    believeFastAnswers();
    const session: Reply = { action: "accept", content: { decision: "approve_session" } };
    const { run, dialogs } = await connect(places, () => session);
    for (const time of [1, 2, 3]) {
      expect((await run(counting)).structuredContent).toMatchObject({
        outcome: "approved",
        scope: "session",
      });
      expect(runs()).toBe(time);
    }
    expect(dialogs).toHaveLength(1);
    await run({ argv: [...counting.argv, "changed"] });
    expect(dialogs).toHaveLength(2);
  });

  test("that makes four identical calls at once shows one dialog and runs one of them", async () => {
    believeFastAnswers();
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
    const results = await Promise.all(calls);
    expect(results.map(({ structuredContent }) => structuredContent?.outcome)).toEqual([
      "approved",
      "already_decided",
      "already_decided",
      "already_decided",
    ]);
    expect([runs(), dialogs.length]).toEqual([1, 1]);
    expect(new Set(results.map(({ structuredContent }) => structuredContent?.request)).size).toBe(1);
    await run(printing);
    expect(dialogs).toHaveLength(2);
  });

  test.for<Reply>([{ action: "decline" }, { action: "accept", content: { decision: "deny" } }])(
    "whose person says no with %j is not asked again for a while, and runs nothing",
    async (reply) => {
      believeFastAnswers();
      const replies = [reply, approval];
      const { run, dialogs } = await connect(places, () => replies.shift() ?? reply);
      for (let time = 0; time < 2; time += 1) {
        const { isError, structuredContent } = await run(counting);
        expect({ isError, ...structuredContent }).toMatchObject({
          isError: true,
          outcome: "declined",
          retryable: false,
        });
      }
      expect([runs(), dialogs.length]).toEqual([0, 1]);
      expect((await run(printing)).structuredContent).toMatchObject({ stdout: "once" });
    },
  );

  test("whose dialog is closed at once waits for a person at a terminal, and shows none again", async ({
    person,
  }) => {
    const { run, dialogs } = await connect(places, () => ({ action: "cancel" }));
    for (const time of [1, 2]) {
      const call = run(counting);
      await expect.poll(() => face.waiting().length, { timeout: 30_000 }).toBe(1);
      await person.approves(places.home, face.only());
      expect((await call).structuredContent).toMatchObject({ outcome: "approved", via: "cli" });
      expect([runs(), dialogs.length]).toEqual([time, 1]);
    }
  });

  test("that declares a dialog and has none (-32601) waits for a person at a terminal", async ({
    person,
  }) => {
    const { run } = await connect(places, null);
    const call = run(counting);
    await expect.poll(() => face.waiting().length, { timeout: 30_000 }).toBe(1);
    await person.approves(places.home, face.only());
    expect((await call).structuredContent).toMatchObject({ outcome: "approved", via: "cli" });
    expect(face.audit().filter(({ kind }) => kind === "approval.decided")).toHaveLength(1);
    expect(runs()).toBe(1);
  });

  test.each([{ argv: ["no-such-program"] }, { argv: ["ls"], cwd: "/" }])(
    "takes a result that refuses %j, and a good call still works",
    async (args) => {
      const { run, dialogs } = await connect(places, () => approval);
      expect(await run(args)).toMatchObject({ isError: true, structuredContent: { outcome: "refused" } });
      expect(dialogs).toEqual([]);
      expect((await run(printing)).structuredContent).toMatchObject({ stdout: "once" });
    },
  );
});

describe("a client of the SDK's second version", () => {
  test.for([["auto"], [{ pin: "2026-07-28" }]] as const)(
    "that opens as %j looks at the server first, leaves nothing, and answers in its own dialog",
    async ([mode]) => {
      const { client, run, dialogs } = await connectV2(places, () => approval, mode);
      await client.listTools();
      expect(existsSync(places.home)).toBe(false);
      const result = await run(printing);
      expect(result.structuredContent).toMatchObject({
        outcome: "approved",
        via: "elicitation",
        stdout: "once",
      });
      expect(dialogs).toHaveLength(1);
    },
  );

  test("that aborts its call while its dialog is up has it taken back, and the request is abandoned", async () => {
    const { client } = await connectV2(places, () => approval, "legacy");
    const abort = new AbortController();
    let id = "";
    client.setRequestHandler("elicitation/create", async (_request, { mcpReq }) => {
      ({ id } = face.only());
      abort.abort("changed my mind");
      // The dialog stays up until the server takes it back.
      await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
      return { action: "cancel" };
    });
    const call = { name: "run_command", arguments: printing };
    await expect(client.callTool(call, { signal: abort.signal })).rejects.toThrow("changed my mind");
    await client.close();
    expect(face.receiptOf(id)).toMatchObject({ outcome: "abandoned", ran: false });
  });
});
