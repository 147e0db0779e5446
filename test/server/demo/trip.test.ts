import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Draft, Request } from "../../../src/broker/request/request.js";
import { quoteArgv } from "../../../src/server/command/quote.js";
import type { CallResult } from "../../../src/server/demo/agent.js";
import { makeTrip } from "../../../src/server/demo/trip.js";
import { calm } from "../../support/asking.js";
import { answerTo, approvalDraft, commandSubject } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { memoryChannel, memoryPlace } from "../../support/memory-channel.js";
import { tempDirectory } from "../../support/temp-home.js";

const ranWell: CallResult = {
  isError: false,
  text: "Approved",
  outcome: "approved",
  exitCode: 0,
  stdout: "it ran\n",
};
const denied: CallResult = {
  isError: true,
  text: "Denied by the person.",
  outcome: "denied",
  exitCode: null,
  stdout: "",
};

function draftOf(argv: readonly string[]): Draft {
  const line = quoteArgv(argv);
  return approvalDraft({ subject: commandSubject({ argv: [...argv], line, command: line }) });
}

function setUp() {
  const clock = new FakeClock();
  const place = memoryPlace();
  const server = memoryChannel(place, { clock });
  const channel = memoryChannel(place, { clock });
  const project = tempDirectory();
  const said: string[] = [];
  const narrator = {
    scene: () => {},
    step: (name: string, text: string) => void said.push(`${name}: ${text}`),
    line: (text: string) => void said.push(text),
  };
  const { signal } = new AbortController();
  const stage = { channel, clock, narrator, project, signal };

  /** A server that files, waits for an answer, settles by it and returns `result`. */
  function honest(result: CallResult, runs: boolean, draft: (argv: readonly string[]) => Draft = draftOf) {
    return async (argv: readonly string[]): Promise<CallResult> => {
      const request = server.file(draft(argv), []);
      await new Promise<void>((resolve) => {
        server.changes(() => {
          const news = server.take(request.id);
          if (news?.kind !== "answer") return;
          server.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
          resolve();
        });
      });
      if (runs) appendFileSync(join(project, "proof.txt"), "it ran\n");
      return result;
    };
  }
  const answer = async (request: Request, decision: "approve" | "deny"): Promise<void> => {
    const scope = decision === "approve" ? "once" : null;
    channel.answer(answerTo(request, { decision, scope }));
  };
  return { clock, place, server, stage, said, honest, answer };
}

