/** Calls that are identical: at once, after a yes for the session, after a no. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  connectInMemory,
  printing,
  readAtOnce,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { type RawClient, showsForms } from "../../support/raw-client.js";

/** Leaves a line for each time it runs. */
const counting = { argv: ["sh", "-c", "echo ran >> runs"] };

function runsIn(directory: string): number {
  try {
    return readFileSync(join(directory, "runs"), "utf8").split("\n").length - 1;
  } catch {
    // Nothing ran yet.
    return 0;
  }
}

async function outcomeOf(client: RawClient, call: number): Promise<unknown> {
  return (await client.resultOf(call)).structuredContent?.outcome;
}

/** Four at once; each waits when this resolves. */
async function fourCalls(client: RawClient): Promise<readonly number[]> {
  const tokens = ["a", "b", "c", "d"];
  const calls = tokens.map((progressToken) => client.call("run_command", counting, { progressToken }));
  for (const token of tokens) await waitingProgress(client, token);
  return calls;
}

describe("four identical calls at once", () => {
  test("are one request, one dialog and one run; the others learn that it was decided", async () => {
    const { client, face, work } = await connectInMemory({ capabilities: showsForms });
    const calls = await fourCalls(client);
    expect(client.allOf("elicitation/create")).toHaveLength(1);
    const { id } = face.only();
    face.approve(face.only());
    const outcomes = await Promise.all(calls.map((call) => outcomeOf(client, call)));
    expect(outcomes).toEqual(["approved", "already_decided", "already_decided", "already_decided"]);
    expect(runsIn(work)).toBe(1);
    const other = await client.resultOf(calls[1] ?? 0);
    expect(other).toMatchObject({
      isError: true,
      structuredContent: { code: "already_decided", retryable: false, request: id },
    });
    expect(textOf(other)).toMatch(/^Already decided: .* This one ran nothing; do not repeat it\.$/);
  });

  test("of which the oldest is cancelled still wait, and the next one runs", async () => {
    const { client, face, work } = await connectInMemory();
    const [first = 0, second = 0, ...others] = await fourCalls(client);
    client.notify("notifications/cancelled", { requestId: first, reason: "changed my mind" });
    await client.roundTrip();
    face.approve(face.only());
    expect(await outcomeOf(client, second)).toBe("approved");
    for (const other of others) expect(await outcomeOf(client, other)).toBe("already_decided");
    expect(client.hasResponseTo(first)).toBe(false);
    expect(runsIn(work)).toBe(1);
  });

  test("of which the oldest is cancelled keep its dialog, and the dialog's yes runs the next one", async () => {
    const options = { config: readAtOnce };
    const { client, work } = await connectInMemory({ capabilities: showsForms }, options);
    const [first = 0, second = 0, ...others] = await fourCalls(client);
    const dialog = await client.firstOf("elicitation/create");
    client.notify("notifications/cancelled", { requestId: first, reason: "changed my mind" });
    await client.roundTrip();
    expect(client.allOf("notifications/cancelled")).toEqual([]);
    client.answer(dialog, { action: "accept", content: { decision: "approve" } });
    expect(await outcomeOf(client, second)).toBe("approved");
    for (const other of others) expect(await outcomeOf(client, other)).toBe("already_decided");
    expect(client.hasResponseTo(first)).toBe(false);
    expect(runsIn(work)).toBe(1);
  });

  test("that are all cancelled withdraw the request, once", async () => {
    const { client, face, work, served, settled } = await connectInMemory();
    const calls = await fourCalls(client);
    const { id } = face.only();
    for (const [index, call] of calls.entries()) {
      if (index === calls.length - 1) expect(face.waiting()).toHaveLength(1);
      client.notify("notifications/cancelled", { requestId: call });
      await client.roundTrip();
    }
    served.stop("over");
    await settled();
    expect(face.receiptOf(id)).toMatchObject({ outcome: "abandoned", ran: false });
    expect(runsIn(work)).toBe(0);
  });

  test("of which one was cancelled in the same breath are three", async () => {
    const { client, face, work } = await connectInMemory();
    const gone = client.call("run_command", counting, { progressToken: "gone" });
    client.notify("notifications/cancelled", { requestId: gone });
    const calls = await fourCalls(client);
    face.approve(face.only());
    const outcomes = await Promise.all(calls.map((call) => outcomeOf(client, call)));
    expect(outcomes.toSorted()).toEqual([
      "already_decided",
      "already_decided",
      "already_decided",
      "approved",
    ]);
    expect(client.hasResponseTo(gone)).toBe(false);
    expect(runsIn(work)).toBe(1);
  });

  test("that are denied are all denied, with the person's words", async () => {
    const { client, face } = await connectInMemory();
    const calls = await fourCalls(client);
    face.deny(face.only(), "not now");
    for (const call of calls) {
      expect(textOf(await client.resultOf(call))).toBe(
        "Denied by the person: not now. Do not retry this call.",
      );
    }
  });
});

