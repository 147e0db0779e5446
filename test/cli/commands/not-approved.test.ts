import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { deny } from "../../../src/cli/commands/deny.js";
import { fileByDeadServer } from "../../support/answering.js";
import { commandSubject } from "../../support/builders.js";
import { filed, isWaiting } from "../../support/filed.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

describe("what is not approved", () => {
  it.each([approve, deny])("anything, without a terminal as input", async (verb) => {
    const { home, request } = filed();
    const { exit, out, err } = await startVerb(verb, [request.id], { home, canAnswer: false }).ended;
    expect({ exit, out }).toEqual({ exit: 4, out: "" });
    const name = verb === approve ? "approve" : "deny";
    expect(err).toContain(
      `  Open a terminal and run: WISP_HOME=${home.path} wisp approvals ${name} ${request.id}\n`,
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
    [factDraft(), "wisp facts keep", "wisp facts drop"],
    [questionDraft(), "wisp questions answer", "wisp questions decline"],
  ])("another kind, whose command is named", async (draft, yes, no) => {
    const home = tempHome();
    const request = openAsker(home).channel.file(draft, []);
    for (const verb of [approve, deny]) {
      const { exit, err } = await startVerb(verb, [request.id], { home }).ended;
      expect(exit).toBe(2);
      expect(err).toContain(`${request.id} is a ${request.kind}, not an approval.`);
      const right = verb === approve ? yes : no;
      expect(err).toContain(`\n  WISP_HOME=${home.path} ${right} ${request.id}\n`);
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
    expect(err).toBe(
      [
        `wisp: ${request.id} has ended already; your answer was not used.`,
        '  It ended 0 s after it was asked: denied (terminal) in wisp approvals: "no" (unverified: its request is gone, so nothing can prove this).',
        `  See what waits: WISP_HOME=${home.path} wisp approvals pending`,
        "",
      ].join("\n"),
    );
  });
});
