import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blindWitness } from "../../../src/broker/identity/witness.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { commandSubject, denialOf, twoOffers } from "../../support/builders.js";
import { answerIn, filed, filedOnly, isWaiting, lineOf, long, type Overrides } from "../../support/filed.js";
import { startVerb } from "../../support/run-verb.js";
import { openFace } from "../../support/temp-home.js";

const wide: Overrides = { scopes: ["once", "project", "always"], remember: twoOffers() };

describe("wisp approvals approve", () => {
  it("shows what runs, approves at once, and says for whom", async () => {
    const { home, request } = filed({ thread: "git", says: "so that CI can run" });
    const { terminal, ended } = startVerb(approve, [request.id.slice(0, 4)], { home });
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({
      exit: 0,
      out: "approved (once, terminal): git push origin main — for test-client, thread git\n",
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
    const { out } = await startVerb(approve, words, { home, columns: 120 }).ended;
    expect(out).toBe(
      'approved (session, terminal): git push origin main — for test-client: "go \\u{202e}on"\n',
    );
    expect(openFace(home).receipt(request.id)).toMatchObject({ scope: "session", note: "go \u202eon" });
  });

  it("says before a yes for the session in full what it covers, and takes it at once", async () => {
    const { home, request } = filed({
      scopes: ["once", "session"],
      subject: commandSubject({ pattern: "git push origin main" }),
    });
    const { terminal, ended } = startVerb(approve, [request.id, "--scope=session"], { home, columns: 200 });
    const { exit, out, err } = await ended;
    expect([exit, out]).toEqual([
      0,
      "approved (session, terminal): git push origin main — for test-client\n",
    ]);
    expect(err).toContain("runs          git push origin main\nin            /home/p/api\n");
    expect(err).toContain(
      "session       exactly this line in this directory,\n              until 2 h without use, 12 h at most,\n              only for this connection of test-client\n",
    );
    expect(terminal.questions).toEqual([]);
  });

  it("says of a yes that its server takes from within a client's own processes that it came from there", async () => {
    const verified = { terminal: true, ancestry: false, signed: null };
    const { home, request } = filed({}, [], () => ({ verified, seen: {}, shortfall: null }));
    const { exit, out } = await startVerb(approve, [request.id], { home }).ended;
    expect(exit).toBe(0);
    expect(out).toContain("approved (once, terminal, from within a client's own processes): git push");
  });

  it("says of a yes at whose process nobody looked that it is no more than a file", async () => {
    const { home, request } = filed({}, [], blindWitness);
    expect((await startVerb(approve, [request.id], { home }).ended).out).toContain(
      "approved (once, file, its process not seen): ",
    );
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
    ["the screen has no room for all that is said of it", { says: "x\n".repeat(16) }, []],
    ["the yes reaches beyond the session", wide, ["--scope", "project"]],
    ["the yes reaches everywhere", wide, ["--scope", "always"]],
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

  it.each([lineOf("echo\n".repeat(9)), lineOf("x".repeat(10 * 66))])(
    "asks nothing when what runs fits ten lines",
    async (overrides) => {
      const { home, request } = filed(overrides);
      const { terminal, ended } = startVerb(approve, [request.id], { home });
      expect((await ended).exit).toBe(0);
      expect(terminal.questions).toEqual([]);
    },
  );

  it.each(["", "n", "yes", "y y", "main", null])("takes %j for no yes", async (typed) => {
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

  it.each(["y", "Y", " y "])("takes %j for a yes where no word is needed", async (typed) => {
    const { home, request } = filed(lineOf("echo\n".repeat(20)));
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    terminal.type(typed);
    expect((await ended).exit).toBe(0);
  });

  it("a refusal names the word as the question does", async () => {
    const { home, request } = filed({ level: "dangerous", ...lineOf('rm -rf "$f"') });
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    terminal.type("no");
    const { err } = await ended;
    expect(terminal.questions[0]).toContain('Type "$f" and Enter');
    expect(err).toContain('  To approve it, type "$f".\n');
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
    const { exit, err } = await wrong.ended;
    expect(exit).toBe(7);
    expect(err).toContain('To approve it, type "main".');
    expect(wrong.terminal.questions).toEqual([]);
    expect(isWaiting(home)).toBe(true);
    const right = startVerb(approve, [request.id, "--confirm", "main"], { home });
    expect((await right.ended).exit).toBe(0);
    expect(right.terminal.questions).toEqual([]);
  });

  it("a wrong word answers nothing at any level", async () => {
    const { home, request } = filed();
    const { exit, err } = await startVerb(approve, [request.id, "--confirm", "no"], { home }).ended;
    expect(exit).toBe(7);
    expect(err).toContain('It needs no --confirm: leave it out, or name "main".');
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
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    openFace(home).answer(denialOf(request, "not today"));
    const { exit, err } = await ended;
    expect(exit).toBe(5);
    expect(err).toContain(`\nwisp: ${request.id} has ended already.\n`);
    expect(err).toContain('denied (terminal) in wisp approvals: "not today"');
  });

  it("ends with 3 when the file is removed while the question stands there", async () => {
    const { home, request } = filedOnly({ level: "dangerous" });
    const { terminal, ended } = startVerb(approve, [request.id], { home });
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    unlinkSync(join(home.pending, requestFileName(request)));
    expect((await ended).exit).toBe(3);
  });
});
