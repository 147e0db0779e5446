import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerDecision } from "../../../src/broker/request/answer.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { wait } from "../../../src/cli/commands/wait.js";
import { fileByDeadServer, settleAnswers } from "../../support/answering.js";
import { answerTo, approvalDraft, denialOf } from "../../support/builders.js";
import { startVerb } from "../../support/run-verb.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

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
      out: `${request.id}: denied in wisp approvals: "use --force-with-lease"\n`,
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
    expect(out).toBe(`${request.id}: timed out: nobody answered in time (unverified)\n`);
  });

  it("ends with 9 when the server had died", async () => {
    const home = tempHome();
    const request = fileByDeadServer(home);
    const { exit, out } = await startVerb(wait, [request.id, "--json"], { home, ...piped }).ended;
    expect(exit).toBe(9);
    expect(JSON.parse(out)).toMatchObject({ outcome: "stale", ran: false, reveal: null });
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

  it("knows nothing of an id that was never filed", async () => {
    expect((await startVerb(wait, ["zzzzzzzz"], { home: tempHome(), ...piped }).ended).exit).toBe(3);
  });
});
