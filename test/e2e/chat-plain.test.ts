/** What a person does in plain chat, with the built command under a real terminal. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { settleAnswers } from "../support/answering.js";
import { approvalDraft, commandSubject } from "../support/builders.js";
import { runBare, wispOn } from "../support/built.js";
import { chatOn, leave, prompted, promptText, stands, times } from "../support/chat-pty.js";
import { boundTo } from "../support/grants.js";
import { keptHome } from "../support/kept-home.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { openAsker, openFace, tempDirectory, tempHome } from "../support/temp-home.js";
import { filedBy, startWorker } from "../support/workers.js";

const missing = ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`;

const long = { timeout: 30_000 };

/** A home with a server that takes answers. */
function serving() {
  const home = tempHome();
  const { channel } = openAsker(home);
  settleAnswers(channel);
  return { home, channel };
}

function waits(home: Home): number {
  return openFace(home).pending().requests.length;
}

describe.skipIf(ptyMissing !== null)(`plain chat in a terminal${missing}`, () => {
  it("tells of each request once, at once, and how it ended elsewhere", async () => {
    const { home, channel } = serving();
    const first = channel.file(approvalDraft(), []);
    const pty = await chatOn(home);
    await pty.seen(`waits: ${first.id}  moderate  git push origin main  for test-client`);
    const second = channel.file(approvalDraft({ thread: "git" }), []);
    await pty.seen(`waits: ${second.id}`);
    const elsewhere = startInPty(wispOn(home, "approvals", "deny", second.id, "--note", "not today"));
    expect(await elsewhere.ended).toBe(0);
    await pty.seen(`ended: ${second.id}  denied`);
    expect(pty.output()).toMatch(/ended: \w+ {2}denied \([^)]+\) in wisp approvals: "not today"/);
    pty.type("/quit\r");
    expect(await pty.ended).toBe(0);
    for (const { id } of [first, second]) expect(times(pty, `waits: ${id}`)).toBe(1);
    expect(times(pty, "ended: ")).toBe(1);
    expect(times(pty, "Answer: ")).toBe(1);
    expect(waits(home)).toBe(1);
  });

  it("approves: what was shown runs, and its server has seen a person's terminal", async () => {
    const home = tempHome();
    const effects = join(tempDirectory(), "effects");
    const server = startWorker("asker", home.path, { WISP_TEST_EFFECTS: effects }, null);
    const request = await filedBy(server);
    if (request === null) throw new Error("Nothing was filed.");
    const pty = await chatOn(home);
    pty.type(`/approvals approve ${request.id.slice(0, 4)}\r`);
    await pty.seen("approved (once, ");
    expect(pty.output()).toMatch(/runs {10}true\n[\s\S]*approved \(once, [^)]+\): true — for stdio\n/);
    expect(await server.ended).toBe(0);
    expect(existsSync(effects)).toBe(true);
    expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "approve", via: "chat" });
    await leave(pty);
    expect(times(pty, "ended: ")).toBe(0);
  });

  it("denies with the rest of the line, one after the other", async () => {
    const { home, channel } = serving();
    const requests = Array.from({ length: 3 }, () => channel.file(approvalDraft(), []));
    const pty = await chatOn(home);
    for (const [index, { id }] of requests.entries()) {
      pty.type(`/approvals deny ${id} reason ${index}\r`);
      await pty.seen(`"reason ${index}"\n`);
      await prompted(pty);
      expect(openFace(home).receipt(id)).toMatchObject({
        decision: "deny",
        note: `reason ${index}`,
        via: "chat",
      });
    }
    await leave(pty);
  });

  it("has the word of a dangerous action typed after the question, and takes none that was typed ahead", async () => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft({ level: "dangerous" }), []);
    const pty = await chatOn(home);
    pty.type(`/approvals approve ${id}\r`);
    await pty.seen('Type "main"');
    pty.type("no\r");
    await pty.seen(`To deny it: /approvals deny ${id}`);
    await prompted(pty);
    expect(waits(home)).toBe(1);
    pty.type(`/approvals approve ${id}\r`);
    await expect.poll(() => times(pty, 'Type "main"'), long).toBe(2);
    pty.type("main\r");
    await pty.seen("approved (once, ");
    await leave(pty);
  });

  it.each([
    ["a yes and what it asks for", (id: string) => `/approvals approve ${id}\ry\r`],
    ["a yes behind something harmless", (id: string) => `/help\r/approvals approve ${id}\r`],
    ["a yes and half a line", (id: string) => `/approvals approve ${id}\r/approvals deny`],
    ["thirty lines", (id: string) => `${`${"x".repeat(300)}\r`.repeat(30)}/approvals approve ${id}\r`],
  ])("a block that is pasted answers nothing: %s", async (_what, blockOf) => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft(), []);
    const pty = await chatOn(home);
    await pty.seen("Answer: ");
    pty.type(blockOf(id));
    await pty.seen("lines came at once, as from a paste: none of them was run.");
    expect(waits(home)).toBe(1);
    await prompted(pty);
    pty.type(`/approvals approve ${id}\r`);
    await pty.seen("approved (once, ");
    await leave(pty);
  });

  it("what lay in the terminal before the prompt is no line of it", async () => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft(), []);
    const pty = await chatOn(home, { typedAhead: `/approvals approve ${id}\n` });
    await pty.seen("Answer: ");
    pty.type("/late\r");
    await pty.seen("Nothing that ended may still be answered.");
    expect(waits(home)).toBe(1);
    await leave(pty);
  });

  it("draws nothing over a half-typed line, which stays, and completes no id that was not told", async () => {
    const { home, channel } = serving();
    const [first, second] = ["one", "two"].map((thread) => channel.file(approvalDraft({ thread }), []));
    if (first === undefined || second === undefined) throw new Error("Nothing was filed.");
    const pty = await chatOn(home);
    await pty.seen("Answer: ");
    await prompted(pty);
    pty.type("/approvals den");
    await stands(pty, "/approvals den");
    const { id } = channel.file(approvalDraft(), []);
    pty.type("y ");
    await stands(pty, "/approvals deny ");
    const elsewhere = startInPty(wispOn(home, "approvals", "deny", second.id));
    expect(await elsewhere.ended).toBe(0);
    // Once there is one id to complete it has seen that the other left, so also what came before that.
    await expect
      .poll(() => {
        const isWhole = pty.output().endsWith(first.id);
        if (!isWhole) pty.type("\t");
        return isWhole;
      }, long)
      .toBe(true);
    expect(times(pty, id)).toBe(0);
    pty.type(" too late\r");
    await pty.seen('"too late"');
    expect(openFace(home).receipt(first.id)).toMatchObject({ decision: "deny", note: "too late" });
    await pty.seen(`waits: ${id}`);
    await leave(pty);
  });

  it("completes commands and ids", async () => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft(), []);
    const pty = await chatOn(home);
    await pty.seen("Answer: ");
    await prompted(pty);
    pty.type("/appr\t");
    await stands(pty, "/approvals");
    pty.type(" app\t");
    await stands(pty, "/approvals approve");
    pty.type(` ${id.slice(0, 1)}\t`);
    await stands(pty, `/approvals approve ${id}`);
    pty.type("\r");
    await pty.seen("approved (once, ");
    await leave(pty);
  });

  it("no byte of a hostile request is interpreted by the terminal", async () => {
    const { home, channel } = serving();
    const hostile = "x\u001b[2J\u001b]52;c;eA==\u0007\u009b1A\u202e\u200b\r\n\b";
    const subject = commandSubject({ line: hostile, command: hostile, argv: null, directory: `/${hostile}` });
    const client = { name: hostile, version: hostile };
    const { id } = channel.file(
      approvalDraft({ subject, client, thread: hostile, says: hostile, reasons: [hostile] }),
      [],
    );
    const pty = await chatOn(home);
    pty.type("/approvals pending\r");
    await expect.poll(() => times(pty, id), long).toBeGreaterThanOrEqual(2);
    pty.type(`/approvals approve ${id}\r`);
    await pty.seen("Type y and Enter");
    pty.type("y\r");
    await pty.seen("approved (once, ");
    await leave(pty);
    // What readline draws its line with, and our colours; the terminal echoes Enter as a newline.
    const own = new RegExp(`${String.fromCharCode(27)}\\[(\\d*[GJKC]|[\\d;]*m)`, "g");
    expect(pty.output().replace(own, "")).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ["Ctrl-C", "\u0003", 130],
    ["Ctrl-D", "\u0004", 0],
  ])(
    "%s leaves and leaves the terminal as it was, with half a line and at a question",
    async (_what, key, exit) => {
      const { home, channel } = serving();
      const { id } = channel.file(approvalDraft({ level: "dangerous" }), []);
      const [, ...words] = wispOn(home, "chat", "--plain");
      const script =
        'trap : INT; stty -g; env "$@"; echo "exit $?"; stty -g; env "$@"; echo "exit $?"; stty -g';
      const pty = startInPty(["sh", "-c", script, "sh", ...words], { columns: 200 });
      await pty.seen(promptText);
      pty.type(key === "\u0003" ? "/approvals deny" : "x\u007f");
      pty.type(key);
      await pty.seen(`exit ${exit}`);
      await expect.poll(() => times(pty, "Answer: "), long).toBe(2);
      await expect.poll(() => times(pty, promptText), long).toBeGreaterThan(1);
      await prompted(pty);
      pty.type(`/approvals approve ${id}\r`);
      await pty.seen('Type "main"');
      pty.type(key);
      expect(await pty.ended).toBe(0);
      const lines = pty.output().trim().split("\n");
      expect(lines.filter((line) => line.endsWith(`exit ${exit}`))).toHaveLength(2);
      const modes = lines.filter((line) => /^[0-9a-f]+(:[0-9a-f]+)+$/.test(line));
      expect(modes).toHaveLength(3);
      expect(new Set(modes).size).toBe(1);
      expect(waits(home)).toBe(1);
    },
  );

  it("answers what has ended and is kept, as the command line does", async () => {
    const kept = keptHome();
    const request = await kept.ends({ agoMs: 3_600_000 });
    const pty = await chatOn(kept.home, { isApart: true });
    pty.type("/late\r");
    await pty.seen("Answer: /approvals approve ID, and the next identical call runs once");
    pty.type(`/approvals approve ${request.id}\r`);
    await pty.seen("the next identical call of test-client in /home/p/api runs once");
    await leave(pty);
    expect(kept.grants.find(boundTo())?.answer).toMatchObject({ via: "chat" });
  });

  it("works on a terminal that cannot be drawn on, without an escape", async () => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft(), []);
    const pty = await chatOn(home, { environment: { ...process.env, TERM: "dumb" } });
    pty.type(`/approvals deny ${id} no\r`);
    await pty.seen('"no"');
    await stands(pty, promptText);
    pty.type("\u0004");
    expect(await pty.ended).toBe(0);
    expect(pty.output()).not.toContain("\u001b");
  });
});

describe("plain chat without a terminal", () => {
  it("tells what waits and where to answer, answers nothing, and ends with its input", async () => {
    const { home, channel } = serving();
    const { id } = channel.file(approvalDraft(), []);
    const script = `printf '/approvals approve ${id}\\n/approvals deny ${id}\\nyes\\n/approvals pending\\n' | "$@"`;
    const { exit, out, err } = await runBare(["sh", "-c", script, "sh", ...wispOn(home, "chat", "--plain")]);
    expect(exit).toBe(0);
    expect(out).toMatch(new RegExp(`^waits: ${id} `, "m"));
    expect(out).toMatch(new RegExp(`^${id}\tmoderate\t`, "m"));
    expect(out + err).not.toContain("Answer: ");
    expect(err).toContain(`Open a terminal and run: WISP_HOME=${home.path} wisp chat --plain\n`);
    expect(err).toContain(`wisp approvals approve ${id}\n`);
    expect(err).toContain(`wisp approvals deny ${id}\n`);
    expect(err).toContain("That is no command, and nothing was answered.");
    expect(waits(home)).toBe(1);
  });
});
