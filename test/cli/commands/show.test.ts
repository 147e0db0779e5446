import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { pending } from "../../../src/cli/commands/pending.js";
import { show } from "../../../src/cli/commands/show.js";
import { fileByDeadServer } from "../../support/answering.js";
import { answerTo, approvalDraft, commandSubject } from "../../support/builders.js";
import type { FakeTerminalOptions } from "../../support/fake-terminal.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { madeHome, openAsker, openFace, tempHome } from "../../support/temp-home.js";

const piped = { canAnswer: false, isTerminal: false };
const long = `echo ${"x".repeat(20_000)} end`;

describe("wisp approvals show", () => {
  it("shows all of one request on standard output, by a prefix of its id", async () => {
    const home = tempHome();
    const request = openAsker(home).channel.file(approvalDraft({ says: "why" }), []);
    const { exit, out, err } = await startVerb(show, [request.id.slice(0, 4)], { home, ...piped }).ended;
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain(`request       ${request.id} (approval)\nruns          git push origin main\n`);
    expect(out).toContain("agent says    why\n");
    expect(out).toContain(`home          ${home.path}\n`);
  });

  it("says what an answer from here would count as, of every kind", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft({ assurance: "terminal" }), []);
    const fact = channel.file(factDraft(), []);
    const rowsOf = async (id: string, options: FakeTerminalOptions): Promise<readonly string[]> => {
      const { out } = await startVerb(show, [id], { home, columns: 200, ...options }).ended;
      return out.split("\n").filter((row) => /^(assurance|from here) /.test(row));
    };
    const takes = "assurance     terminal or better";
    expect(await rowsOf(request.id, {})).toEqual([
      takes,
      expect.stringMatching(/^from here {5}terminal; less from/),
    ]);
    expect(await rowsOf(request.id, { isControlling: false })).toEqual([
      takes,
      expect.stringMatching(/^from here {5}file, not enough: standard input is not/),
    ]);
    expect(await rowsOf(request.id, piped)).toEqual([
      takes,
      "from here     no answer: standard input is no terminal",
    ]);
    expect(await rowsOf(fact.id, {})).toEqual([expect.stringMatching(/^from here {5}terminal; less from/)]);
    expect(await rowsOf(fact.id, { isControlling: false })).toEqual([
      expect.stringMatching(/^from here {5}file, not enough/),
    ]);
  });

  it("says of a request whose agent stopped waiting what a yes does now, until the agent is back", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const attention =
      "attention     the agent stopped waiting; a yes now is kept for its next identical call (5 min unless configured otherwise)\n";
    const shown = async () => (await startVerb(show, [request.id], { home, columns: 200 }).ended).out;
    const isDetached = async () =>
      JSON.parse((await startVerb(show, [request.id, "--json"], { home }).ended).out).detached;
    channel.detached(request.id, true);
    expect(await shown()).toContain(attention);
    expect(await isDetached()).toBe(true);
    channel.detached(request.id, false);
    expect(await shown()).not.toContain("attention");
    expect(await isDetached()).toBe(false);
    const question = channel.file(questionDraft(), []);
    channel.detached(question.id, true);
    expect((await startVerb(show, [question.id], { home, columns: 200 }).ended).out).toContain(
      "attention     the agent went on; your answer is kept for it (10 min unless configured otherwise)\n",
    );
    for (const [keepSeconds, said] of [
      [0, "no answer is kept: yours counts only if it asks again before"],
      [90, "your answer is kept for it (10 min unless configured otherwise)"],
    ] as const) {
      const config = JSON.stringify({ questions: { keepSeconds } });
      writeFileSync(join(home.path, "config.json"), config, { mode: 0o600 });
      const { out } = await startVerb(show, [question.id], { home, columns: 200 }).ended;
      expect(out).toContain(`attention     the agent went on; ${said}\n`);
      const { err } = await startVerb(pending, [], { home, columns: 200 }).ended;
      expect(err).toContain(`1 question has an agent that went on; ${said}: ${question.id}\n`);
    }
  });

  it("gives the request as filed, less what only its server and its answers need", async () => {
    const home = tempHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    const { exit, out } = await startVerb(show, [request.id, "--json"], { home, ...piped }).ended;
    const { nonce: _nonce, receiptCommit: _commit, binding: _binding, ...published } = request;
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      schemaVersion: 1,
      request: published,
      answerable: true,
      detached: false,
    });
    expect(JSON.parse(out).request).not.toHaveProperty("nonce");
  });

  it("says that an answer lies there which the server has not read, and nothing of junk", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const slot = join(home.pending, `${request.id}.answer.json`);
    writeFileSync(slot, "junk", { mode: 0o600 });
    expect((await startVerb(show, [request.id], { home }).ended).err).toBe("");
    unlinkSync(slot);
    openFace(home).answer(answerTo(request));
    const { exit, err } = await startVerb(show, [request.id], { home }).ended;
    expect(exit).toBe(0);
    expect(err).toMatch(/^Answered, not read yet by its server: approved, once, in wisp approvals .*\.\n$/);
  });

  it("shows other kinds as well", async () => {
    const home = tempHome();
    const fact = openAsker(home).channel.file(factDraft(), []);
    const { exit, out } = await startVerb(show, [fact.id], { home, ...piped }).ended;
    expect(exit).toBe(0);
    expect(out).toContain("value         npm test\n");
  });

  it("shows the whole of a long text from the spool", async () => {
    const home = tempHome();
    const subject = commandSubject({ line: shortened(long), command: shortened(long), argv: null });
    const request = openAsker(home).channel.file(approvalDraft({ subject }), [long]);
    const { out } = await startVerb(show, [request.id], { home, ...piped }).ended;
    expect(out).toContain(`runs          ${long}\n`);
  });

  it.each<[string, (path: string) => void]>([
    ["is missing", (path) => unlinkSync(path)],
    ["is another text", (path) => writeFileSync(path, long.replace("end", "EVI"))],
  ])("says that a request whose long text %s cannot be approved", async (_what, spoil) => {
    const home = tempHome();
    const subject = commandSubject({ line: shortened(long), command: shortened(long), argv: null });
    const request = openAsker(home).channel.file(approvalDraft({ subject }), [long]);
    spoil(join(home.spool, sha256Hex(long)));
    const json = await startVerb(show, [request.id, "--json"], { home, ...piped }).ended;
    expect(JSON.parse(json.out)).toMatchObject({
      answerable: false,
      reason: "the whole text of what runs is missing",
    });
    const text = await startVerb(show, [request.id], { home, ...piped }).ended;
    expect(text.out).toContain("its whole text is missing");
    expect(text.err).toBe("It cannot be approved: the whole text of what runs is missing.\n");
  });

  it("says that a request that was changed after it was filed cannot be approved", async () => {
    const home = tempHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    const file = join(home.pending, requestFileName(request));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("origin main", "evil main"));
    const { exit, out } = await startVerb(show, [request.id, "--json"], { home, ...piped }).ended;
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      answerable: false,
      reason: "the request was changed after it was filed",
    });
  });

  it("warns when something writes answers to the request", async () => {
    const home = madeHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    for (let n = 1; n <= 5; n += 1) writeFileSync(join(home.rejected, `${request.id}.${n}.json`), "junk");
    writeFileSync(join(home.rejected, "otherone.1.json"), "junk");
    const { out } = await startVerb(show, [request.id], { home, ...piped }).ended;
    expect(out).toContain("something is writing answers: 5 to this request were not taken");
  });
});

