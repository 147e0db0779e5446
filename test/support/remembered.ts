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
