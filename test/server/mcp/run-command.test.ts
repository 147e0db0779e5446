import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  connectInMemory,
  printing,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { showsForms } from "../../support/raw-client.js";

describe("an approved command", () => {
  test("runs once and says what it did, in text and in fields", async () => {
    const { client, face } = await connectInMemory();
    const call = client.call(
      "run_command",
      { argv: ["sh", "-c", "echo out; echo err >&2; exit 3"] },
      withProgress,
    );
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
      assurance: "terminal",
      request: request.id,
      notifications: [],
    });
    expect(textOf(result)).toMatch(
      /^Approved \(once, via cli, terminal\)\. Exit code 3 after \d+ ms\.\nstdout:\nout\n\nstderr:\nerr\n$/,
    );
  });

  test("that prints nothing says so", async () => {
    const { client, face } = await connectInMemory();
    const call = client.call("run_command", { argv: ["true"] }, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    expect(textOf(await client.resultOf(call))).toMatch(/Exit code 0 after \d+ ms\. It printed nothing\.$/);
  });

  test("whose output is long has it cut in the result and whole in a private file", async () => {
    const { client, face, home } = await connectInMemory();
    const call = client.call("run_command", { argv: ["seq", "1", "60000"] }, withProgress);
    await waitingProgress(client);
    const { id } = face.only();
    face.approve(face.only());
    const { structuredContent } = await client.resultOf(call);
    const kept = join(home, "output", `${id}.stdout`);
    expect(structuredContent).toMatchObject({ truncated: true, stdout: expect.stringContaining(kept) });
    const whole = readFileSync(kept, "utf8");
    expect(whole.split("\n")).toHaveLength(60_001);
    expect(whole.endsWith("59999\n60000\n")).toBe(true);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
  });

  test.each([
    [
      "by its running time",
      { line: "echo begun; sleep 600", timeoutSeconds: 1 },
      /^Ended after \d+ ms: its running time was over\./,
    ],
    ["by a signal", { line: "echo begun; kill -KILL $$" }, /^Ended by SIGKILL after \d+ ms\.\n/],
  ])("that is ended %s says so, with what it printed", async (_how, args, text) => {
    const { client, face } = await connectInMemory();
    const call = client.call("run_command", args, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    const result = await client.resultOf(call);
    expect(result.structuredContent).toMatchObject({
      outcome: "approved",
      exitCode: null,
      stdout: "begun\n",
    });
    expect(textOf(result).replace(/^.*?\. /, "")).toMatch(text);
  });

  test("is the one that was shown: words, line and directory", async () => {
    const { client, face, work } = await connectInMemory();
    const nested = join(work, "a b");
    mkdirSync(nested);
    const words = client.call(
      "run_command",
      { argv: ["printf", "%s|", "$HOME", "a b"], directory: nested },
      withProgress,
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
    const { client, face } = await connectInMemory({ name: "agent" });
    client.call("run_command", { ...printing, says: "to see it", thread: "t1" }, withProgress);
    await waitingProgress(client);
    expect(face.only()).toMatchObject({
      client: { name: "agent", version: "1.0.0" },
      caller: "stdio",
      says: "to see it",
      thread: "t1",
      level: "moderate",
      reasons: ["no rule speaks of it, so it asks"],
      rule: "no rule speaks of it, so it asks (built in)",
      scopes: ["once", "session", "project", "always"],
      remember: {
        days: 30,
        offers: [{ rule: "Bash(printf %s once)", matches: null, misses: null }],
      },
      subject: { pattern: "printf %s once" },
    });
  });

  test("is on record before it begins and after it ended", async () => {
    const { client, face, work } = await connectInMemory();
    const call = client.call(
      "run_command",
      { argv: ["sh", "-c", "cat ../home/audit/log.jsonl"] },
      withProgress,
    );
    await waitingProgress(client);
    face.approve(face.only());
    const seen = String((await client.resultOf(call)).structuredContent?.stdout);
    const before = seen
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(before.slice(-2)).toEqual(["approval.decided", "effect.started"]);
    const last = face.audit().at(-1);
    expect(last).toMatchObject({ kind: "effect.finished", details: { ending: "exited", exitCode: 0 } });
    expect(face.audit().find((record) => record.kind === "effect.started")).toMatchObject({
      call: last?.call,
      verified: { directory: work },
    });
  });

  test("of hostile words in a hostile directory leaves nothing invisible in the log", async () => {
    const { client, face, home, work } = await connectInMemory();
    const directory = join(work, "a\u202eb\u009bc");
    mkdirSync(directory);
    const args = { argv: ["echo", "\u2066\u200b\u007f"], directory, says: "\u202e", thread: "\u009b" };
    const call = client.call("run_command", args, withProgress);
    await waitingProgress(client);
    const forged = await face.approveAndWait(face.only(), { binding: "0".repeat(64) });
    expect(forged.kind).toBe("refused");
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
    const log = readFileSync(join(home, "audit", "log.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(log.length).toBeGreaterThan(7);
    expect(log.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
    expect(log.filter((line) => line.includes("a\\\\u{202e}b\\\\u{9b}c")).length).toBeGreaterThan(3);
  });

  test("whose directory was replaced meanwhile has drifted: nothing runs, and a fresh ask works", async () => {
    const { client, face, work } = await connectInMemory();
    const directory = join(work, "d");
    mkdirSync(directory);
    const args = { argv: ["touch", "ran"], directory };
    const call = client.call("run_command", args, withProgress);
    await waitingProgress(client);
    renameSync(directory, join(work, "old"));
    mkdirSync(directory);
    face.approve(face.only());
    expect(await client.resultOf(call)).toMatchObject({
      isError: true,
      structuredContent: { outcome: "drifted", code: "replay_drift", retryable: true },
    });
    expect(readdirSync(directory)).toEqual([]);
    expect(face.audit().at(-1)).toMatchObject({ kind: "effect.finished", details: { ending: "drifted" } });
    const again = client.call("run_command", args, { progressToken: "q" });
    await waitingProgress(client, "q");
    face.approve(face.only());
    expect((await client.resultOf(again)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(directory)).toEqual(["ran"]);
  });

  test("that cannot be started has failed and says why", async () => {
    const { client, face, work } = await connectInMemory();
    writeFileSync(join(work, "broken"), "#!/no/such/interpreter\n", { mode: 0o755 });
    const call = client.call("run_command", { argv: ["./broken"] }, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    const result = await client.resultOf(call);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "invalid_input" },
    });
    expect(textOf(result)).toMatch(
      /^Failed, nothing ran: .*broken" is there, but the interpreter .* is not \(ENOENT\)\. Run it with/,
    );
  });
});

describe("a refused call", () => {
  test("with a person's no carries the note and runs nothing", async () => {
    const { client, face, work } = await connectInMemory();
    const call = client.call("run_command", { argv: ["touch", "ran"] }, withProgress);
    await waitingProgress(client);
    face.deny(face.only(), "not on a Friday");
    const result = await client.resultOf(call);
    expect(textOf(result)).toBe("Denied by the person: not on a Friday. Do not retry this call.");
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
    const { client, home } = await connectInMemory({ capabilities: showsForms });
    const result = await client.resultOf(client.call("run_command", args, withProgress));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "refused", code: "invalid_input" },
    });
    expect(textOf(result)).toContain(text);
    expect(textOf(result)).not.toContain("\n");
    expect(client.allOf("elicitation/create")).toEqual([]);
    expect(existsSync(home)).toBe(false);
  });

  test("that nobody answered has timed out, which is not a no", async () => {
    const { client, face } = await connectInMemory({}, { config: { approval: { timeoutSeconds: 1 } } });
    const call = client.call("run_command", printing, withProgress);
    const { params } = await waitingProgress(client);
    expect(params?.message).toContain("(1 s left)");
    const { id } = face.only();
    const result = await client.resultOf(call);
    expect(textOf(result)).toMatch(/^Timed out after 1 s: nobody answered, which is not a no\./);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "timed_out", ran: false });
  });
});
