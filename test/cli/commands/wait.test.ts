import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { ensureSafeDirectory } from "../../../src/broker/files/safe-directory.js";
import type { ServerDecision } from "../../../src/broker/request/answer.js";
import { type Request, requestFileName } from "../../../src/broker/request/request.js";
import { wait } from "../../../src/cli/commands/wait.js";
import { fileByDeadServer, settleAnswers } from "../../support/answering.js";
import { answerTo, approvalDraft, denialOf } from "../../support/builders.js";
import { startVerb } from "../../support/run-verb.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

/** A yes that anybody could have written: well formed and without a proof. */
function plantYes(home: Home, request: Request): void {
  const yes = {
    ...{ v: 1, id: request.id, kind: request.kind, outcome: "answered", via: "cli", decision: "approve" },
    ...{ scope: "once", note: null, answer: null, verified: null, at: 0, seconds: 1, ran: null },
    ...{ reveal: null, mac: null },
  };
  ensureSafeDirectory(home.settled);
  writeFileSync(join(home.settled, `${request.id}.json`), JSON.stringify(yes), { mode: 0o600 });
}

const piped = { canAnswer: false, isTerminal: false };

describe("wisp approvals wait", () => {
  it("prints the receipt when the request ends, and answers nothing itself", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    settleAnswers(channel);
    const { ended } = startVerb(wait, [request.id, "--json"], { home, ...piped });
    const face = openFace(home);
    expect(face.slot(request.id)).toEqual({ kind: "free" });
    face.answer(answerTo(request));
    const { exit, out, err } = await ended;
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(JSON.parse(out)).toEqual(face.receipt(request.id));
    expect(JSON.parse(out)).toMatchObject({ id: request.id, outcome: "answered", decision: "approve" });
  });

  it("ends with 7 for a no, and gives the words that came with it", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    settleAnswers(channel);
    const { ended } = startVerb(wait, [request.id], { home, ...piped });
    openFace(home).answer(denialOf(request, "use --force-with-lease"));
    expect(await ended).toEqual({
      exit: 7,
      out: `${request.id}: denied (terminal) in wisp approvals: "use --force-with-lease"\n`,
      err: "",
    });
  });

  it.each<[ServerDecision, number]>([
    ["timed_out", 7],
    ["abandoned", 7],
    ["withdrawn", 9],
    ["failed", 8],
  ])("ends a request that %s with %d", async (decision, exit) => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const { ended } = startVerb(wait, [request.id, "--json"], { home, ...piped });
    const taken = channel.withdraw(request.id, decision, null);
    channel.settle(request.id, { outcome: decision, taken, ran: false });
    const ran = await ended;
    expect(ran.exit).toBe(exit);
    expect(JSON.parse(ran.out).outcome).toBe(decision);
  });

  it("tells at once how a request ended that had ended before, with the same exit", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const taken = channel.withdraw(request.id, "timed_out", null);
    channel.settle(request.id, { outcome: "timed_out", taken, ran: false });
    const { exit, out } = await startVerb(wait, [request.id], { home, ...piped }).ended;
    expect(exit).toBe(7);
    expect(out).toBe(
      `${request.id}: timed out: nobody answered in time (unverified: its request is gone, so nothing can prove this)\n`,
    );
  });

  it("ends with 9 when the server had died", async () => {
    const home = tempHome();
    const request = fileByDeadServer(home);
    const { exit, out } = await startVerb(wait, [request.id, "--json"], { home, ...piped }).ended;
    expect(exit).toBe(9);
    expect(JSON.parse(out)).toMatchObject({ outcome: "stale", ran: false, reveal: null });
  });

  it("takes no yes that the server did not prove: ends with 9, and says unverified also beside JSON", async () => {
    for (const words of [[], ["--json"]]) {
      const home = tempHome();
      const request = openAsker(home).channel.file(approvalDraft(), []);
      const { ended } = startVerb(wait, [request.id, ...words], { home, ...piped });
      plantYes(home, request);
      unlinkSync(join(home.pending, requestFileName(request)));
      const { exit, out, err } = await ended;
      expect(exit).toBe(9);
      expect(out + err).toContain("unverified: the server that asked did not write this");
    }
  });

  it("says of an end that was only looked up that nothing can prove it, also beside JSON", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    plantYes(home, request);
    unlinkSync(join(home.pending, requestFileName(request)));
    const { exit, err } = await startVerb(wait, [request.id, "--json"], { home, ...piped }).ended;
    expect(exit).toBe(0);
    expect(err).toBe(`wisp: ${request.id} is unverified: its request is gone, so nothing can prove this\n`);
  });

  it("does not wait for a request that was changed: its receipt would prove nothing", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const file = join(home.pending, requestFileName(request));
    const original = readFileSync(file, "utf8");
    writeFileSync(file, original.replace(request.receiptCommit, "0".repeat(64)));
    const { exit, out, err } = await startVerb(wait, [request.id], { home, ...piped }).ended;
    expect({ exit, out }).toEqual({ exit: 6, out: "" });
    expect(err).toContain("Not waited for: the request was changed after it was filed");
    writeFileSync(file, original);
    settleAnswers(channel);
    const { ended } = startVerb(wait, [request.id], { home, ...piped });
    openFace(home).answer(answerTo(request));
    expect((await ended).exit).toBe(0);
  });

  it("says on a terminal that it waits, and nothing elsewhere", async () => {
    for (const isTerminal of [true, false]) {
      const home = tempHome();
      const request = openAsker(home).channel.file(approvalDraft(), []);
      const { terminal, ended } = startVerb(wait, [request.id], { home, canAnswer: false, isTerminal });
      const line = `waiting until ${request.id} has ended; Ctrl-C stops waiting and answers nothing\n`;
      expect(terminal.said()).toBe(isTerminal ? line : "");
      terminal.interrupt();
      await ended;
    }
  });

  it("ends with 130 at Ctrl-C, and the request still waits", async () => {
    const home = tempHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    const { terminal, ended } = startVerb(wait, [request.id], { home, ...piped });
    terminal.interrupt();
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 130, out: "" });
    expect(err).toContain(`${request.id} still waits.`);
    expect(openFace(home).pending().requests).toHaveLength(1);
  });

  it("ends with 3 when the request's file was removed and nothing says how it ended", async () => {
    const home = tempHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    const { ended } = startVerb(wait, [request.id], { home, ...piped });
    unlinkSync(join(home.pending, requestFileName(request)));
    expect((await ended).exit).toBe(3);
  });

  it("says which characters an id takes when what was typed has others", async () => {
    for (const typed of ["8ZRE5XX7", "../../etc", "ab"]) {
      const { exit, err } = await startVerb(wait, [typed], { home: tempHome(), ...piped }).ended;
      expect(exit).toBe(2);
      expect(err).toContain(" is no id: it takes four or more of its lower-case letters and digits.");
    }
  });

  it("knows nothing of an id that was never filed", async () => {
    expect((await startVerb(wait, ["zzzzzzzz"], { home: tempHome(), ...piped }).ended).exit).toBe(3);
  });
});
