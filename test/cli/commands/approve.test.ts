import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { ensureSafeDirectory } from "../../../src/broker/files/safe-directory.js";
import { ownIdentity } from "../../../src/broker/identity/process.js";
import type { Answer } from "../../../src/broker/request/answer.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { type ApprovalRequest, requestFileName } from "../../../src/broker/request/request.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { deny } from "../../../src/cli/commands/deny.js";
import { fileByDeadServer, settleAnswers } from "../../support/answering.js";
import {
  answerTo,
  approvalDraft,
  approvalRequest,
  commandSubject,
  denialOf,
} from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { openAsker, openFace, ownServer, tempHome } from "../../support/temp-home.js";

type Overrides = Parameters<typeof approvalDraft>[0];

interface Filed {
  readonly home: Home;
  readonly request: ApprovalRequest;
  readonly channel: ReturnType<typeof openAsker>["channel"];
}

/** A request whose server takes answers as they come. */
function filed(overrides: Overrides = {}, longTexts: readonly string[] = []): Filed {
  const waiting = filedOnly(overrides, longTexts);
  settleAnswers(waiting.channel);
  return waiting;
}

/** A request whose server reads no answer. */
function filedOnly(overrides: Overrides = {}, longTexts: readonly string[] = []): Filed {
  const home = tempHome();
  const { channel } = openAsker(home);
  return { home, channel, request: channel.file(approvalDraft(overrides), longTexts) as ApprovalRequest };
}

function lineOf(line: string): Overrides {
  return { subject: commandSubject({ line, command: line, argv: null }) };
}

/** The answer that a verb has put into the slot, once it is there. */
async function answerIn(home: Home, request: ApprovalRequest): Promise<Answer> {
  const face = openFace(home);
  await expect.poll(() => face.slot(request.id).kind).toBe("answer");
  const slot = face.slot(request.id);
  if (slot.kind !== "answer") throw new Error("The answer is gone.");
  return slot.answer;
}

const isWaiting = (home: Home): boolean => openFace(home).pending().requests.length === 1;

