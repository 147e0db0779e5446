import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { spoolTexts } from "../../../src/broker/channel/spool.js";
import type { Testimony } from "../../../src/broker/request/assurance.js";
import { shortened } from "../../../src/broker/request/long-text.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { deny } from "../../../src/cli/commands/deny.js";
import { approveOne } from "../../../src/cli/kept/late-answer.js";
import { reportError } from "../../../src/cli/report.js";
import { openKept } from "../../../src/face/kept.js";
import { approvalDraft, commandSubject } from "../../support/builders.js";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/fake-terminal.js";
import { boundTo } from "../../support/grants.js";
import { type KeptHome, keptHome } from "../../support/kept-home.js";
import { type Running, startOn, startVerb } from "../../support/run-verb.js";
import { openAsker, openFace } from "../../support/temp-home.js";
import { atTerminal } from "../../support/witnesses.js";

interface Given extends FakeTerminalOptions {
  readonly scope?: "once" | "session";
  readonly note?: string;
  readonly word?: string;
  readonly sees?: Testimony;
}

/** A person approves `id`, at a terminal that is theirs unless the look `sees` otherwise. */
function approving({ home }: KeptHome, id: string, given: Given = {}): Running {
  const { scope = null, note = null, word = null, sees = atTerminal, ...options } = given;
  return startOn(fakeTerminal({ home, columns: 300, ...options }), (terminal) =>
    approveOne(id, { scope, note, word }, openKept(terminal), () => sees, terminal).catch((error: unknown) =>
      reportError(error, terminal),
    ),
  );
}

