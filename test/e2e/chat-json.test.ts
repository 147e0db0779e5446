/** A front end over the built command: on pipes, and on a terminal that it owns. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { settleAnswers } from "../support/answering.js";
import { approvalDraft, commandSubject } from "../support/builders.js";
import { wispOn } from "../support/built.js";
import { type Message, onTerminal } from "../support/chat-pty.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { factDraft } from "../support/request-kinds.js";
import { openAsker, openFace, tempHome } from "../support/temp-home.js";

const missing = ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`;

const hello = { type: "hello", effects: ["approve"] };
const long = { timeout: 30_000 };

function serving() {
  const home = tempHome();
  const { channel } = openAsker(home);
  settleAnswers(channel);
  return { home, channel };
}

interface OnPipes {
  readonly child: ChildProcess;
  /** All that was said, but that it is alive. */
  readonly messages: readonly Message[];
  says(...messages: readonly unknown[]): void;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** On pipes, as most programs start another. */
function onPipes(home: Home): OnPipes {
  const [program = "", ...words] = wispOn(home, "chat", "--json");
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const messages: Message[] = [];
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.type !== "alive") messages.push(message);
  });
  return {
    child,
    messages,
    says: (...lines) => void child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    ended: new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal))),
  };
}

describe("a front end on pipes", () => {
  it("is told what waits and how it ends, and cannot answer", async () => {
    const { home, channel } = serving();
    const request = channel.file(approvalDraft(), []);
    channel.file(factDraft(), []);
    const { child, messages, says, ended } = onPipes(home);
    says(hello, { type: "answer", id: request.id, decision: "approve" });
    await expect.poll(() => messages.length, long).toBe(3);
    expect(messages).toEqual([
      expect.objectContaining({ type: "hello", effects: ["approve", "keep-facts", "answer-questions"] }),
      expect.objectContaining({ type: "approval", request }),
      expect.objectContaining({ type: "refused", id: request.id, code: "terminal_required" }),
    ]);
    const more = channel.file(approvalDraft(), []);
    await expect.poll(() => messages.at(-1), long).toMatchObject({ type: "approval", request: more });
    channel.withdraw(more.id, "withdrawn", null);
    channel.settle(more.id, { outcome: "withdrawn", taken: null, ran: false });
    await expect
      .poll(() => messages.at(-1), long)
      .toMatchObject({
        type: "withdrawn",
        id: more.id,
        outcome: "withdrawn",
        proved: true,
      });
    child.stdin?.end();
    expect(await ended).toBe(0);
    expect(openFace(home).pending().requests).toHaveLength(2);
  });

  it("is written nothing that a terminal interprets", async () => {
    const { home, channel } = serving();
    const hostile = "x\u001b[2J\u009b1A\u202e\n\r";
    channel.file(
      approvalDraft({ subject: commandSubject({ line: hostile }), thread: hostile, says: hostile }),
      [],
    );
    const [program = "", ...words] = wispOn(home, "chat", "--json");
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.stdin.end(`${JSON.stringify(hello)}\n`);
    await new Promise((resolve) => child.on("close", resolve));
    expect(text).toMatch(/^([\x20-\x7e]*\n)+$/);
    const [, second = ""] = text.split("\n");
    expect(JSON.parse(second)).toMatchObject({ request: { thread: hostile, says: hostile } });
  });

  it("goes on after lines that are none, and one of a hundred mebibytes", async () => {
    const { home, channel } = serving();
    channel.file(approvalDraft(), []);
    const { child, messages, says } = onPipes(home);
    const { stdin } = child;
    if (stdin === null) throw new Error("It has no input.");
    stdin.write("nonsense\n\n[1]\n");
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let count = 0; count < 100; count += 1) {
      if (!stdin.write(piece)) await new Promise<void>((resolve) => stdin.once("drain", () => resolve()));
    }
    stdin.write("\n");
    says(hello);
    await expect.poll(() => messages.at(-1)?.type, long).toBe("approval");
    expect(messages.map(({ type, code }) => code ?? type)).toEqual([
      "hello",
      ...["invalid_input", "invalid_input", "invalid_input", "invalid_input"],
      "approval",
    ]);
  });

  it("that closes what it writes to, or what it reads, ends it", async () => {
    const { home } = serving();
    for (const stream of ["stdin", "stdout"] as const) {
      const { child, messages, says, ended } = onPipes(home);
      says(hello);
      await expect.poll(() => messages.length, long).toBe(1);
      if (stream === "stdin") child.stdin?.end();
      else child.stdout?.destroy();
      expect(await ended).toBe(0);
    }
  });

  it("that reads nothing does not keep it from ending", async () => {
    const { home, channel } = serving();
    const subject = commandSubject({ line: "x".repeat(15_000) });
    for (let count = 0; count < 40; count += 1) channel.file(approvalDraft({ subject }), []);
    const [program = "", ...words] = wispOn(home, "chat", "--json");
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const exited = new Promise((resolve) => child.on("exit", resolve));
    child.stdout.once("readable", () => child.stdin.end(`${JSON.stringify(hello)}\n`));
    expect(await exited).toBe(0);
  });
});

describe.skipIf(ptyMissing !== null)(`a front end that owns a terminal${missing}`, () => {
  it("answers, and hears of its own answer alone", async () => {
    const { home, channel } = serving();
    const [yes, no, dangerous] = [{}, {}, { level: "dangerous" as const }].map((overrides) =>
      channel.file(approvalDraft(overrides), []),
    );
    const { pty, messages, says } = await onTerminal(home);
    says(hello);
    await expect.poll(() => messages().length, long).toBe(4);
    const { word } =
      messages().find(({ request }) => (request as Message | undefined)?.id === dangerous?.id) ?? {};
    says(
      { type: "answer", id: yes?.id, decision: "approve", scope: "once" },
      { type: "answer", id: no?.id, decision: "deny", note: "not today" },
      { type: "answer", id: dangerous?.id, decision: "approve", word: "y" },
    );
    await expect.poll(() => messages().length, long).toBe(7);
    expect(messages().slice(4)).toEqual(
      expect.arrayContaining([
        { type: "accepted", id: yes?.id },
        { type: "accepted", id: no?.id },
        expect.objectContaining({ type: "refused", id: dangerous?.id, code: "answer_refused" }),
      ]),
    );
    says({ type: "answer", id: dangerous?.id, decision: "approve", word });
    await expect.poll(() => messages().at(-1), long).toEqual({ type: "accepted", id: dangerous?.id });
    pty.type("\u0004");
    expect(await pty.ended).toBe(0);
    expect(messages().map(({ type }) => type)).not.toContain("withdrawn");
    expect(openFace(home).receipt(yes?.id ?? "")).toMatchObject({ decision: "approve", via: "chat" });
  });

  it("is told which answer of another face came first", async () => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft(), []);
    const { messages, says } = await onTerminal(home);
    says(hello);
    await expect.poll(() => messages().length, long).toBe(2);
    const other = startInPty(wispOn(home, "approvals", "approve", id));
    expect(await other.ended).toBe(0);
    await expect
      .poll(() => messages().at(-1), long)
      .toMatchObject({
        type: "withdrawn",
        id,
        outcome: "answered",
        decision: "approve",
        via: "cli",
        proved: true,
      });
    says({ type: "answer", id, decision: "deny" });
    await expect
      .poll(() => messages().at(-1), long)
      .toMatchObject({ type: "refused", id, code: "answer_exists" });
  });
});
