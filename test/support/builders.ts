/** Values for tests, complete and valid; a test overrides only what its rule is about. */
import { randomBytes } from "node:crypto";
import type { Answer } from "../../src/broker/request/answer.js";
import { composeRequest, type FilingFacts } from "../../src/broker/request/binding.js";
import { newIdentifier } from "../../src/broker/request/identifier.js";
import type { ApprovalRequest, CommandSubject, Draft, Request } from "../../src/broker/request/request.js";
import { scopes } from "../../src/broker/request/scope.js";

type ApprovalDraft = Extract<Draft, { kind: "approval" }>;

export function commandSubject(overrides: Partial<CommandSubject> = {}): CommandSubject {
  return {
    type: "command",
    line: "git push origin main",
    argv: ["git", "push", "origin", "main"],
    command: "git push origin main",
    directory: "/home/p/api",
    pattern: null,
    program: null,
    directoryIdentity: null,
    state: null,
    ...overrides,
  };
}

export function approvalDraft(overrides: Partial<ApprovalDraft> = {}): ApprovalDraft {
  return {
    kind: "approval",
    expiresAt: 1_790_000_600_000,
    subject: commandSubject(),
    level: "moderate",
    reasons: ["every command asks"],
    rule: null,
    says: null,
    scopes: ["once"],
    assurance: "file",
    client: { name: "test-client", version: "1.0.0" },
    caller: "stdio",
    thread: null,
    ...overrides,
  };
}

/** What a request offers to remember: exactly what `commandSubject` runs, and a wider form of it. */
export function twoOffers(): NonNullable<ApprovalDraft["remember"]> {
  return {
    offers: [
      { rule: "Bash(git push origin main)", matches: null, misses: null },
      { rule: "Bash(git push origin *)", matches: "git push origin dev", misses: "git push --force" },
    ],
    days: 30,
  };
}

/** A draft that may be approved for the project and for always. */
export function offeringDraft(overrides: Partial<ApprovalDraft> = {}): ApprovalDraft {
  return approvalDraft({
    subject: commandSubject({ pattern: "git push origin main" }),
    scopes: [...scopes],
    remember: twoOffers(),
    ...overrides,
  });
}

export const testServer: Request["server"] = {
  pid: 4711,
  startedAt: "100",
  boot: "boot-1",
  instance: "abcdefghjkmnpqrs",
};

export function filingFacts(overrides: Partial<FilingFacts> = {}): FilingFacts {
  return {
    id: newIdentifier(randomBytes),
    createdAt: 1_790_000_000_000,
    server: testServer,
    nonce: randomBytes(32).toString("base64url"),
    receiptSecret: randomBytes(32),
    ...overrides,
  };
}

export function approvalRequest(
  overrides: Partial<ApprovalDraft> = {},
  facts: Partial<FilingFacts> = {},
): ApprovalRequest {
  return composeRequest(approvalDraft(overrides), filingFacts(facts)) as ApprovalRequest;
}

/** A yes from a face, bound to `request`. */
export function answerTo(request: Pick<Request, "id" | "binding">, overrides: Partial<Answer> = {}): Answer {
  return {
    v: 1,
    id: request.id,
    binding: request.binding,
    decision: "approve",
    scope: "once",
    via: "cli",
    answeredAt: 1_790_000_012_000,
    by: { pid: 5012, startedAt: "200", tty: "/dev/pts/3", version: "0.1.0" },
    ...overrides,
  };
}

/** A no from a face, bound to `request`. */
export function denialOf(request: Pick<Request, "id" | "binding">, note: string | null = null): Answer {
  return answerTo(request, { decision: "deny", scope: null, note });
}
