/** Requests for tests of the full-screen face, and what else waits beside approvals. */

import type { LateRequest } from "../../src/broker/index.js";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { ApprovalRequest, Draft, Request } from "../../src/broker/request/request.js";
import { approvalRequest, commandSubject, filingFacts } from "./builders.js";
import { wallZero } from "./tui-events.js";

type Approval = Parameters<typeof approvalRequest>[0];

/** A request to run `line` whose id, age and rest a test may choose. */
export function toRun(
  line: string,
  overrides: Approval = {},
  facts: Parameters<typeof approvalRequest>[1] = {},
): ApprovalRequest {
  return approvalRequest(
    { subject: commandSubject({ line, argv: null, command: line }), ...overrides },
    facts,
  );
}

/** The word to type is `main`. */
export function dangerous(overrides: Approval = {}): ApprovalRequest {
  return toRun("git push --force origin main", { level: "dangerous", ...overrides });
}

/** `count` requests of one thread, `everyMs` apart; each runs a line of its own. */
export function manyOf(
  thread: string | null,
  count: number,
  everyMs: number,
  from = wallZero,
): readonly ApprovalRequest[] {
  return Array.from({ length: count }, (_, index) =>
    toRun(`echo ${thread} ${index}`, { thread }, { createdAt: from + index * everyMs }),
  );
}

/** A fact to keep, or a question; neither is decided here. */
export function otherKind(kind: "fact" | "question"): Request {
  const { kind: _kind, subject: _subject, level: _level, reasons: _reasons, ...rest } = approvalRequest();
  const shared = {
    expiresAt: rest.expiresAt,
    says: rest.says,
    client: rest.client,
    caller: rest.caller,
    thread: rest.thread,
  };
  const draft: Draft =
    kind === "fact"
      ? {
          ...shared,
          kind,
          fact: {
            subject: "staging",
            name: "database",
            value: "read-only",
            source: null,
            directory: null,
            similar: [],
          },
        }
      : {
          ...shared,
          kind,
          question: { text: "Which region?", options: null, multiple: false, allowText: true },
        };
  return composeRequest(draft, filingFacts());
}

/** `request` after it timed out, while it may still be answered. */
export function ended(request: ApprovalRequest): LateRequest {
  return {
    request,
    how: "timed_out",
    toldMsAgo: null,
    bound: { directory: "/home/p/api" } as LateRequest["bound"],
    life: {} as LateRequest["life"],
  };
}