describe("a yes for the session", () => {
  /** Approved for the session in a face; what follows is about the next calls. */
  async function allowed(args: Readonly<Record<string, unknown>>) {
    const server = await connectInMemory({}, {});
    const call = server.client.call("run_command", args, { progressToken: "first" });
    await waitingProgress(server.client, "first");
    server.face.approve(server.face.only(), { scope: "session" });
    const result = await server.client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "approved", scope: "session" });
    return server;
  }

  test.each([
    ["words", counting],
    ["a line", { line: "echo ran >/dev/null; echo ran | tee -a runs" }],
  ])("runs exactly these %s again without asking, and says by what", async (_what, args) => {
    const { client, face, work } = await allowed(args);
    const again = await client.resultOf(client.call("run_command", args, withProgress));
    expect(again.structuredContent).toMatchObject({
      outcome: "approved",
      scope: "session",
      assurance: "terminal",
    });
    expect(textOf(again)).toMatch(/^Approved \(session, via cli, terminal\)/);
    expect(face.waiting()).toEqual([]);
    expect(runsIn(work)).toBe(2);
  });

  test.each([
    ["one more word", { argv: [...counting.argv, "x"] }],
    ["the same words as a line", { line: "sh -c 'echo ran >> runs'" }],
    ["another directory", { ...counting, directory: "other" }],
    ["a command behind it", { line: "echo ran >> runs; id" }],
  ])("asks again about %s", async (_what, args) => {
    const { client, face, work } = await allowed(counting);
    mkdirSync(join(work, "other"));
    const given = "directory" in args ? { ...args, directory: join(work, "other") } : args;
    const call = client.call("run_command", given, withProgress);
    await waitingProgress(client);
    face.deny(face.only());
    expect(await outcomeOf(client, call)).toBe("denied");
    expect(await outcomeOf(client, client.call("run_command", counting))).toBe("approved");
    expect(runsIn(work)).toBe(2);
  });

  test("asks again about a program that was edited in place and made to look as before", async () => {
    const { client, face, work } = await connectInMemory();
    const tool = join(work, "tool");
    const edit = (text: string): void => {
      writeFileSync(tool, text, { mode: 0o700 });
      utimesSync(tool, 1, 1);
    };
    edit("#!/bin/sh\necho good >> runs\n");
    const calling = { argv: ["./tool"] };
    const first = client.call("run_command", calling, withProgress);
    await waitingProgress(client);
    face.approve(face.only(), { scope: "session" });
    expect(await outcomeOf(client, first)).toBe("approved");
    edit("#!/bin/sh\necho evil >> runs\n");
    const second = client.call("run_command", calling, { progressToken: "second" });
    await waitingProgress(client, "second");
    face.deny(face.only());
    expect(await outcomeOf(client, second)).toBe("denied");
    expect(readFileSync(join(work, "runs"), "utf8")).toBe("good\n");
  });

  test("ends with the connection: another one asks", async () => {
    await allowed(counting);
    const { client, face } = await connectInMemory();
    const call = client.call("run_command", counting, withProgress);
    await waitingProgress(client);
    face.deny(face.only());
    expect(await outcomeOf(client, call)).toBe("denied");
  });

  test("is given in the dialog by its own option", async () => {
    const { client } = await connectInMemory({ capabilities: showsForms }, { config: readAtOnce });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    client.answer(dialog, { action: "accept", content: { decision: "approve_session" } });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      scope: "session",
      via: "elicitation",
      assurance: "dialog",
    });
    expect(await outcomeOf(client, client.call("run_command", printing))).toBe("approved");
    expect(client.allOf("elicitation/create")).toHaveLength(1);
  });

  test("is not offered for a complex line, and a face that says it all the same is refused", async () => {
    const { client, face, work } = await connectInMemory();
    const call = client.call("run_command", { line: "echo ran >> runs; echo $((1))" }, withProgress);
    await waitingProgress(client);
    const request = face.only();
    expect(request).toMatchObject({ scopes: ["once"], subject: { pattern: null } });
    expect(await face.approveAndWait(request, { scope: "session" })).toMatchObject({ kind: "refused" });
    expect(runsIn(work)).toBe(0);
    face.approve(request);
    expect(await outcomeOf(client, call)).toBe("approved");
    expect(runsIn(work)).toBe(1);
  });
});