describe("wisp approvals approve", () => {
  it("shows what runs, approves at once, and says for whom", async () => {
    const { home, request } = filed({ thread: "git", says: "so that CI can run" });
    const { terminal, ended } = startVerb(approve, [request.id.slice(0, 4)], { home });
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({
      exit: 0,
      out: "approved (once): git push origin main — for test-client, thread git\n",
    });
    expect(err).toContain("runs          git push origin main\n");
    expect(err).toContain("agent says    so that CI can run\n");
    expect(terminal.questions).toEqual([]);
    expect(openFace(home).receipt(request.id)).toMatchObject({
      decision: "approve",
      scope: "once",
      via: "cli",
    });
  });

  it("gives the scope and the note that were asked for", async () => {
    const { home, request } = filed({ scopes: ["once", "session"] });
    const words = [request.id, "--scope", "session", "--note", "go \u202eon"];
    const { out } = await startVerb(approve, words, { home }).ended;
    expect(out).toBe('approved (session): git push origin main — for test-client: "go \\u{202e}on"\n');
    expect(openFace(home).receipt(request.id)).toMatchObject({ scope: "session", note: "go \u202eon" });
  });

  it("says who it was that answered, as far as this process knows itself", async () => {
    const { home, request } = filedOnly();
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    await answerIn(home, request);
    expect(openFace(home).slot(request.id)).toMatchObject({
      answer: {
        binding: request.binding,
        via: "cli",
        by: { pid: process.pid, tty: "/dev/pts/7", version: "0.1.0" },
      },
    });
    terminal.interrupt();
    await ended;
  });

  it.each<[string, Overrides, readonly string[]]>([
    ["ten lines and one more run", lineOf("echo\n".repeat(10)), []],
    ["what runs is folded into more than ten lines", lineOf("x".repeat(10 * 66 + 1)), []],
    ["a character stands escaped", { says: "a\u200bb" }, []],
    ["the yes reaches beyond the session", { scopes: ["once", "project"] }, ["--scope", "project"]],
    ["the yes reaches everywhere", { scopes: ["once", "always"] }, ["--scope", "always"]],
  ])("asks for y when %s", async (_when, overrides, words) => {
    const { home, request } = filed(overrides);
    const no = startVerb(approve, [request.id, ...words], { home });
    no.terminal.type("n");
    expect((await no.ended).exit).toBe(7);
    expect(no.terminal.questions[0]).toMatch(/^Type y and Enter to approve/);
    expect(isWaiting(home)).toBe(true);
    const yes = startVerb(approve, [request.id, ...words], { home });
    yes.terminal.type("y");
    expect((await yes.ended).exit).toBe(0);
  });

  it("asks for y when the card was not shown on a terminal", async () => {
    const { home, request } = filed();
    const { terminal, ended } = startVerb(approve, [request.id], { home, isTerminal: false });
    terminal.type(null);
    expect((await ended).exit).toBe(7);
    expect(terminal.questions).toHaveLength(1);
    expect(isWaiting(home)).toBe(true);
  });

  it.each([lineOf("echo\n".repeat(9)), lineOf("x".repeat(10 * 66))])(
    "asks nothing when what runs fits ten lines",
    async (overrides) => {
      const { home, request } = filed(overrides);
      const { terminal, ended } = startVerb(approve, [request.id], { home });
      expect((await ended).exit).toBe(0);
      expect(terminal.questions).toEqual([]);
    },
  );

  it.each(["", "n", "yes", "Y", "y y", "main", null])("takes %j for no yes", async (typed) => {
    const { home, request } = filed(lineOf("echo\n".repeat(20)));
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    terminal.type(typed);
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 7, out: "" });
    expect(err).toContain(`Not approved: ${request.id} still waits.`);
    expect(openFace(home).slot(request.id).kind).toBe("free");
    const second = startVerb(approve, [request.id], { home });
    second.terminal.type(" y ");
    expect((await second.ended).exit).toBe(0);
  });

  it("takes only the word of the action when it is dangerous", async () => {
    const { home, request } = filed({ level: "dangerous" });
    for (const wrong of ["y", "Main", "push", ""]) {
      const { terminal, ended } = startVerb(approve, [request.id], { home });
      terminal.type(wrong);
      expect((await ended).exit).toBe(7);
      expect(terminal.questions[0]).toContain('Type "main" and Enter to approve (once)');
    }
    expect(isWaiting(home)).toBe(true);
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    terminal.type("main");
    expect((await ended).exit).toBe(0);
  });

  it("takes the word from --confirm as well, and answers nothing when it is wrong", async () => {
    const { home, request } = filed({ level: "dangerous" });
    const wrong = startVerb(approve, [request.id, "--confirm", "origin"], { home });
    expect((await wrong.ended).exit).toBe(7);
    expect(wrong.terminal.questions).toEqual([]);
    expect(isWaiting(home)).toBe(true);
    const right = startVerb(approve, [request.id, "--confirm", "main"], { home });
    expect((await right.ended).exit).toBe(0);
    expect(right.terminal.questions).toEqual([]);
  });

  it("a wrong word answers nothing at any level", async () => {
    const { home, request } = filed();
    expect((await startVerb(approve, [request.id, "--confirm", "no"], { home }).ended).exit).toBe(7);
    expect((await startVerb(approve, [request.id, "--confirm", "main"], { home }).ended).exit).toBe(0);
  });

  it("ends with 130 at Ctrl-C in the question, and answers nothing", async () => {
    const { home, request } = filed({ level: "dangerous" });
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    terminal.interrupt();
    const { exit, err } = await ended;
    expect(exit).toBe(130);
    expect(err).toContain(`Not answered: ${request.id} still waits.`);
    expect(isWaiting(home)).toBe(true);
  });

  it("takes the question away when the request ends while it stands there", async () => {
    const { home, request } = filed({ level: "dangerous" });
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    await expect.poll(() => terminal.questions.length).toBe(1);
    openFace(home).answer(denialOf(request, "not today"));
    const { exit, err } = await ended;
    expect(exit).toBe(5);
    expect(err).toContain('denied in wisp approvals: "not today"');
  });

  it("ends with 3 when the file is removed while the question stands there", async () => {
    const { home, request } = filedOnly({ level: "dangerous" });
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    await expect.poll(() => terminal.questions.length).toBe(1);
    unlinkSync(join(home.pending, requestFileName(request)));
    expect((await ended).exit).toBe(3);
  });
});

