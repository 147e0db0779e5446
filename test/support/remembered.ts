/** Remembered rules for tests. */
import type { RememberedRule } from "../../src/broker/policy/remembered.js";

export const dayMs = 24 * 3_600_000;

/** A rule as a server would remember it at `now`, for thirty days. */
export function ruleDraft(now: number, overrides: Partial<Omit<RememberedRule, "id">> = {}) {
  return {
    rule: "Bash(git push origin main)",
    scope: "project",
    directory: "/home/p/api",
    program: "/usr/bin/git",
    programIdentity: "git",
    askedBy: null,
    client: "stdio:claude-code",
    request: "abcdefgh",
    via: "cli",
    assurance: "terminal",
    createdAt: now,
    expiresAt: now + 30 * dayMs,
    ...overrides,
  } satisfies Omit<RememberedRule, "id">;
}

/** One of an hour ago that counts for another hour: of every directory, and of the program that a `policyHome` judges. */
export function ruleInForce(overrides: Partial<RememberedRule> = {}): RememberedRule {
  const hourMs = 3_600_000;
  const now = Date.now();
  const program = { program: "/bin/x", programIdentity: "x" };
  const draft = ruleDraft(now - hourMs, {
    ...program,
    scope: "always",
    directory: null,
    expiresAt: now + hourMs,
  });
  return { id: "abcdefgh", ...draft, ...overrides };
}