describe("a program that is edited while a call waits", () => {
  test("makes the next call an ask of its own, and the first is withdrawn", async () => {
    const { client, face, work } = await connectInMemory();
    const tool = join(work, "tool");
    const edit = (text: string): void => {
      writeFileSync(tool, text, { mode: 0o700 });
      utimesSync(tool, 1, 1);
    };
    edit("#!/bin/sh\necho good >> runs\n");
    const first = client.call("run_command", { argv: ["./tool"] }, { progressToken: "first" });
    await waitingProgress(client, "first");
    edit("#!/bin/sh\necho evil >> runs\n");
    const second = client.call("run_command", { argv: ["./tool"] }, { progressToken: "second" });
    await waitingProgress(client, "second");
    expect(await outcomeOf(client, first)).toBe("withdrawn");
    face.approve(face.only());
    expect(await outcomeOf(client, second)).toBe("approved");
    expect(readFileSync(join(work, "runs"), "utf8")).toBe("evil\n");
  });
});

describe("a no", () => {
  test.each(["/", "/.", "/../work/", "//"])(
    "answers the same directory spelled with %s behind it, too",
    async (tail) => {
      const { client, face, work } = await connectInMemory();
      const call = client.call("run_command", { ...printing, directory: work }, withProgress);
      await waitingProgress(client);
      face.deny(face.only());
      expect(await outcomeOf(client, call)).toBe("denied");
      const again = { ...printing, directory: `${work}${tail}` };
      expect(await outcomeOf(client, client.call("run_command", again))).toBe("denied");
      expect(face.waiting()).toEqual([]);
    },
  );

  test("answers the same call again, with its words and without asking; another call is asked about", async () => {
    const { client, face } = await connectInMemory();
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    face.deny(face.only(), "not on a Friday");
    const first = textOf(await client.resultOf(call));
    const again = await client.resultOf(
      client.call("run_command", { ...printing, says: "please", thread: "t" }),
    );
    expect(textOf(again)).toBe(first);
    expect(again.structuredContent).toMatchObject({ outcome: "denied", code: "approval_denied" });
    const other = client.call("run_command", { argv: ["printf", "other"] }, { progressToken: "q" });
    await waitingProgress(client, "q");
    face.approve(face.only());
    expect(await outcomeOf(client, other)).toBe("approved");
  });

  test("is forgotten at once where the configuration remembers none", async () => {
    const { client, face } = await connectInMemory({}, { config: { approval: { declineMemorySeconds: 0 } } });
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    face.deny(face.only());
    await client.resultOf(call);
    const again = client.call("run_command", printing, { progressToken: "q" });
    await waitingProgress(client, "q");
    face.approve(face.only());
    expect(await outcomeOf(client, again)).toBe("approved");
  });
});