describe("what is not approved", () => {
  it.each([approve, deny])("anything, without a terminal as input", async (verb) => {
    const { home, request } = filed();
    const { exit, out, err } = await startVerb(verb, [request.id], { home, canAnswer: false }).ended;
    expect({ exit, out }).toEqual({ exit: 4, out: "" });
    const name = verb === approve ? "approve" : "deny";
    expect(err).toContain(
      `  Open a terminal and run: WISP_HOME=${home.path} wisp approvals ${name} -- ${request.id}\n`,
    );
    expect(openFace(home).slot(request.id).kind).toBe("free");
    expect((await startVerb(verb, [request.id], { home }).ended).exit).toBe(0);
  });

  it.each<[readonly string[], RegExp]>([
    [["--scope", "always"], /does not offer the scope always/],
    [["--scope", "forever"], /no scope forever/],
    [["--note", "x".repeat(4_097)], /note is over 4096 characters/],
    [["--note", "a\ud800"], /note cannot be sent: lone surrogate/],
    [["--yes"], /no flag --yes/],
  ])("a request with %j", async (words, message) => {
    const { home, request } = filed();
    const { exit, err } = await startVerb(approve, [request.id, ...words], { home }).ended;
    expect(exit).toBe(2);
    expect(err).toMatch(message);
    expect(isWaiting(home)).toBe(true);
    expect((await startVerb(approve, [request.id], { home }).ended).exit).toBe(0);
  });

  it.each([
    [factDraft(), "wisp facts keep|drop"],
    [questionDraft(), "wisp questions answer|decline"],
  ])("another kind, whose command is named", async (draft, command) => {
    const home = tempHome();
    const request = openAsker(home).channel.file(draft, []);
    for (const verb of [approve, deny]) {
      const { exit, err } = await startVerb(verb, [request.id], { home }).ended;
      expect(exit).toBe(2);
      expect(err).toContain(`${request.id} is a ${request.kind}, not an approval.`);
      expect(err).toContain(`${command} ${request.id}`);
    }
    expect(isWaiting(home)).toBe(true);
  });

  it("a request that was changed after it was filed", async () => {
    const { home, request } = filed();
    const file = join(home.pending, requestFileName(request));
    const original = readFileSync(file, "utf8");
    writeFileSync(file, original.replaceAll("git push", "git evil"));
    for (const verb of [approve, deny]) {
      const { exit, err } = await startVerb(verb, [request.id], { home }).ended;
      expect(exit).toBe(6);
      expect(err).toContain("the request was changed after it was filed");
    }
    expect(openFace(home).slot(request.id).kind).toBe("free");
    writeFileSync(file, original);
    expect((await startVerb(approve, [request.id], { home }).ended).exit).toBe(0);
  });

  it("a request whose long text is missing, which can still be denied", async () => {
    const long = `echo ${"x".repeat(20_000)}`;
    const subject = commandSubject({ line: shortened(long), command: shortened(long), argv: null });
    const { home, request } = filed({ subject }, [long]);
    unlinkSync(join(home.spool, sha256Hex(long)));
    const { exit, err } = await startVerb(approve, [request.id], { home }).ended;
    expect(exit).toBe(6);
    expect(err).toContain("the whole text of what runs is missing");
    expect((await startVerb(deny, [request.id], { home }).ended).exit).toBe(0);
  });

  it("a request that takes only signed answers, which can still be denied", async () => {
    const { home, request } = filed({ assurance: "signed" });
    const { exit, err } = await startVerb(approve, [request.id], { home }).ended;
    expect(exit).toBe(10);
    expect(err).toContain("takes only an answer that is signed");
    expect(isWaiting(home)).toBe(true);
    expect((await startVerb(deny, [request.id], { home }).ended).exit).toBe(0);
  });

  it("a request whose server is gone", async () => {
    const home = tempHome();
    const request = fileByDeadServer(home);
    const { exit, err } = await startVerb(approve, [request.id], { home }).ended;
    expect(exit).toBe(9);
    expect(err).toContain(`The server that asked ${request.id} is gone`);
  });

  it("a request that had ended, and how is said", async () => {
    const { home, request } = filed();
    expect((await startVerb(deny, [request.id, "--note", "no"], { home }).ended).exit).toBe(0);
    const { exit, out, err } = await startVerb(approve, [request.id], { home }).ended;
    expect({ exit, out }).toEqual({ exit: 5, out: "" });
    expect(err).toContain(`${request.id} has ended already; your answer was not used.`);
    expect(err).toContain('denied in wisp approvals: "no" (unverified)');
  });
});