function auditOf({ home }: KeptHome): readonly { kind: string; session: string; [key: string]: unknown }[] {
  const path = join(home.path, "audit", "log.jsonl");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const line = (text: string) => ({ subject: commandSubject({ line: text, command: text, argv: null }) });

describe("a yes to what has ended", () => {
  it("shows all of it, says what it does before and after, and is kept for the next identical call", async () => {
    const kept = keptHome();
    const request = await kept.ends({
      draft: { thread: "git", says: "so that CI can run", scopes: ["once", "session"] },
      agoMs: 3_600_000,
    });
    const { terminal, ended } = approving(kept, request.id.slice(0, 4), { note: "go on" });
    const { exit, out, err } = await ended;
    const effect =
      /the next identical call of test-client in \/home\/p\/api runs once, until \d{4}-\d\d-\d\d \d\d:\d\d; of what changed meanwhile only another program or directory refuses/;
    expect(exit).toBe(0);
    expect(out).toMatch(
      new RegExp(`^approved \\(once, terminal\\): git push origin main — ${effect.source}: "go on"\\n$`),
    );
    expect(err).toMatch(new RegExp(`^a yes now {5}${effect.source}$`, "m"));
    expect(err).toContain("runs          git push origin main\n");
    expect(err).toContain("agent says    so that CI can run\n");
    expect(err).toContain("ended         timed out: nobody answered in time, 1:00:00 ago\n");
    expect(err).toContain("scopes        once\n");
    expect(err).not.toMatch(/^(left|session|attention) /m);
    expect(terminal.questions).toEqual([]);
    expect(kept.late.read(request.id)).toBeNull();
    expect(kept.grants.find(boundTo())).toMatchObject({
      id: request.id,
      answer: { decision: "approve", scope: "once", note: "go on", via: "cli" },
      life: { forMs: 86_400_000 },
    });
  });

  it("is written down by this command, with who gave it, before anything else", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    await approving(kept, request.id).ended;
    expect(auditOf(kept)).toMatchObject([
      {
        kind: "approval.answered",
        session: "cli",
        call: request.id,
        verified: atTerminal.seen,
        selfReported: { by: { pid: process.pid, tty: "/dev/pts/7" } },
        details: { decision: "approve", scope: "once", via: "cli", assurance: "terminal" },
      },
      { kind: "grant.kept", session: "cli", call: request.id, details: { grant: request.id } },
    ]);
  });

  it("says of a command whose state is bound that what changed still refuses", async () => {
    const kept = keptHome();
    const state = { bound: [{ target: "HEAD", fingerprint: "1" }] };
    const request = await kept.ends({ draft: { level: "high", subject: commandSubject({ state }) } });
    const { exit, out } = await approving(kept, request.id).ended;
    expect(exit).toBe(0);
    expect(out).toMatch(/; what changed meanwhile still refuses\n$/);
  });

  it("shows nothing of what is theirs unescaped", async () => {
    const kept = keptHome();
    const request = await kept.ends({ draft: { client: { name: "a\u001b[2Jb", version: "1" } } });
    const running = approving(kept, request.id);
    running.terminal.type("y");
    const { exit, out, err } = await running.ended;
    expect(exit).toBe(0);
    expect(`${out}${err}`).not.toContain("\u001b");
    expect(out).toContain("the next identical call of a\\u{1b}[2Jb in ");
  });

  it.each<[string, Parameters<KeptHome["ends"]>[0], FakeTerminalOptions]>([
    ["more than ten lines run", { draft: line("echo\n".repeat(11)) }, {}],
    ["a character stands escaped", { draft: { says: "a\u200bb" } }, {}],
    ["the card was not shown on a terminal", {}, { isTerminal: false }],
  ])("asks for y when %s, and leaves it for later otherwise", async (_when, given, options) => {
    const kept = keptHome();
    const request = await kept.ends(given);
    const no = approving(kept, request.id, options);
    no.terminal.type("n");
    const { exit, out, err } = await no.ended;
    expect([exit, out]).toEqual([7, ""]);
    expect(err).toContain(`Not approved: ${request.id} may still be answered.\n  To approve it, type "y".\n`);
    expect([kept.grants.find(boundTo()), auditOf(kept)]).toEqual([null, []]);
    const yes = approving(kept, request.id, options);
    yes.terminal.type("y");
    expect((await yes.ended).exit).toBe(0);
    expect(yes.terminal.questions).toEqual([
      "Type y and Enter to approve (once); anything else answers nothing: ",
    ]);
  });

  it("takes no wrong word, and the right one", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const { exit, err } = await approving(kept, request.id, { word: "no" }).ended;
    expect(exit).toBe(7);
    expect(err).toContain('It needs no --confirm: leave it out, or name "main".');
    expect((await approving(kept, request.id, { word: "main" }).ended).exit).toBe(0);
  });

  it("Ctrl-C at the question answers nothing", async () => {
    const kept = keptHome();
    const request = await kept.ends({ draft: line("echo\n".repeat(11)) });
    const { terminal, ended } = approving(kept, request.id);
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(kept.late.read(request.id)).not.toBeNull();
  });

  it("the question goes away when somebody else has answered, or it is asked again", async () => {
    const kept = keptHome();
    const request = await kept.ends({ draft: line("echo\n".repeat(11)) });
    const { ended } = approving(kept, request.id);
    kept.late.remove(request.id);
    const { exit, err } = await ended;
    expect(exit).toBe(5);
    expect(err).toContain(`Not approved: ${request.id} was answered, or asked again, in this moment.`);
    expect(kept.grants.find(boundTo())).toBeNull();
  });

  it("reaches no further than one call", async () => {
    const kept = keptHome();
    const request = await kept.ends({ draft: { scopes: ["once", "session"] } });
    const { exit, err } = await approving(kept, request.id, { scope: "session" }).ended;
    expect(exit).toBe(2);
    expect(err).toContain("takes no yes for the scope session.\n  It offers: once\n");
    expect((await approving(kept, request.id, { scope: "once" }).ended).exit).toBe(0);
  });

  it("is never given to what is dangerous, nor with its word", async () => {
    const kept = keptHome();
    // As a server might keep it that a later version of wisp wrote.
    const request = await kept.ends({ draft: { level: "dangerous" } });
    const { exit, out, err } = await approving(kept, request.id, { word: "main" }).ended;
    expect([exit, out]).toEqual([5, ""]);
    expect(err).toContain(
      "takes no late yes.\n  It cannot be approved any more: it is dangerous, and is approved only",
    );
    expect([kept.grants.find(boundTo()), auditOf(kept)]).toEqual([null, []]);
    const good = await kept.ends();
    expect((await approving(kept, good.id).ended).exit).toBe(0);
  });

  it("is not given to what cannot be shown whole", async () => {
    const kept = keptHome();
    const text = `echo ${"x".repeat(20_000)}`;
    const subject = commandSubject({ line: shortened(text), command: shortened(text), argv: null });
    const request = await kept.ends({ draft: { subject } });
    expect((await approving(kept, request.id).ended).exit).toBe(6);
    expect(kept.grants.find(boundTo())).toBeNull();
    spoolTexts(kept.home, [text], systemClock);
    const again = approving(kept, request.id);
    again.terminal.type("y");
    expect((await again.ended).exit).toBe(0);
  });

  it("is refused within a client's own processes, written down, and taken from elsewhere", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const seen = {
      ...atTerminal,
      seen: { pid: 1, within: "claude-code" },
      shortfall: "within_client" as const,
    };
    const { exit, out, err } = await approving(kept, request.id, { sees: seen }).ended;
    expect([exit, out]).toEqual([10, ""]);
    expect(err).toContain("Not taken: this command was started from within test-client");
    expect(kept.grants.find(boundTo())).toBeNull();
    expect(auditOf(kept)).toMatchObject([
      {
        kind: "answer.refused",
        session: "cli",
        call: request.id,
        verified: { within: "claude-code" },
        details: { reason: "assurance_insufficient: within_client", movedTo: null },
      },
    ]);
    expect((await approving(kept, request.id).ended).exit).toBe(0);
  });

  it("through the verb looks at this very process, which has no terminal of its own here", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const { exit, err } = await startVerb(approve, [request.id], { home: kept.home }).ended;
    expect(exit).toBe(10);
    expect(err).toContain("Not taken: standard input is not the terminal that controls this command.");
    expect(kept.grants.find(boundTo())).toBeNull();
    expect((await approving(kept, request.id).ended).exit).toBe(0);
  });

  it("is given at a terminal alone", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    for (const verb of [approve, deny]) {
      const { exit, out } = await startVerb(verb, [request.id], { home: kept.home, canAnswer: false }).ended;
      expect([exit, out]).toEqual([4, ""]);
    }
    expect(kept.late.read(request.id)).not.toBeNull();
    expect((await approving(kept, request.id).ended).exit).toBe(0);
  });

  it("that cannot be written down is not kept, and can be given again", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const audit = join(kept.home.path, "audit");
    writeFileSync(audit, "in the way", { mode: 0o600 });
    const { exit, err } = await approving(kept, request.id).ended;
    expect(exit).toBe(8);
    expect(err).toContain("The audit log cannot be written.");
    expect(kept.grants.find(boundTo())).toBeNull();
    rmSync(audit);
    expect((await approving(kept, request.id).ended).exit).toBe(0);
  });

  it("is given once", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const both = await Promise.all([approving(kept, request.id).ended, approving(kept, request.id).ended]);
    expect(both.map(({ exit }) => exit).sort()).toEqual([0, 5]);
    expect((await startVerb(approve, [request.id], { home: kept.home }).ended).exit).toBe(3);
  });
});

