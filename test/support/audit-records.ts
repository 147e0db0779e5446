/** Records of a log as a reader finds them, for tests of what is made of them. */
import type { AuditEvent } from "../../src/broker/audit/audit-log.js";
import type { LogRecord } from "../../src/broker/audit/read-log.js";
import type { Decision } from "../../src/cli/audit/decision.js";
import { createDecisions } from "../../src/cli/audit/decisions.js";
import type { Sketch } from "./sketched.js";

/** When the first record of a test was written. */
export const firstAt = Date.UTC(2026, 10, 30, 9, 0, 0);

/** `event` as it stands in a log, `index` seconds after the first. */
export function recordOf(event: AuditEvent | Sketch, index = 0): LogRecord {
  const { kind, call, verified = {}, selfReported = {}, details = {} } = event;
  const parts = { kind, call, verified, selfReported, details };
  const at = firstAt + index * 1_000;
  return {
    ...parts,
    at,
    session: "test",
    whole: { v: 1, seq: index + 1, ts: at, session: "test", ...parts },
  };
}

/** The decisions in a log of these events. */
export function decisionsIn(events: readonly (AuditEvent | Sketch)[], most?: number): readonly Decision[] {
  const told: Decision[] = [];
  const decisions = createDecisions((decision) => told.push(decision), most);
  events.forEach((event, index) => {
    decisions.take(recordOf(event, index));
  });
  decisions.end();
  return told;
}

/** What a caller said of itself. */
export const claims = { client: { name: "claude-code", version: "2" }, thread: "git" } as const;

/** What was asked for. */
export const pushed = {
  level: "high",
  rule: "ask Bash(git push *) (policy.json:3)",
  subject: "command",
  command: "git push origin main",
  directory: "/home/p/api",
} as const;

/** Everything that is written of a push that a person approves and that runs, as request `call` and run `run`. */
export function pushOf(call: string, run: string): readonly Sketch[] {
  const answered = { decision: "approve", scope: "once", via: "cli", assurance: "terminal", seconds: 4 };
  return [
    {
      kind: "policy.judged",
      call: null,
      selfReported: claims,
      details: { ...pushed, verdict: "ask", reasons: [] },
    },
    {
      kind: "approval.requested",
      call: null,
      selfReported: claims,
      details: { ...pushed, scopes: ["once"] },
    },
    { kind: "approval.pending", call, details: { filed: true, dialog: false } },
    { kind: "approval.answered", call, details: { ...answered, answer: "a".repeat(64), unseen: false } },
    { kind: "approval.settled", call, details: { outcome: "answered", via: "cli", seconds: 4, ran: null } },
    {
      kind: "approval.decided",
      call,
      selfReported: claims,
      details: {
        ...pushed,
        outcome: "approved",
        via: "cli",
        scope: "once",
        assurance: "terminal",
        seconds: 4,
        run,
      },
    },
    { kind: "effect.started", call, details: { run } },
    { kind: "effect.finished", call, details: { ending: "exited", exitCode: 0, durationMs: 1_200, run } },
  ];
}