describe("an answer and its ending", () => {
  it("deny answers at once, whatever the level, and carries the note", async () => {
    const { home, request } = filed({ level: "dangerous", thread: "git" });
    const { terminal, ended } = startVerb(deny, [request.id, "--note", "use a branch"], { home });
    expect(await ended).toEqual({
      exit: 0,
      out: 'denied: git push origin main — for test-client, thread git: "use a branch"\n',
      err: "",
    });
    expect(terminal.questions).toEqual([]);
    expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "deny", note: "use a branch" });
  });

  it("somebody was first: says who, and what they said", async () => {
    const { home, request } = filedOnly();
    openFace(home).answer(
      answerTo(request, { via: "tui", by: { pid: 77, startedAt: "1", tty: "/dev/pts/2", version: "1" } }),
    );
    const { exit, out, err } = await startVerb(deny, [request.id], { home }).ended;
    expect({ exit, out }).toEqual({ exit: 5, out: "" });
    expect(err).toContain("It is approved, once, in wisp-tui on /dev/pts/2 (process 77).");
  });

  it("says that the server is silent, stays, and says at Ctrl-C that it was not read", async () => {
    const { home, request } = filedOnly();
    const clock = new FakeClock();
    const { terminal, ended } = startVerb(approve, [request.id], { home, clock });
    await answerIn(home, request);
    expect(terminal.said()).not.toContain("waiting for the server");
    clock.advance(3_000);
    expect(terminal.said()).toContain("waiting for the server");
    terminal.interrupt();
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 130, out: "" });
    expect(err).toContain("Not read yet");
    expect(openFace(home).slot(request.id).kind).toBe("answer");
  });

  it("the server took it and could not act on it: nothing ran, and that is said", async () => {
    const { home, request, channel } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    const answer = await answerIn(home, request);
    channel.settle(request.id, {
      outcome: "failed",
      taken: { answer, hash: answerHash(answer) },
      ran: false,
    });
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 8, out: "" });
    expect(err).toContain("was first, but nothing ran");
  });

  it("the server died before it read it: nothing ran, and that is said", async () => {
    const { home } = filedOnly();
    const request = plantDeadServersRequest(home);
    const clock = new FakeClock();
    const { ended } = startVerb(approve, [request.id], { home, clock });
    await answerIn(home, request);
    plantDeadServersRecord(home, request);
    clock.advance(1_000);
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 9, out: "" });
    expect(err).toContain("it was approved, but its server died and nothing ran (unverified)");
  });

  it("a receipt that its server cannot have written is called unverified", async () => {
    const { home, request } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    const answer = await answerIn(home, request);
    const other = filedOnly();
    const proof = other.channel.settle(other.request.id, { outcome: "answered", taken: null, ran: null });
    const { decision, scope, via } = answer;
    const forged = { ...proof, id: request.id, decision, scope, via, answer: answerHash(answer) };
    ensureSafeDirectory(home.settled);
    writeFileSync(join(home.settled, `${request.id}.json`), JSON.stringify(forged), { mode: 0o600 });
    // As long as the request lies there such a receipt counts for nothing.
    unlinkSync(join(home.pending, `${request.id}.request.json`));
    const { exit, out } = await ended;
    expect(exit).toBe(0);
    expect(out).toContain("approved (once, unverified): ");
  });

  it("an answer that the server did not take: more is needed, and the request still waits", async () => {
    const { home, request } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    await answerIn(home, request);
    unlinkSync(join(home.pending, `${request.id}.answer.json`));
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 10, out: "" });
    expect(err).toContain("did not take your answer");
    expect(isWaiting(home)).toBe(true);
  });

  it("everything of the request is gone, and nothing says how it ended", async () => {
    const { home, request } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    await answerIn(home, request);
    unlinkSync(join(home.pending, requestFileName(request)));
    unlinkSync(join(home.pending, `${request.id}.answer.json`));
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 3, out: "" });
    expect(err).toContain("nothing says how it ended");
  });

  it("an answer that was not taken because the request on disk is another one now", async () => {
    const { home, request } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    await answerIn(home, request);
    const file = join(home.pending, requestFileName(request));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("git push", "git evil"));
    unlinkSync(join(home.pending, `${request.id}.answer.json`));
    const { exit, err } = await ended;
    expect(exit).toBe(6);
    expect(err).toContain("was changed after it was filed");
  });

  it("of four faces that answer at once exactly one ends with success", async () => {
    const { home, request } = filed();
    const faces = [approve, deny, approve, deny].map((verb) => startVerb(verb, [request.id], { home }).ended);
    const exitsOf = (await Promise.all(faces)).map(({ exit }) => exit).sort();
    expect(exitsOf).toEqual([0, 5, 5, 5]);
  });
});

/** A request of a server that has this process's number and started at another time: it is gone. */
function plantDeadServersRequest(home: Home): ApprovalRequest {
  const server = { ...ownServer, startedAt: "1", instance: "z".repeat(16) };
  const request = approvalRequest({}, { createdAt: systemClock.now(), server });
  writeFileSync(join(home.pending, `${request.id}.request.json`), JSON.stringify(request), { mode: 0o600 });
  return request;
}

/** Until its record says in which namespace its number counts, only silence could tell that it is gone. */
function plantDeadServersRecord(home: Home, { server }: ApprovalRequest): void {
  const { namespace } = ownIdentity();
  const record = { v: 1, ...server, namespace, parent: null, client: null, home: home.path, waiting: [] };
  writeFileSync(join(home.servers, `${server.instance}.json`), JSON.stringify(record), { mode: 0o600 });
}
