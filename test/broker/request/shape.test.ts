import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { serverRecordSchema } from "../../../src/broker/channel/server-record.js";
import { answerSchema } from "../../../src/broker/request/answer.js";
import { refusalSchema } from "../../../src/broker/request/assurance.js";
import { composeRequest, proveReceipt } from "../../../src/broker/request/binding.js";
import { shortened } from "../../../src/broker/request/long-text.js";
import { receiptSchema } from "../../../src/broker/request/receipt.js";
import { requestSchema } from "../../../src/broker/request/request.js";
import * as s from "../../../src/broker/request/shape.js";
import { answerTo, approvalRequest, commandSubject, filingFacts } from "../../support/builders.js";
import { everyDraft } from "../../support/request-kinds.js";
import * as zod from "../../support/zod-format.js";

const request = approvalRequest();
const signature = { key: "k", value: "x".repeat(86) };
const receipt = proveReceipt(
  {
    v: 1,
    id: request.id,
    kind: "approval",
    outcome: "answered",
    via: "cli",
    decision: "approve",
    scope: "once",
    note: null,
    answer: "a".repeat(64),
    verified: { terminal: true, ancestry: null, signed: false },
    at: 1,
    seconds: 1.5,
    ran: null,
  },
  new Uint8Array(32),
);
const record = {
  v: 1,
  ...request.server,
  namespace: "1",
  parent: { pid: 1, startedAt: "1" },
  client: { name: "c", version: "1" },
  home: "/h",
  waiting: ["k7q2mx9d"],
};
const refusal = { v: 1, id: request.id, answer: "a".repeat(64), shortfall: "no_terminal" };
const long = shortened("x".repeat(20_000));

/** Each shape of the format, the same in zod, and values that fit. */
const pairs = [
  {
    name: "request",
    ours: requestSchema,
    theirs: zod.requestSchema,
    good: [
      ...Object.values(everyDraft()).map((draft) => composeRequest(draft, filingFacts())),
      approvalRequest({ subject: commandSubject({ line: long, argv: [long, "x"], state: { bound: [] } }) }),
    ],
  },
  {
    name: "answer",
    ours: answerSchema,
    theirs: zod.answerSchema,
    good: [answerTo(request), answerTo(request, { note: "n", values: ["v"], text: "t", signature })],
  },
  { name: "refusal", ours: refusalSchema, theirs: zod.refusalSchema, good: [refusal] },
  { name: "receipt", ours: receiptSchema, theirs: zod.receiptSchema, good: [receipt] },
  { name: "server's record", ours: serverRecordSchema, theirs: zod.serverRecordSchema, good: [record] },
] as const;

/** Values at and beyond the borders that the format draws. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1, 2 ** 53, -0, 16_384, 16_385, 2 ** 24, 2 ** 24 + 1),
  fc.constantFrom<unknown>(
    "",
    "once",
    "always",
    "approval",
    "command",
    "none",
    "x".repeat(4_096),
    "x".repeat(4_097),
  ),
  fc.constantFrom<unknown>(
    "a".repeat(64),
    "a".repeat(43),
    "k7q2mx9d",
    "k7q2mx9",
    "K7Q2MX9D",
    "0".repeat(21),
    [],
    {},
  ),
  fc.jsonValue(),
);

type Step = readonly [path: readonly number[], action: "set" | "remove" | "add", value: unknown];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.array(fc.nat(30), { maxLength: 4 }),
  fc.constantFrom("set", "remove", "add"),
  odd,
);

/** A copy of `value` with one thing changed somewhere in it. */
function changed(value: unknown, [path, action, by]: Step): unknown {
  const copy = structuredClone(value);
  let holder = copy as Record<string, unknown>;
  let key = "";
  for (const index of path) {
    const keys = Object.keys(holder);
    const next = keys[index % Math.max(keys.length, 1)];
    if (next === undefined) break;
    if (key !== "") holder = holder[key] as Record<string, unknown>;
    key = Object.keys(holder)[index % Math.max(Object.keys(holder).length, 1)] ?? "";
    if (typeof holder[key] !== "object" || holder[key] === null) break;
  }
  if (action === "remove") delete holder[key];
  else holder[action === "add" ? "extra" : key] = by;
  return copy;
}

describe.each(pairs)("the shape of a $name", ({ ours, theirs, good }) => {
  it("takes every good value, as it is", () => {
    for (const value of good) {
      const parsed = ours.safeParse(value);
      expect(parsed.success && parsed.data).toBe(value);
      expect(theirs.safeParse(value).success).toBe(true);
    }
  });

  it("agrees with zod about every value that was changed somewhere", () => {
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom<unknown>(...good),
        fc.array(step, { minLength: 1, maxLength: 3 }),
        (value, steps) => {
          const other = steps.reduce(changed, value);
          const verdict = ours.safeParse(other).success;
          if (!verdict) refused += 1;
          expect(verdict).toBe(theirs.safeParse(other).success);
        },
      ),
      { numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it("agrees with zod about any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(ours.safeParse(value).success).toBe(theirs.safeParse(value).success);
      }),
    );
  });
});

describe("what is wrong", () => {
  const shape = s.strictObject({
    a: s.strictObject({ b: s.array(s.integer({ least: 1 })) }),
    c: s.nullish(s.boolean),
  });

  test.each([
    [{ a: { b: [1, 0] } }, ["a", "b", "1"], null],
    [{ a: { b: [1], x: 1 } }, ["a"], "x"],
    [{ a: { b: [1] }, c: 1 }, ["c"], null],
    [{ c: null }, ["a"], null],
    ["text", [], null],
  ])("in %j is told by its path", (value, path, unknownKey) => {
    expect(shape.problemIn(value)).toEqual({ path, unknownKey });
    expect(() => shape.parse(value)).toThrow(TypeError);
    expect(shape.parse({ a: { b: [1] } })).toEqual({ a: { b: [1] } });
  });

  it("is found in keys that only a prototype has", () => {
    expect(s.strictObject({ toString: s.anyObject }).problemIn({})).toEqual({
      path: ["toString"],
      unknownKey: null,
    });
    expect(s.choice("kind", { a: s.anyObject }).problemIn({ kind: "constructor" })).toEqual({
      path: ["kind"],
      unknownKey: null,
    });
  });
});
