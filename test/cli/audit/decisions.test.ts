/** What is made of the records of a log: one decision a call, with what came of it. */
import { describe, expect, it } from "vitest";
import { type Decision, resultText } from "../../../src/cli/audit/decision.js";
import { claims, decisionsIn, pushed, pushOf } from "../../support/audit-records.js";
import type { Sketch } from "../../support/sketched.js";

const call = "k7q2mx9d";
const push = pushOf(call, "r2345678");

/** The decided line of another call of the same request. */
function decided(details: Readonly<Record<string, unknown>>, id: string | null = call): Sketch {
  return { kind: "approval.decided", call: id, selfReported: claims, details: { ...pushed, ...details } };
}

const told = (decisions: readonly Decision[]) =>
  decisions.map((decision) => [decision.outcome, resultText(decision)]);

describe("a decision", () => {
  it("says who allowed what, when, how, by which rule, and that it ran", () => {
    expect(decisionsIn(push)).toEqual([
      {
        at: expect.any(Number) as number,
        id: call,
        run: "r2345678",
        outcome: "approved",
        level: "high",
        client: "claude-code",
        thread: "git",
        what: "git push origin main",
        tool: "git",
        directory: "/home/p/api",
        rule: "ask Bash(git push *) (policy.json:3)",
        remembered: null,
        via: "cli",
        assurance: "terminal",
        scope: "once",
        repeated: false,
        seconds: 4,
        effect: { ending: "exited", exitCode: 0, word: null, durationMs: 1_200, truncated: false },
      },
    ]);
  });

  it("is one for each call that shares a request", () => {
    const other = decided({ outcome: "already_decided", seconds: 3 });
    expect(told(decisionsIn([...push.slice(0, 6), other, ...push.slice(6)]))).toEqual([
      ["approved", "exit 0"],
      ["already_decided", "already decided"],
    ]);
  });

  it("is corrected by a second line of its call, and then nothing ran", () => {
    const corrected = decided({ outcome: "failed", why: "the disk", seconds: 4 });
    expect(told(decisionsIn([...push.slice(0, 6), corrected]))).toEqual([["failed", "failed"]]);
  });

  it("that a yes before allowed is one of its own, and its run another", () => {
    const run = "r8765432";
    const next = decided({ outcome: "approved", rule: `session approval ${call}`, seconds: 0, run });
    const finished = {
      kind: "effect.finished",
      call,
      details: { ending: "exited", exitCode: 2, run },
    } as const;
    expect(told(decisionsIn([...push, next, finished]))).toEqual([
      ["approved", "exit 0"],
      ["approved", "exit 2"],
    ]);
  });

  it("that came when no call waited is kept, and the call that uses it has its own line", () => {
    const pending = decided({ outcome: "pending", seconds: 60 });
    const kept = { kind: "grant.kept", call, details: { grant: call, seconds: 300 } } as const;
    const used = decided({ outcome: "approved", redeemed: true, seconds: 0 });
    const events = [...push.slice(0, 3), pending, ...push.slice(3, 5), kept, used];
    const decisions = decisionsIn(events);
    expect(told(decisions)).toEqual([
      ["approved", "kept for a call"],
      ["approved", "not run"],
    ]);
    expect(decisions[0]).toMatchObject({ what: "git push origin main", client: "claude-code", via: "cli" });
  });

  it("of the policy to refuse is told, also where no request was made", () => {
    const judged = { ...push[0], kind: "policy.judged", call: null } as const;
    const refused = { ...judged, details: { ...pushed, verdict: "deny", reasons: ["no"] } };
    expect(decisionsIn([refused])).toMatchObject([
      { outcome: "refused", id: null, client: "claude-code", what: "git push origin main", effect: null },
    ]);
  });

  it("of a rule to allow is told with the rule's id, and its run is found without a request", () => {
    const run = "r2222222";
    const allowed = decided({ outcome: "approved", remembered: "m2345678", seconds: 0, run }, null);
    const finished = {
      kind: "effect.finished",
      call: null,
      details: { ending: "exited", exitCode: 0, run },
    } as const;
    expect(decisionsIn([allowed, finished])).toMatchObject([
      { outcome: "approved", remembered: "m2345678", effect: { exitCode: 0 } },
    ]);
  });

  it("about a question or a fact is told without a word of either", () => {
    const details = { decision: "decline", via: "cli", outcome: "answered", seconds: 2 };
    const fact = { subject: "api", name: "port", value: "a".repeat(64) };
    expect(
      decisionsIn([
        { kind: "question.requested", call: null, selfReported: claims, details: {} },
        { kind: "question.answered", call, details },
        { kind: "question.settled", call, details },
        { kind: "question.told", call, selfReported: claims, details: { outcome: "declined", seconds: 2 } },
        { kind: "fact.requested", call: "zzzzzzzz", selfReported: claims, details: fact },
        {
          kind: "fact.answered",
          call: "zzzzzzzz",
          details: { decision: "keep", scope: "project", via: "cli" },
        },
        {
          kind: "fact.settled",
          call: "zzzzzzzz",
          details: { outcome: "answered", decision: "keep", via: "cli" },
        },
      ]),
    ).toMatchObject([
      { outcome: "declined", what: "a question", client: "claude-code" },
      { outcome: "kept", what: "api · port", scope: "project" },
    ]);
  });

  it("of a request that was answered after its end stands beside that end", () => {
    const ended = {
      kind: "approval.settled",
      call,
      details: { outcome: "timed_out", via: "server" },
    } as const;
    const late = { ...push[3], kind: "approval.answered", call } as const;
    const kept = { kind: "grant.kept", call, details: { grant: call, seconds: 300 } } as const;
    expect(told(decisionsIn([decided({ outcome: "pending" }), ended, late, kept]))).toEqual([
      ["timed_out", "timed out"],
      ["approved", "kept for a call"],
    ]);
  });

  it("of a request that was answered after its call had ended says what was asked, and who asked", () => {
    const details = { outcome: "withdrawn", via: "server" };
    const ended = { kind: "approval.settled", call, details } as const;
    const late = { ...push[3], kind: "approval.answered", call } as const;
    expect(decisionsIn([ended, decided({ outcome: "withdrawn" }), late])).toMatchObject([
      { outcome: "withdrawn", what: "git push origin main" },
      {
        outcome: "approved",
        via: "cli",
        what: "git push origin main",
        client: "claude-code",
        rule: pushed.rule,
      },
    ]);
  });

  it("is told with what was known of it when too many others follow, and each is told once", () => {
    const many = Array.from({ length: 9 }, (_, index) => pushOf(`aaaaaaa${index}`, `bbbbbbb${index}`));
    const begun = push.slice(0, 7);
    const events = [...begun, ...many.flat(), ...push.slice(7)];
    const decisions = decisionsIn(events, 4);
    expect(decisions).toHaveLength(10);
    expect(told(decisions).slice(0, 2)).toEqual([
      ["approved", "began"],
      ["approved", "exit 0"],
    ]);
  });
});

it.each([
  [{ ending: "exited", exitCode: null, signal: "SIGKILL" }, "ended by SIGKILL"],
  [{ ending: "timed_out", exitCode: null, signal: "SIGTERM" }, "stopped: time over"],
  [{ ending: "cancelled", exitCode: 1 }, "stopped: cancelled"],
  [{ ending: "not_started", errno: "ENOENT" }, "not started ENOENT"],
  [{ ending: "not_started", errno: "\u001b[2J" }, "not started \\u{1b}[2J"],
  [{ ending: "drifted" }, "not run: drifted"],
  [{ ending: "abandoned" }, "not run: abandoned"],
  [{ ending: "answered", bytes: 203 }, "answered"],
  [{ ending: "unknown" }, "unknown"],
  [{}, "unknown"],
])("an effect that ended as %j is told as: %s", (details, expected) => {
  const finished = { kind: "effect.finished", call, details } as const;
  expect(told(decisionsIn([...push.slice(0, 7), finished]))).toEqual([["approved", expected]]);
});
