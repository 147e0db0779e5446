import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openFace } from "../../support/face.js";
import {
  appears,
  connectInMemory,
  type MemoryServer,
  type MemoryServerOptions,
  makePlaces,
  type Places,
  startInMemory,
  waitingProgress,
} from "../../support/mcp-server.js";
import { type Introduction, type RawClient, showsForms, type ToolResult } from "../../support/raw-client.js";

const open: MemoryServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function connected(
  introduction: Introduction = {},
  options: MemoryServerOptions = {},
): Promise<MemoryServer> {
  const server = await connectInMemory(introduction, options);
  open.push(server);
  return server;
}

const token = { progressToken: "p" };
const printing = { argv: ["printf", "%s", "once"] };
/** Says that it runs, and that it was asked to end. */
const trapping = "trap 'touch asked-to-end; exit' TERM; touch started; sleep 600 & wait";
const approved = { action: "accept", content: { decision: "approve" } };

function textOf(result: ToolResult): string {
  return result.content?.map((block) => block.text).join("\n") ?? "";
}

/** Every method and response on the wire, in the order it came. */
function orderOf(client: RawClient): readonly string[] {
  return client.received.map(({ method, id }) => method ?? `response ${id}`);
}

describe("an approved command", () => {
  test("runs once and says what it did, in text and in fields", async () => {
    const { client, face } = await connected();
    const call = client.call("run_command", { argv: ["sh", "-c", "echo out; echo err >&2; exit 3"] }, token);
    await waitingProgress(client);
    const request = face.only();
    face.approve(request);
    const result = await client.resultOf(call);
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({
      outcome: "approved",
      exitCode: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      truncated: false,
      scope: "once",
      via: "cli",
      request: request.id,
      notifications: [],
    });
    expect(textOf(result)).toMatch(
      /^Approved once by the person \(via cli\)\. Exit code 3 after \d+ ms\.\nstdout:\nout\n\nstderr:\nerr\n$/,
    );
  });

  test("that prints nothing says so", async () => {
    const { client, face } = await connected();
    const call = client.call("run_command", { argv: ["true"] }, token);
    await waitingProgress(client);
    face.approve(face.only());
    expect(textOf(await client.resultOf(call))).toMatch(/Exit code 0 after \d+ ms\. It printed nothing\.$/);
  });

  test("is the one that was shown: words, line and directory", async () => {
    const { client, face, work } = await connected();
    const nested = join(work, "a b");
    mkdirSync(nested);
    const words = client.call(
      "run_command",
      { argv: ["printf", "%s|", "$HOME", "a b"], directory: nested },
      token,
    );
    await waitingProgress(client);
    const asked = face.only();
    expect(asked.subject).toMatchObject({
      argv: ["printf", "%s|", "$HOME", "a b"],
      line: "printf '%s|' '$HOME' 'a b'",
      directory: nested,
    });
    face.approve(asked);
    expect((await client.resultOf(words)).structuredContent).toMatchObject({ stdout: "$HOME|a b|" });
    const line = client.call("run_command", { line: "pwd | cat; echo $((1+1))" }, { progressToken: "q" });
    await waitingProgress(client, "q");
    expect(face.only().subject).toMatchObject({
      argv: null,
      line: "pwd | cat; echo $((1+1))",
      directory: work,
    });
    face.approve(face.only());
    expect((await client.resultOf(line)).structuredContent).toMatchObject({ stdout: `${work}\n2\n` });
  });

  test("is filed with who asks, why, and the built-in rule", async () => {
    const { client, face } = await connected({ name: "agent" });
    client.call("run_command", { ...printing, says: "to see it", thread: "t1" }, token);
    await waitingProgress(client);
    expect(face.only()).toMatchObject({
      client: { name: "agent", version: "1.0.0" },
      caller: "stdio",
      says: "to see it",
      thread: "t1",
      level: "moderate",
      reasons: ["every command asks"],
      rule: "every command asks (built in)",
      scopes: ["once"],
    });
  });

  test("is on record before it begins and after it ended", async () => {
    const { client, face, work } = await connected();
    const call = client.call("run_command", { argv: ["sh", "-c", "cat ../home/audit/log.jsonl"] }, token);
    await waitingProgress(client);
    face.approve(face.only());
    const seen = String((await client.resultOf(call)).structuredContent?.stdout);
    const before = seen
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(before.slice(-2)).toEqual(["approval.decided", "effect.started"]);
    const last = face.audit().at(-1);
    expect(last).toMatchObject({ kind: "effect.finished", details: { started: true, exitCode: 0 } });
    expect(face.audit().find((record) => record.kind === "effect.started")).toMatchObject({
      call: last?.call,
      verified: { directory: work },
    });
  });

  test("whose directory was replaced meanwhile has drifted: nothing runs, and a fresh ask works", async () => {
    const { client, face, work } = await connected();
    const directory = join(work, "d");
    mkdirSync(directory);
    const args = { argv: ["touch", "ran"], directory };
    const call = client.call("run_command", args, token);
    await waitingProgress(client);
    renameSync(directory, join(work, "old"));
    mkdirSync(directory);
    face.approve(face.only());
    expect(await client.resultOf(call)).toMatchObject({
      isError: true,
      structuredContent: { outcome: "drifted", code: "replay_drift", retryable: true },
    });
    expect(readdirSync(directory)).toEqual([]);
    expect(face.audit().at(-1)).toMatchObject({ kind: "effect.finished", details: { started: false } });
    const again = client.call("run_command", args, { progressToken: "q" });
    await waitingProgress(client, "q");
    face.approve(face.only());
    expect((await client.resultOf(again)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(directory)).toEqual(["ran"]);
  });

  test("that cannot be started has failed and says why", async () => {
    const { client, face, work } = await connected();
    writeFileSync(join(work, "broken"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const call = client.call("run_command", { argv: ["./broken"] }, token);
    await waitingProgress(client);
    face.approve(face.only());
    const result = await client.resultOf(call);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "invalid_input" },
    });
    expect(textOf(result)).toMatch(/^Failed, nothing ran: the program could not be started \(E\w+\)\./);
  });
});