describe("the id that is typed", () => {
  it("may be a prefix, as long as it fits one request", async () => {
    const home = madeHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const filed = readFileSync(join(home.pending, requestFileName(request)), "utf8");
    // A second id with the same beginning: bound to the first one, but listed.
    const other = `${request.id.slice(0, 5)}zzz`;
    writeFileSync(join(home.pending, `${other}.request.json`), filed.replace(request.id, other), {
      mode: 0o600,
    });
    const ambiguous = await startVerb(show, [request.id.slice(0, 4)], { home, ...piped }).ended;
    expect(ambiguous.exit).toBe(2);
    expect(ambiguous.err).toContain(request.id);
    expect(ambiguous.err).toContain(other);
    expect((await startVerb(show, [request.id], { home, ...piped }).ended).exit).toBe(0);
    const longer = `${request.id}zzz`;
    writeFileSync(join(home.pending, `${longer}.request.json`), filed.replace(request.id, longer), {
      mode: 0o600,
    });
    const whole = await startVerb(show, [request.id], { home, ...piped }).ended;
    expect(whole.exit).toBe(0);
    expect(whole.out).toContain(`request       ${request.id} (approval)`);
  });

  it.each(["abc", "", "../../x", "K7Q2MX9D", "a".repeat(33), "k7q2\u001b[2J"])(
    "is refused when it can be none: %j",
    async (typed) => {
      const home = tempHome();
      const request = openAsker(home).channel.file(approvalDraft(), []);
      const { exit, out, err } = await startVerb(show, ["--", typed], { home, ...piped }).ended;
      expect({ exit, out }).toEqual({ exit: 2, out: "" });
      expect(err).toMatch(typed === "" ? /missing/ : new RegExp(`Waiting: ${request.id}`));
      expect(err).not.toContain("\u001b");
      expect((await startVerb(show, [request.id], { home, ...piped }).ended).exit).toBe(0);
    },
  );

  it("is unknown when nothing of the name was ever filed", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const { exit, err } = await startVerb(show, ["zzzzzzzz"], { home, ...piped }).ended;
    expect(exit).toBe(3);
    expect(err).toContain("No request zzzzzzzz waits.");
    expect((await startVerb(show, ["zzzz"], { home: tempHome(), ...piped }).ended).exit).toBe(3);
  });

  it("says what lies there instead of a request", async () => {
    const home = madeHome();
    openAsker(home).channel.file(approvalDraft(), []);
    writeFileSync(join(home.pending, "junkjunk.request.json"), '{"a":1,"a":2}', { mode: 0o600 });
    const { exit, err } = await startVerb(show, ["junk"], { home, ...piped }).ended;
    expect(exit).toBe(3);
    expect(err).toContain("junkjunk.request.json is not a request");
    expect(err).toContain("duplicate key");
  });

  it("is settled when a receipt says how it ended", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    channel.settle(request.id, { outcome: "timed_out", taken: null, ran: false });
    const { exit, out, err } = await startVerb(show, [request.id.slice(0, 6)], { home, ...piped }).ended;
    expect({ exit, out, err }).toEqual({
      exit: 5,
      out: "",
      err: [
        `wisp: ${request.id} has ended already.`,
        "  It ended 0 s after it was asked: timed out: nobody answered in time (unverified: its request is gone, so nothing can prove this).",
        `  See what waits: WISP_HOME=${home.path} wisp approvals pending`,
        "",
      ].join("\n"),
    });
  });

  it("is stale when its server has died", async () => {
    const home = tempHome();
    const request = fileByDeadServer(home);
    const { exit, err } = await startVerb(show, [request.id], { home, ...piped }).ended;
    expect(exit).toBe(9);
    expect(err).toContain("its server is gone");
  });

  it("names what a newer wisp filed, and cannot show it", async () => {
    const home = madeHome();
    openAsker(home).channel.file(approvalDraft(), []);
    writeFileSync(join(home.pending, "newernew.request.json"), '{"v":2,"id":"newernew"}', { mode: 0o600 });
    const { exit, out, err } = await startVerb(show, ["newer"], { home, ...piped }).ended;
    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    expect(err).toContain("newernew was filed by a newer wisp");
  });
});
