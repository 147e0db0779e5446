import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { ensureSafeDirectory } from "../../../src/broker/files/safe-directory.js";
import { ownIdentity } from "../../../src/broker/identity/process.js";
import { answerHash, bindingOf } from "../../../src/broker/request/binding.js";
import { type ApprovalRequest, requestFileName } from "../../../src/broker/request/request.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { deny } from "../../../src/cli/commands/deny.js";
import { answerTo, approvalRequest } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { answerIn, filed, filedOnly, isWaiting, long } from "../../support/filed.js";
import { startVerb } from "../../support/run-verb.js";
import { openFace, ownServer } from "../../support/temp-home.js";

describe("an answer and its ending", () => {
  it("is told in rows of the terminal, broken at blanks; elsewhere in one line", async () => {
    for (const [isTerminal, out] of [
      [true, "denied (terminal): git push origin main —\n  for test-client\n"],
      [false, "denied (terminal): git push origin main — for test-client\n"],
    ] as const) {
      const { home, request } = filed();
      expect((await startVerb(deny, [request.id], { home, columns: 42, isTerminal }).ended).out).toBe(out);
    }
  });

  it("deny answers at once, whatever the level, and carries the note", async () => {
    const { home, request } = filed({ level: "dangerous", thread: "git" });
    const { terminal, ended } = startVerb(deny, [request.id, "--note", "use a branch"], {
      home,
      columns: 120,
    });
    expect(await ended).toEqual({
      exit: 0,
      out: 'denied (terminal): git push origin main — for test-client, thread git: "use a branch"\n',
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
    expect(err).toContain(
      "It is approved, once, in wisp-tui on /dev/pts/2 (process 77); its server has not looked yet at who gave it.",
    );
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
      taken: { answer, hash: answerHash(answer), testimony: null },
      ran: false,
    });
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 8, out: "" });
    expect(err).toContain(
      `wisp: Your answer to ${request.id} was first, but that could not be written down or kept, so nothing ran.\n`,
    );
    expect(err).toMatch(/^ {2}\S.*wisp.* doctor$/m);
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
    expect(err.split("nothing ran")).toHaveLength(2);
    expect(err).toContain("was first, but its server died and nothing ran (unverified: ");
    expect(err).toContain("\n  Start the agent's client again, and have it ask once more.\n");
  });

  it("a receipt that its server cannot have written is called unverified", async () => {
    const { home, request } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    const answer = await answerIn(home, request);
    const other = filedOnly();
    const proof = other.channel.settle(other.request.id, { outcome: "answered", taken: null, ran: null });
    const { decision, scope, via } = answer;
    const verified = { terminal: true, ancestry: true, signed: null };
    const forged = { ...proof, id: request.id, decision, scope, via, verified, answer: answerHash(answer) };
    ensureSafeDirectory(home.settled);
    writeFileSync(join(home.settled, `${request.id}.json`), JSON.stringify(forged), { mode: 0o600 });
    // As long as the request lies there such a receipt counts for nothing.
    unlinkSync(join(home.pending, `${request.id}.request.json`));
    const { exit, out } = await ended;
    expect(exit).toBe(0);
    expect(out).toContain("approved (once, terminal, unverified): ");
  });

  it("a request that was changed and bound anew ends as altered once its server has looked", async () => {
    const { home, request, channel } = filedOnly();
    channel.changes((id) => {
      const news = id === null ? null : channel.take(id);
      if (id === null || news?.kind !== "broken") return;
      const taken = channel.withdraw(id, "failed", news.why);
      channel.settle(id, { outcome: "failed", taken, ran: false });
    });
    const file = join(home.pending, requestFileName(request));
    const { binding: _old, ...bound } = { ...request, says: "harmless" };
    writeFileSync(file, JSON.stringify({ ...bound, binding: bindingOf(bound) }), { mode: 0o600 });
    const { exit, out, err } = await startVerb(approve, [request.id], { home }).ended;
    expect({ exit, out }).toEqual({ exit: 6, out: "" });
    expect(err).toContain("was changed after it was filed: what you were shown is not what was asked");
    const good = filed();
    expect((await startVerb(approve, [good.request.id], { home: good.home }).ended).exit).toBe(0);
  });

  it("something that is no answer stands in the slot: says that, and not that somebody was first", async () => {
    const { home, request } = filedOnly();
    const slot = join(home.pending, `${request.id}.answer.json`);
    writeFileSync(slot, "junk", { mode: 0o600 });
    const clock = new FakeClock();
    const { terminal, ended } = startVerb(approve, [request.id], { home, clock });
    const said = (): string => {
      clock.advance(500);
      return terminal.said();
    };
    await expect.poll(said, long).toContain("something that is no answer stands in its place");
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 5, out: "" });
    expect(err).toContain("Its server has not cleared it away");
    expect(err).not.toContain("answered first");
    unlinkSync(slot);
    const again = startVerb(approve, [request.id], { home });
    await answerIn(home, request);
    again.terminal.interrupt();
    expect((await again.ended).exit).toBe(130);
  });

  it("an answer that is gone and nothing says why: that is said, and the request still waits", async () => {
    const { home, request } = filedOnly();
    const { ended } = startVerb(approve, [request.id], { home });
    await answerIn(home, request);
    unlinkSync(join(home.pending, `${request.id}.answer.json`));
    const { exit, out, err } = await ended;
    expect({ exit, out }).toEqual({ exit: 10, out: "" });
    expect(err).toContain("did not take your answer");
    expect(err).toContain("Nothing says why");
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
  const record = {
    v: 1,
    ...server,
    namespace,
    parent: null,
    client: null,
    home: home.path,
    waiting: [],
    detached: [],
  };
  writeFileSync(join(home.servers, `${server.instance}.json`), JSON.stringify(record), { mode: 0o600 });
}
