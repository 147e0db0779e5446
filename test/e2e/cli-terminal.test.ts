/** What a person does in a terminal, with the built command under a real one. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import type { Request } from "../../src/broker/request/request.js";
import { settleAnswers } from "../support/answering.js";
import { approvalDraft } from "../support/builders.js";
import { runBare, wispOn } from "../support/built.js";
import { writeAcceptedConfig } from "../support/config-files.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { openAsker, openFace, tempDirectory, tempHome } from "../support/temp-home.js";
import { filedBy, startWorker, type Worker } from "../support/workers.js";

interface Asked {
  readonly home: Home;
  readonly server: Worker;
  readonly request: Request;
  /** Whether what was approved ran. */
  hasRun(): boolean;
}

/** A request of a real server, in a process of its own. */
async function ask(): Promise<Asked> {
  const home = tempHome();
  const effects = join(tempDirectory(), "effects");
  const server = startWorker("asker", home.path, { WISP_TEST_EFFECTS: effects }, null);
  const request = await filedBy(server);
  if (request === null) throw new Error("Nothing was filed.");
  return { home, server, request, hasRun: () => existsSync(effects) };
}

/** A request of this process, whose level asks for a typed word. */
function askDangerous(): { readonly home: Home; readonly id: string } {
  const home = tempHome();
  const { channel } = openAsker(home);
  const { id } = channel.file(approvalDraft({ level: "dangerous" }), []);
  settleAnswers(channel);
  return { home, id };
}