describe("a trip", () => {
  it("of an approved command is told as the channel, the result and the file say", async () => {
    const { stage, said, honest, answer } = setUp();
    const trip = await makeTrip(stage, {
      agent: { run: honest(ranWell, true) },
      proof: "proof.txt",
      meanwhile: (request) => answer(request, "approve"),
    });
    expect(trip).toMatchObject({ isAsAsked: true, isVerified: true, result: ranWell, lines: 1 });
    expect(trip.receipt).toMatchObject({ outcome: "answered", decision: "approve" });
    expect(said).toEqual([
      `asked: run_command sh -c 'echo "it ran" | tee -a proof.txt'`,
      `filed: request ${trip.request.id}, level moderate: every command asks`,
      "answered: approve (once), via cli",
      "ran: exit code 0; it printed: it ran",
      "proof: proof.txt holds 1 line",
    ]);
  });

  it("of a denied command that ran all the same says so", async () => {
    const { stage, said, honest, answer } = setUp();
    const trip = await makeTrip(stage, {
      agent: { run: honest(denied, true) },
      proof: "proof.txt",
      meanwhile: (request) => answer(request, "deny"),
    });
    expect(trip).toMatchObject({ result: denied, lines: 1 });
    expect(said.slice(2)).toEqual([
      "answered: deny, via cli",
      "refused: the agent reads: Denied by the person.",
      "proof: proof.txt holds 1 line",
    ]);
  });

  it.each([
    ["other words", (argv: readonly string[]) => draftOf([...argv, "more"])],
    [
      "another line over the same words",
      (argv: readonly string[]) =>
        approvalDraft({ subject: commandSubject({ argv: [...argv], line: "git status" }) }),
    ],
  ])("whose request names %s is not as asked", async (_what, draft) => {
    const { stage, honest, answer } = setUp();
    const trip = await makeTrip(stage, {
      agent: { run: honest(ranWell, true, draft) },
      proof: "proof.txt",
      meanwhile: (request) => answer(request, "approve"),
    });
    expect(trip.isAsAsked).toBe(false);
  });

  it("whose request was altered on its way is not as asked", async () => {
    const { stage, honest, answer } = setUp();
    const { channel } = stage;
    const pending = () => {
      const listing = channel.pending();
      return { ...listing, requests: listing.requests.map((one) => ({ ...one, says: "other words" })) };
    };
    const trip = await makeTrip(
      { ...stage, channel: { ...channel, pending } },
      {
        agent: { run: honest(ranWell, true) },
        proof: "proof.txt",
        meanwhile: (request) => answer(request, "approve"),
      },
    );
    expect(trip).toMatchObject({ isAsAsked: false, lines: 1 });
  });

  it("whose receipt does not prove its server is not verified", async () => {
    const { stage, place, server, honest, answer } = setUp();
    const proof = "proof.txt";
    const { receipt } = await makeTrip(stage, {
      agent: { run: honest(ranWell, true) },
      proof,
      meanwhile: (request) => answer(request, "approve"),
    });
    const run = async (argv: readonly string[]): Promise<CallResult> => {
      const { id } = server.file(draftOf(argv), []);
      place.receipts.set(id, { ...receipt, id });
      return ranWell;
    };
    const forged = await makeTrip(stage, { agent: { run }, proof, meanwhile: async () => {} });
    expect(forged).toMatchObject({ isVerified: false, receipt: { outcome: "answered" } });
  });

  it("that the client gives up ends with the receipt, without a result", async () => {
    const { stage, server } = setUp();
    const trip = await makeTrip(stage, {
      agent: {
        async run(argv, signal) {
          const { id } = server.file(draftOf(argv), []);
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          queueMicrotask(() => {
            const taken = server.withdraw(id, "abandoned", null);
            server.settle(id, { outcome: "abandoned", taken, ran: false });
          });
          return null;
        },
      },
      proof: "proof.txt",
      meanwhile: async (_request, _over, giveUp) => giveUp(),
    });
    expect(trip).toMatchObject({ result: null, lines: null, isVerified: true });
    expect(trip.receipt.outcome).toBe("abandoned");
  });

  it("without a request, or without a receipt, fails with what the call said", async () => {
    const { stage, clock, server } = setUp();
    const options = { proof: "proof.txt", meanwhile: async () => {} };
    const unasked = expect(
      makeTrip(stage, { ...options, agent: { run: async () => ranWell } }),
    ).rejects.toThrow("No request was filed. Approved");
    await calm();
    clock.advance(60_000);
    await unasked;
    const run = async (argv: readonly string[]): Promise<CallResult> => {
      server.file(draftOf(argv), []);
      return ranWell;
    };
    const unended = expect(makeTrip(stage, { ...options, agent: { run } })).rejects.toThrow(
      "Nothing says how it ended. Approved",
    );
    await calm();
    clock.advance(60_000);
    await unended;
  });

  it("whose call breaks off, before or after the request was filed, fails at once", async () => {
    const { stage, server } = setUp();
    const gone = (): Promise<never> => Promise.reject(new Error("the server is gone"));
    const over: AbortSignal[] = [];
    const options = {
      proof: "proof.txt",
      async meanwhile(_request: Request, signal: AbortSignal) {
        over.push(signal);
      },
    };
    await expect(makeTrip(stage, { ...options, agent: { run: gone } })).rejects.toThrow("the server is gone");
    const run = (argv: readonly string[]): Promise<never> => {
      server.file(draftOf(argv), []);
      return gone();
    };
    await expect(makeTrip(stage, { ...options, agent: { run } })).rejects.toThrow("the server is gone");
    expect(over.map((signal) => signal.aborted)).toEqual([true]);
  });
});