describe("what was typed", () => {
  it("means what waits before it means what has ended", async () => {
    const kept = keptHome();
    const request = openAsker(kept.home).channel.file(approvalDraft(), []);
    const late = await kept.ends({ id: `${request.id.slice(0, 4)}zzzz` });
    const running = startVerb(deny, [request.id.slice(0, 4)], { home: kept.home });
    await expect.poll(() => openFace(kept.home).slot(request.id).kind).toBe("answer");
    running.terminal.interrupt();
    await running.ended;
    expect(kept.late.read(late.id)).not.toBeNull();
    expect((await startVerb(deny, [late.id], { home: kept.home }).ended).exit).toBe(0);
  });

  it("that fits several that have ended names them", async () => {
    const kept = keptHome();
    await kept.ends({ id: "abcdefgh" });
    await kept.ends({ id: "abcdxyzz" });
    const { exit, err } = await startVerb(deny, ["abcd"], { home: kept.home }).ended;
    expect(exit).toBe(2);
    expect(err).toMatch(/abcd fits several ids: (abcdefgh, abcdxyzz|abcdxyzz, abcdefgh)/);
    expect((await startVerb(deny, ["abcde"], { home: kept.home }).ended).exit).toBe(0);
  });

  it.each([
    ["whose time is over", { agoMs: 86_401_000 }],
    ["that nobody may answer", { lateSeconds: 0 }],
  ])("means nothing where it is one %s", async (_what, given) => {
    const kept = keptHome();
    const request = await kept.ends(given);
    for (const verb of [approve, deny]) {
      const { exit, err } = await startVerb(verb, [request.id], { home: kept.home }).ended;
      expect(exit).toBe(3);
      expect(err).toContain(`No request ${request.id} waits.`);
    }
  });

  it("means no file that somebody else put there", async () => {
    const kept = keptHome();
    await kept.ends({ id: "abcdefgh" });
    writeFileSync(join(kept.home.path, "late", "zzzzzzzz.json"), "{}", { mode: 0o600 });
    expect((await startVerb(deny, ["zzzzzzzz"], { home: kept.home }).ended).exit).toBe(3);
    expect((await startVerb(deny, ["abcdefgh"], { home: kept.home }).ended).exit).toBe(0);
  });
});

describe("a no to what has ended", () => {
  it("takes it away at once, whoever gives it, and says that the next call asks", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const { exit, out, err } = await startVerb(deny, [request.id], { home: kept.home, columns: 120 }).ended;
    expect({ exit, out, err }).toEqual({
      exit: 0,
      out: "denied: git push origin main — for test-client; the next identical call asks again\n",
      err: "",
    });
    expect(kept.late.read(request.id)).toBeNull();
    expect(auditOf(kept)).toMatchObject([
      { kind: "approval.answered", session: "cli", call: request.id, details: { decision: "deny" } },
    ]);
    expect((await startVerb(deny, [request.id], { home: kept.home }).ended).exit).toBe(3);
  });

  it("says that nobody reads its note", async () => {
    const kept = keptHome();
    const request = await kept.ends();
    const { exit, err } = await startVerb(deny, [request.id, "--note", "no"], { home: kept.home }).ended;
    expect(exit).toBe(0);
    expect(err).toBe("Nobody reads your note: no call waits for it.\n");
  });
});