describe("a refused call", () => {
  test("with a person's no carries the note and runs nothing", async () => {
    const { client, face, work } = await connected();
    const call = client.call("run_command", { argv: ["touch", "ran"] }, token);
    await waitingProgress(client);
    face.deny(face.only(), "not on a Friday");
    const result = await client.resultOf(call);
    expect(textOf(result)).toBe("Denied by the person: not on a Friday. Do not retry this command.");
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "denied", code: "approval_denied" },
    });
    expect(readdirSync(work)).toEqual([]);
  });

  test.each([
    ["an unknown argument", { argv: ["ls"], cwd: "/" }, 'unknown argument "cwd"'],
    ["a program that does not exist", { argv: ["no-such-program"] }, "argv[0]: "],
    ["a directory that does not exist", { argv: ["ls"], directory: "/no/such" }, "directory: "],
    ["a relative directory", { argv: ["ls"], directory: "." }, "directory: must be an absolute path"],
    ["a lone surrogate", { argv: ["ls", "\ud800"] }, "argv[1]: "],
  ])("for %s is a tool error that names it, and nobody is asked", async (_what, args, text) => {
    const { client, home } = await connected({ capabilities: showsForms });
    const result = await client.resultOf(client.call("run_command", args, token));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "refused", code: "invalid_input" },
    });
    expect(textOf(result)).toContain(text);
    expect(textOf(result)).not.toContain("\n");
    expect(client.allOf("elicitation/create")).toEqual([]);
    expect(existsSync(home)).toBe(false);
  });

  test("of an unknown tool is a protocol error", async () => {
    const { client } = await connected();
    expect((await client.responseTo(client.call("run", {}))).error?.code).toBe(-32602);
  });

  test("that nobody answered has timed out, which is not a no", async () => {
    const { client, face } = await connected({}, { timeoutSeconds: 1 });
    const call = client.call("run_command", printing, token);
    const { params } = await waitingProgress(client);
    expect(params?.message).toContain("(1 s left)");
    const { id } = face.only();
    const result = await client.resultOf(call);
    expect(textOf(result)).toMatch(/^Timed out after 1 s: nobody answered, which is not a no\./);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "timed_out", ran: false });
  });
});

