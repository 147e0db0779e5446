import { describe, expect, test } from "vitest";
import { decisions, vias } from "../../../src/broker/request/answer.js";
import { proveReceipt } from "../../../src/broker/request/binding.js";
import { receiptOutcomes } from "../../../src/broker/request/outcome.js";
import { type Receipt, receiptFileName, receiptSchema } from "../../../src/broker/request/receipt.js";
import { kinds } from "../../../src/broker/request/request.js";
import { scopes } from "../../../src/broker/request/scope.js";

const receipt: Receipt = proveReceipt(
  {
    v: 1,
    id: "k7q2mx9d",
    kind: "approval",
    outcome: "answered",
    via: "cli",
    decision: "approve",
    scope: "once",
    note: null,
    answer: "a".repeat(64),
    verified: { terminal: true, ancestry: false, signed: null },
    at: 1_790_000_013_000,
    seconds: 13.25,
    ran: null,
  },
  new Uint8Array(32),
);

describe("receiptSchema", () => {
  test.each(Object.keys(receipt))(
    "a receipt without %s, or with a value of another type there, is refused",
    (key) => {
      const { [key]: _gone, ...rest } = receipt as unknown as Record<string, unknown>;
      expect(receiptSchema.safeParse(rest).success).toBe(false);
      expect(receiptSchema.safeParse({ ...receipt, [key]: { other: "type" } }).success).toBe(false);
      expect(receiptSchema.safeParse(receipt).success).toBe(true);
    },
  );

  test.each<readonly [string, object]>([
    ["an unknown key", { approved: true }],
    ["a newer version", { v: 2 }],
    ["a path for an id", { id: "../../etc/x" }],
    ["an unknown kind", { kind: "order" }],
    ["an unknown outcome", { outcome: "approved" }],
    ["an unknown way", { via: "mcp" }],
    ["an unknown decision", { decision: "yes" }],
    ["an unknown scope", { scope: "forever" }],
    ["an answer that is no hash", { answer: "approve" }],
    [
      "an unknown look at the process",
      { verified: { terminal: true, ancestry: false, signed: null, seen: true } },
    ],
    ["a look left out", { verified: { terminal: true } }],
    ["a time with a fraction", { at: 1.5 }],
    ["a negative duration", { seconds: -1 }],
    ["an endless duration", { seconds: Number.POSITIVE_INFINITY }],
    ["a short secret", { reveal: "A".repeat(42) }],
    ["a secret in base64", { reveal: `${"A".repeat(42)}=` }],
    ["a short MAC", { mac: "a".repeat(63) }],
  ])("a receipt with %s is refused", (_what, change) => {
    expect(receiptSchema.safeParse({ ...receipt, ...change }).success).toBe(false);
    expect(receiptSchema.safeParse(receipt).success).toBe(true);
  });

  test("a receipt of a sweep, with everything unknown null, is taken", () => {
    const unknown = { via: null, decision: null, scope: null, note: null, answer: null, verified: null };
    const swept = { ...receipt, ...unknown, outcome: "stale", ran: false, reveal: null, mac: null };
    expect(receiptSchema.parse(swept)).toEqual(swept);
  });

  test("every kind, outcome, way, decision and scope of the format is taken", () => {
    const values = { kind: kinds, outcome: receiptOutcomes, via: vias, decision: decisions, scope: scopes };
    for (const [key, all] of Object.entries(values)) {
      for (const value of all)
        expect(receiptSchema.safeParse({ ...receipt, [key]: value }).success).toBe(true);
    }
  });
});

test("a receipt is named by its request's id", () => {
  expect(receiptFileName("k7q2mx9d")).toBe("k7q2mx9d.json");
});
