import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Request } from "../../../src/broker/request/request.js";
import { quoteArgv } from "../../../src/server/command/quote.js";
import type { CallResult } from "../../../src/server/demo/agent.js";
import { type DetachedTripOptions, makeDetachedTrip } from "../../../src/server/demo/detached-trip.js";
import { calm } from "../../support/asking.js";
import { answerTo, approvalDraft, commandSubject } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { memoryChannel, memoryPlace } from "../../support/memory-channel.js";
import { tempDirectory } from "../../support/temp-home.js";

const nothing = { isError: false, exitCode: null, stdout: "" };
const pending: CallResult = { ...nothing, text: "Pending: nobody said no. Repeat it.", outcome: "pending" };
const ran: CallResult = { isError: false, text: "", outcome: "approved", exitCode: 0, stdout: "it ran\n" };
const denied: CallResult = { ...nothing, isError: true, text: "Denied by the person.", outcome: "denied" };

/** A server that holds no call, keeps what was answered for the next one, and withdraws what waits when it is left. */
function setUp() {
  const clock = new FakeClock();
  const place = memoryPlace();
  const server = memoryChannel(place, { clock });
  const channel = memoryChannel(place, { clock });
  const project = tempDirectory();
  const stopped = new AbortController();
  const said: string[] = [];
  const narrator = {
    scene: () => {},
    step: (name: string, text: string) => void said.push(`${name}: ${text}`),
    line: (text: string) => void said.push(text),
  };
  const stage = { channel, clock, narrator, project, signal: stopped.signal };
  let kept: "approve" | "deny" | null = null;
  let open: Request | null = null;
  server.changes(() => {
    const news = open === null ? null : server.take(open.id);
    if (open === null || news?.kind !== "answer") return;
    kept = news.taken.answer.decision === "approve" ? "approve" : "deny";
    server.settle(open.id, { outcome: "answered", taken: news.taken, ran: null });
    open = null;
  });
  let runs = 1;
  const agent: DetachedTripOptions["agent"] = {
    async run(argv) {
      if (kept === "deny") return denied;
      if (kept === "approve") {
        kept = null;
        for (let run = 0; run < runs; run += 1) appendFileSync(join(project, "proof.txt"), "it ran\n");
        return ran;
      }
      const line = quoteArgv(argv);
      open = server.file(
        approvalDraft({ subject: commandSubject({ argv: [...argv], line, command: line }) }),
        [],
      );
      return pending;
    },
    async close() {
      if (open === null) return;
      const { id } = open;
      open = null;
      server.settle(id, { outcome: "withdrawn", taken: server.withdraw(id, "withdrawn", null), ran: false });
    },
  };
  const travel = (meanwhile: DetachedTripOptions["meanwhile"]) =>
    makeDetachedTrip(stage, { agent, proof: "proof.txt", meanwhile });
  const answer = (decision: "approve" | "deny") => async (request: Request) => {
    channel.answer(answerTo(request, { decision, scope: decision === "approve" ? "once" : null }));
  };
  const runsTwice = (): void => {
    runs = 2;
  };
  return { clock, stage, said, stopped, agent, travel, answer, runsTwice };
}

const asked = `asked: run_command sh -c 'echo "it ran" | tee -a proof.txt'`;
const waits = ["pending: the agent reads: Pending: nobody said no.", "proof: proof.txt does not exist"];