describe("the race", () => {
  test("won by the channel cancels the dialog by its id before the result goes out", async () => {
    const { client, face } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ via: "cli", stdout: "once" });
    const cancelled = client.allOf("notifications/cancelled");
    expect(cancelled.map(({ params }) => params?.requestId)).toEqual([dialog.id]);
    const order = orderOf(client);
    expect(order.indexOf("notifications/cancelled")).toBeLessThan(order.indexOf(`response ${call}`));
  });

  test("won by the dialog cancels nothing, and a face that comes later is told who was first", async () => {
    const { client, face } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const request = face.only();
    client.answer(dialog, approved);
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
    const { client, face } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), { action: "decline" });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "declined" });
    expect(face.waiting()).toEqual([]);
  });

  test.each([
    ["dismissed", { action: "cancel" }],
    ["answered with something else", { action: "accept", content: { decision: "yes" } }],
  ])("goes on in the channel when the dialog is %s", async (_how, reply) => {
    const { client, face } = await connected({ capabilities: showsForms });
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
    const { client, face } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    client.refuse(await client.firstOf("elicitation/create"), -32601);
    await client.roundTrip();
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
  });

  test("ignores what a withdrawn dialog says late, and a late cancellation of the finished call", async () => {
    const { client, face, errors } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const request = face.only();
    face.deny(request);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "denied" });
    client.answer(dialog, approved);
    client.notify("notifications/cancelled", { requestId: call, reason: "late" });
    await client.roundTrip();
    expect(client.received.filter(({ id, method }) => id === call && method === undefined)).toHaveLength(1);
    expect(face.receiptOf(request.id)).toMatchObject({ decision: "deny" });
    expect(errors).toHaveLength(1);
  });

  test("shows at level dangerous the word, and takes no approval without it", async () => {
    const { client, face, work } = await connected({ capabilities: showsForms });
    mkdirSync(join(work, "build"));
    const call = client.call("run_command", { argv: ["rm", "-rf", "build"] });
    const dialog = await client.firstOf("elicitation/create");
    expect(dialog.params?.message).toContain('Type "build" to approve');
    client.answer(dialog, approved);
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
    const { client, face } = await connected({ capabilities });
    const call = client.call("run_command", printing, token);
    await waitingProgress(client);
    face.approve(face.only());
    await client.resultOf(call);
    expect(client.allOf("elicitation/create")).toEqual([]);
  });

  test("of the 2026 era is not sent a dialog either: the channel asks alone", async () => {
    const server = await startInMemory();
    open.push(server);
    const { client, face } = server;
    const call = client.call("run_command", printing, {
      ...token,
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
    const server = await connectInMemory({ capabilities: showsForms }, { environment });
    open.push(server);
    const { client, face } = server;
    const call = client.call("run_command", printing, token);
    await waitingProgress(client);
    face.approve(face.only());
    await client.resultOf(call);
    expect(client.allOf("elicitation/create")).toEqual([]);
  });

  test("that asks for no progress gets none", async () => {
    const { client, face } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    await client.firstOf("elicitation/create");
    face.approve(face.only());
    await client.resultOf(call);
    expect(client.allOf("notifications/progress")).toEqual([]);
  });

  test("that sends four calls at once is asked four times, and each answer runs its own", async () => {
    const { client, face } = await connected();
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

describe("a cancelled call", () => {
  test("withdraws its dialog, settles as abandoned and gets no response", async () => {
    const { client, face, served } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const { id } = face.only();
    client.notify("notifications/cancelled", { requestId: call, reason: "changed my mind" });
    expect((await client.firstOf("notifications/cancelled")).params?.requestId).toBe(dialog.id);
    served.stop("over");
    await served.gone;
    await served.settled();
    expect(client.hasResponseTo(call)).toBe(false);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "abandoned", ran: false });
  });

  test("that was cancelled in the same breath asks nobody and makes nothing", async () => {
    const { client, home } = await connected({ capabilities: showsForms });
    const call = client.call("run_command", printing, token);
    client.notify("notifications/cancelled", { requestId: call });
    await client.roundTrip();
    expect(orderOf(client)).not.toContain("elicitation/create");
    expect(client.hasResponseTo(call)).toBe(false);
    expect(existsSync(home)).toBe(false);
  });

  test("ends the command that runs for it, and gets no response", async () => {
    const { client, face, groups, served, work } = await connected();
    const call = client.call("run_command", { line: trapping }, token);
    await waitingProgress(client);
    face.approve(face.only());
    await appears(join(work, "started"));
    client.notify("notifications/cancelled", { requestId: call });
    await appears(join(work, "asked-to-end"));
    served.stop("over");
    await served.gone;
    await served.settled();
    expect(groups.size).toBe(0);
    expect(face.audit().at(-1)).toMatchObject({ kind: "effect.finished", details: { cancelled: true } });
    expect(client.hasResponseTo(call)).toBe(false);
  });
});

describe("the end of a connection", () => {
  test("settles what waits as withdrawn", async () => {
    const { client, face, leave, served } = await connected({ capabilities: showsForms });
    client.call("run_command", printing);
    await client.firstOf("elicitation/create");
    const { id } = face.only();
    await leave();
    await served.gone;
    await served.settled();
    expect(face.waiting()).toEqual([]);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn", ran: false, note: "the client left" });
  });

  test("by the server says why", async () => {
    const { client, face, served } = await connected();
    client.call("run_command", printing, token);
    await waitingProgress(client);
    const { id } = face.only();
    served.stop("the server got SIGTERM");
    await served.gone;
    await served.settled();
    expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn", note: "the server got SIGTERM" });
  });

  test("ends the command that runs", async () => {
    const { client, face, groups, served, work } = await connected();
    client.call("run_command", { line: trapping }, token);
    await waitingProgress(client);
    face.approve(face.only());
    await appears(join(work, "started"));
    served.stop("over");
    await served.gone;
    await served.settled();
    expect(existsSync(join(work, "asked-to-end"))).toBe(true);
    expect(groups.size).toBe(0);
    expect(face.audit().at(-1)).toMatchObject({ kind: "effect.finished", details: { cancelled: true } });
  });

  test("before any call leaves nothing behind", async () => {
    const { client, home, served } = await connected({ capabilities: showsForms });
    await client.responseTo(client.request("tools/list"));
    served.stop("over");
    await served.gone;
    await served.settled();
    expect(existsSync(home)).toBe(false);
  });

  test("of a probe leaves nothing behind, and the fall-back serves in its place", async () => {
    const server = await startInMemory();
    open.push(server);
    const { client, home, face } = server;
    await client.responseTo(
      client.request("server/discover", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
    );
    await client.initialize({ capabilities: showsForms });
    expect(existsSync(home)).toBe(false);
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), approved);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(face.waiting()).toEqual([]);
  });
});

describe("a home that cannot be used", () => {
  const environment = { WISP_HOME: "not/absolute" };
  let defaults: Places;
  beforeEach(() => {
    defaults = makePlaces();
    vi.stubEnv("HOME", defaults.root);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    defaults.remove();
  });

  test("lets the server start and refuses a call without a dialog, naming why", async () => {
    const { client, work } = await connected({}, { environment });
    const result = await client.resultOf(client.call("run_command", { argv: ["touch", "ran"] }, token));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "approval_unavailable" },
    });
    expect(textOf(result)).toContain("WISP_HOME=not/absolute is not an absolute path");
    expect(readdirSync(work)).toEqual([]);
  });

  test("leaves it to the dialog alone, and its decision is written down in the default home", async () => {
    const { client } = await connected({ capabilities: showsForms }, { environment });
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), approved);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      stdout: "once",
    });
    const kinds = openFace(join(defaults.root, ".wisp"))
      .audit()
      .map((record) => record.kind);
    expect(kinds).toEqual(expect.arrayContaining(["approval.decided", "effect.started", "effect.finished"]));
  });

  test("has not been obtained when the dialog alone was dismissed", async () => {
    const { client } = await connected({ capabilities: showsForms }, { environment });
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), { action: "cancel" });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "not_obtained" });
  });

  test("because it belongs to another program is left alone", async () => {
    const foreign = join(defaults.root, "foreign");
    mkdirSync(foreign, { mode: 0o700 });
    writeFileSync(join(foreign, "format"), "somebody else\n", { mode: 0o600 });
    const { client } = await connected({ capabilities: showsForms }, { environment: { WISP_HOME: foreign } });
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), approved);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(foreign)).toEqual(["format"]);
  });
});