describe.skipIf(ptyMissing !== null)(
  `in a terminal${ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`}`,
  () => {
    it("approve shows what runs, and it runs", async () => {
      const { home, server, request, hasRun } = await ask();
      const pty = startInPty(wispOn(home, "approvals", "approve", request.id.slice(0, 4)));
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(/runs {10}true\n[\s\S]*approved \(once, [^)]+\): true — for stdio\n$/);
      expect(await server.ended).toBe(0);
      expect(hasRun()).toBe(true);
      expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "approve", via: "cli" });
    });

    it("show tells an answer from the terminal of its session from one that only borrows a terminal", async () => {
      const { home, id } = askDangerous();
      const own = startInPty(wispOn(home, "approvals", "show", id));
      expect(await own.ended).toBe(0);
      expect(own.output()).toMatch(/^from here {5}terminal; less from /m);
      // setsid leaves its standard input a terminal that controls nobody there.
      const borrowed = startInPty(["setsid", "-w", ...wispOn(home, "approvals", "show", id)]);
      expect(await borrowed.ended).toBe(0);
      expect(borrowed.output()).toMatch(/^from here {5}file: standard input is not the terminal that /m);
    });

    it("doctor says what the living server would make of an answer from here", async () => {
      const { home } = await ask();
      const pty = startInPty(wispOn(home, "doctor"), { columns: 400 });
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(
        /^ok {4}shell {5}an answer from here would be taken by the server of .* as terminal/m,
      );
    });

    it("doctor warns where a living server would refuse an answer from here, unless that is configured away", async () => {
      const { home } = askDangerous();
      const [name = ""] = readdirSync(home.servers);
      const record = JSON.parse(readFileSync(join(home.servers, name), "utf8"));
      // As if this test were the server of a client that gives its agent a shell: all that it starts lies within.
      const claimed = { ...record, client: { name: "claude-code", version: "1" } };
      writeFileSync(join(home.servers, name), JSON.stringify(claimed), { mode: 0o600 });
      const said = async (): Promise<string> => {
        const pty = startInPty(wispOn(home, "doctor"), { columns: 400 });
        await pty.ended;
        return pty.output();
      };
      const server = `by the server of claude-code (process ${process.pid})`;
      expect(await said()).toContain(
        `warn  shell     an answer from here would be refused ${server}: started from within it; accept, config set and facts forget are refused from here: started from within claude-code\n`,
      );
      writeAcceptedConfig(home.path, { approval: { ancestry: "never" } });
      expect(await said()).toContain(
        `ok    shell     an answer from here would be taken ${server} as terminal, although it comes from within it\n`,
      );
    });

    it("deny gives the note, and nothing runs", async () => {
      const { home, server, request, hasRun } = await ask();
      const pty = startInPty(wispOn(home, "approvals", "deny", request.id, "--note", "not today"));
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(/^denied \([^)]+\): true — for stdio: "not today"\n$/);
      expect(await server.ended).toBe(0);
      expect(hasRun()).toBe(false);
    });

    it("the answer names the terminal that it came from", async () => {
      const { home, server, request } = await ask();
      server.child.kill("SIGSTOP");
      const pty = startInPty(wispOn(home, "approvals", "approve", request.id));
      await pty.seen("waiting for the server");
      expect(openFace(home).slot(request.id)).toMatchObject({
        answer: {
          by: { tty: expect.stringMatching(/^\/dev\/(pts\/|tty)/), startedAt: expect.stringMatching(/./) },
        },
      });
      server.child.kill("SIGCONT");
      expect(await pty.ended).toBe(0);
    });

    it("a word approves what is dangerous, and a wrong one does not", async () => {
      const { home, id } = askDangerous();
      const wrong = startInPty(wispOn(home, "approvals", "approve", id));
      await wrong.seen('Type "main"');
      wrong.type("y\n");
      expect(await wrong.ended).toBe(7);
      const right = startInPty(wispOn(home, "approvals", "approve", id));
      await right.seen('Type "main"');
      right.type("main\n");
      expect(await right.ended).toBe(0);
      expect(right.output()).toContain("approved (once, terminal): git push origin main");
    });

    it("what was typed before the question stood there is no answer to it", async () => {
      const { home, id } = askDangerous();
      const pty = startInPty(wispOn(home, "approvals", "approve", id), { typedAhead: "main\n" });
      await pty.seen('Type "main"');
      pty.type("no\n");
      expect(await pty.ended).toBe(7);
      expect(openFace(home).pending().requests).toHaveLength(1);
    });

    it.each([
      ["Ctrl-C", "\u0003", 130],
      ["the end of the input", "\u0004", 7],
    ])("%s at the question answers nothing and leaves the terminal as it was", async (_what, key, exit) => {
      const { home, id } = askDangerous();
      const [, ...words] = wispOn(home, "approvals", "approve", id);
      const script = 'trap : INT; stty -g; env "$@"; echo "exit $?"; stty -g';
      const pty = startInPty(["sh", "-c", script, "sh", ...words]);
      await pty.seen('Type "main"');
      pty.type(key);
      expect(await pty.ended).toBe(0);
      const lines = pty.output().trim().split("\n");
      expect(lines).toContain(`exit ${exit}`);
      expect(lines.at(-1)).toBe(lines[0]);
      expect(openFace(home).pending().requests).toHaveLength(1);
    });

    it("the question goes away when the request is answered elsewhere", async () => {
      const { home, id } = askDangerous();
      const pty = startInPty(wispOn(home, "approvals", "approve", id));
      await pty.seen('Type "main"');
      const other = startInPty(wispOn(home, "approvals", "deny", id));
      expect(await other.ended).toBe(0);
      expect(await pty.ended).toBe(5);
      expect(pty.output()).toMatch(/denied \([^)]+\) in wisp approvals/);
    });

    it("of two faces that answer at once exactly one wins, and the other says that it did not", async () => {
      for (let round = 0; round < 3; round += 1) {
        const { home, server, request, hasRun } = await ask();
        const faces = ["approve", "deny"].map((verb) =>
          startInPty(wispOn(home, "approvals", verb, request.id)),
        );
        const ended = await Promise.all(faces.map((face) => face.ended));
        expect([...ended].sort()).toEqual([0, 5]);
        await server.ended;
        expect(hasRun()).toBe(ended[0] === 0);
      }
    });

    it("a server that was stopped is waited for, and Ctrl-C says that nothing was read yet", async () => {
      const { home, server, request, hasRun } = await ask();
      server.child.kill("SIGSTOP");
      const pty = startInPty(wispOn(home, "approvals", "approve", request.id));
      await pty.seen(`waiting for the server (process ${server.child.pid})`);
      pty.type("\u0003");
      expect(await pty.ended).toBe(130);
      expect(pty.output()).toContain(
        `Not read yet: the server has not looked at your answer to ${request.id}.`,
      );
      // It said that the answer counts as soon as the server reads it.
      server.child.kill("SIGCONT");
      await server.ended;
      expect(hasRun()).toBe(true);
    });

    it("a server that was killed is gone: nothing is answered, and it is written down", async () => {
      const { home, server, request } = await ask();
      server.child.kill("SIGKILL");
      await server.ended;
      const pty = startInPty(wispOn(home, "approvals", "approve", request.id));
      expect(await pty.ended).toBe(9);
      expect(pty.output()).toContain(`The server that asked ${request.id} is gone`);
      expect(readFileSync(join(home.path, "audit", "log.jsonl"), "utf8")).toContain('"kind":"request.swept"');
      expect((await runBare(wispOn(home, "approvals", "wait", request.id))).exit).toBe(9);
    });

    it("a server that is killed with the answer in the slot: nothing runs, and that is said", async () => {
      const { home, server, request, hasRun } = await ask();
      server.child.kill("SIGSTOP");
      const pty = startInPty(wispOn(home, "approvals", "approve", request.id));
      await pty.seen("waiting for the server");
      server.child.kill("SIGKILL");
      expect(await pty.ended).toBe(9);
      expect(pty.output()).toContain("its server died and nothing ran");
      expect(hasRun()).toBe(false);
    });

    it.each([60, 80, 120, 200])("the list fits %d columns", async (columns) => {
      const home = tempHome();
      const { channel } = openAsker(home);
      channel.file(approvalDraft({ thread: "t".repeat(300) }), []);
      const pty = startInPty(wispOn(home, "approvals", "pending"), { columns });
      expect(await pty.ended).toBe(0);
      const [header = "", row = ""] = pty.output().split("\n");
      expect(header).toMatch(/^id +level +age +who/);
      expect(row.length).toBeLessThanOrEqual(columns);
      expect(row).toContain("git push origin main");
    });

    it("wisp alone says what waits", async () => {
      const { home, id } = askDangerous();
      const pty = startInPty(wispOn(home));
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toContain(`wisp approvals show ${id}`);
    });
  },
);