describe("a trip whose call does not wait", () => {
  it("is collected by the same call after a yes, and the one after that asks anew", async () => {
    const { travel, answer, said, clock } = setUp();
    const { early, later, further } = await travel(answer("approve"));
    expect(clock.timers).toBe(0);
    expect(early).toEqual({ result: pending, lines: null });
    expect(later).toMatchObject({ isAsAsked: true, isVerified: true, result: ran, lines: 1 });
    expect(later.receipt).toMatchObject({ outcome: "answered", decision: "approve" });
    expect(further).toMatchObject({ isAsAsked: true, isVerified: true, result: pending, lines: 1 });
    expect(further?.receipt.outcome).toBe("withdrawn");
    const [first, second] = [later.request.id, further?.request.id];
    expect(second).not.toBe(first);
    expect(said).toEqual([
      asked,
      `filed: request ${first}, level moderate: every command asks`,
      ...waits,
      "answered: approve (once), via cli",
      "repeated: the agent makes the same call, word for word",
      "ran: exit code 0; it printed: it ran",
      "proof: proof.txt holds 1 line",
      "repeated: the agent makes the same call once more: that yes is used up",
      asked,
      `filed: request ${second}, level moderate: every command asks`,
      waits[0],
      "ended: withdrawn, via server",
      "proof: proof.txt holds 1 line",
    ]);
  });

  it("that ran twice says so", async () => {
    const { travel, answer, runsTwice } = setUp();
    runsTwice();
    expect((await travel(answer("approve"))).later.lines).toBe(2);
  });

  it("tells the same call of a no, and asks no more", async () => {
    const { travel, answer, said } = setUp();
    const { later, further } = await travel(answer("deny"));
    expect(later).toMatchObject({ result: denied, lines: null, receipt: { decision: "deny" } });
    expect(further).toBeNull();
    expect(said.slice(-4)).toEqual([
      "answered: deny, via cli",
      "repeated: the agent makes the same call, word for word",
      "refused: the agent reads: Denied by the person.",
      "proof: proof.txt does not exist",
    ]);
  });

  it("that nobody answers ends with its client, when time is over or nobody is to be expected", async () => {
    const silence = "silence: nobody answered in time, which is not a yes: the client leaves";
    const end = [silence, "ended: withdrawn, via server", "proof: proof.txt does not exist"];
    const slow = setUp();
    let hasEnded = false;
    const waiting = slow.travel(
      (_request, over) =>
        new Promise((resolve) => {
          over.addEventListener("abort", () => {
            hasEnded = true;
            resolve();
          });
        }),
    );
    await calm();
    slow.clock.advance(119_000);
    await calm();
    expect(hasEnded).toBe(false);
    slow.clock.advance(1_000);
    await calm();
    slow.clock.advance(0);
    expect(await waiting).toMatchObject({ later: { result: null, lines: null }, further: null });
    expect(slow.said.slice(-3)).toEqual(end);
    expect(slow.clock.timers).toBe(0);

    const nobody = setUp();
    const givenUp = nobody.travel(async (_request, _over, giveUp) => giveUp());
    await calm();
    nobody.clock.advance(0);
    expect((await givenUp).later).toMatchObject({ isVerified: true, receipt: { outcome: "withdrawn" } });
    expect(nobody.said.slice(-3)).toEqual(end);
  });

  it("that is interrupted, while it waits or while the same call is made, fails and tells no more", async () => {
    const waiting = setUp();
    await expect(waiting.travel(async () => waiting.stopped.abort())).rejects.toThrow(/abort/i);
    expect(waiting.said.at(-1)).toBe(waits[1]);

    const { stage, agent, answer, stopped, said } = setUp();
    let calls = 0;
    const run: typeof agent.run = async (...call) => {
      calls += 1;
      if (calls === 1) return await agent.run(...call);
      stopped.abort();
      return null;
    };
    const options = { agent: { ...agent, run }, proof: "proof.txt", meanwhile: answer("approve") };
    await expect(makeDetachedTrip(stage, options)).rejects.toThrow(/abort/i);
    expect(said.at(-1)).toMatch(/^repeated: /);
  });

  it("whose server leaves no receipt when its client leaves fails", async () => {
    const { stage, agent, clock } = setUp();
    const options = {
      agent: { ...agent, close: async () => {} },
      proof: "proof.txt",
      meanwhile: async (_request: Request, _over: AbortSignal, giveUp: () => void) => giveUp(),
    };
    const failing = expect(makeDetachedTrip(stage, options)).rejects.toThrow("Nothing says how it ended.");
    await calm();
    clock.advance(0);
    await calm();
    clock.advance(60_000);
    await failing;
  });
});
