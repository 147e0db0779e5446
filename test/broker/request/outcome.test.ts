import { describe, expect, test } from "vitest";
import { type Decision, decisions, vias } from "../../../src/broker/request/answer.js";
import { errorCodes } from "../../../src/broker/request/error-codes.js";
import {
  exitOf,
  type OutcomeName,
  outcomeOf,
  outcomes,
  type ReceiptOutcome,
  receiptOutcomes,
} from "../../../src/broker/request/outcome.js";

type Row = readonly [receipt: ReceiptOutcome | null, code: string | null, exit: number | null];

/** The table as it was agreed, written out a second time. */
const agreed: Record<OutcomeName, Row> = {
  approved: ["answered", null, 0],
  denied: ["answered", "approval_denied", 7],
  declined: ["answered", "approval_declined", 7],
  not_obtained: ["failed", "approval_not_obtained", 7],
  timed_out: ["timed_out", "approval_timed_out", 7],
  abandoned: ["abandoned", "approval_abandoned", 7],
  withdrawn: ["withdrawn", "approval_withdrawn", 9],
  stale: ["stale", null, 9],
  failed: ["failed", "approval_unavailable", 8],
  pending: [null, "approval_pending", null],
  already_decided: ["answered", "already_decided", null],
  drifted: ["answered", "replay_drift", null],
};

const meanings: Record<Decision, OutcomeName> = {
  approve: "approved",
  keep: "approved",
  answer: "approved",
  deny: "denied",
  drop: "denied",
  decline: "denied",
  timed_out: "timed_out",
  withdrawn: "withdrawn",
  abandoned: "abandoned",
  failed: "failed",
};

const yes: readonly (string | null)[] = ["approve", "keep", "answer"];

describe("outcomes", () => {
  test("the table is the agreed one, row by row", () => {
    const rows = Object.entries(outcomes).map(([name, facts]) => [
      name,
      [facts.receipt, facts.code, facts.exit],
    ]);
    expect(Object.fromEntries(rows)).toEqual(agreed);
  });

  test("every outcome says who caused it, and every code it names is in the list", () => {
    for (const facts of Object.values(outcomes)) {
      expect(facts.causedBy).toMatch(/\w/);
      if (facts.receipt !== null) expect(receiptOutcomes).toContain(facts.receipt);
      if (facts.code !== null) expect(errorCodes).toHaveProperty(facts.code);
    }
  });

  test("no two outcomes that an agent can see share a code", () => {
    const codes = Object.values(outcomes).flatMap((facts) => facts.code ?? []);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test("only a person's yes ends with exit 0, and only the outcome approved is a yes", () => {
    const zero = Object.entries(outcomes).filter(([, facts]) => facts.exit === 0);
    expect(zero.map(([name]) => name)).toEqual(["approved"]);
  });
});

describe("outcomeOf", () => {
  test.each(decisions)("%s means one outcome through every way", (decision) => {
    for (const via of vias) {
      const expected =
        meanings[decision] === "denied" && via === "elicitation" ? "declined" : meanings[decision];
      expect(outcomeOf({ decision, via })).toBe(expected);
    }
  });
});

describe("exitOf", () => {
  test.each(receiptOutcomes)("a receipt that says %s ends a waiting verb as the table says", (outcome) => {
    for (const decision of [...decisions, null, "yes", ""]) {
      const expected = outcome === "answered" ? (yes.includes(decision) ? 0 : 7) : outcomes[outcome].exit;
      expect(exitOf({ outcome, decision })).toBe(expected);
    }
  });

  test("a yes that was not acted on does not end with 0", () => {
    for (const outcome of receiptOutcomes) {
      if (outcome !== "answered") expect(exitOf({ outcome, decision: "approve" })).not.toBe(0);
    }
    expect(exitOf({ outcome: "answered", decision: "approve" })).toBe(0);
  });
});
