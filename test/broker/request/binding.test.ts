import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, answerSchema } from "../../../src/broker/request/answer.js";
import {
  answerHash,
  bindingOf,
  canonicalJson,
  commitmentOf,
  composeRequest,
  isReceiptVerified,
  proveReceipt,
} from "../../../src/broker/request/binding.js";
import { type Receipt, receiptSchema } from "../../../src/broker/request/receipt.js";
import { requestSchema } from "../../../src/broker/request/request.js";
import { parseStrictJson } from "../../../src/broker/request/strict-json.js";
import { answerTo, approvalRequest, filingFacts } from "../../support/builders.js";
import { everyDraft } from "../../support/request-kinds.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const requests = Object.entries(everyDraft()).map(
  ([name, draft]) => [name, composeRequest(draft, filingFacts())] as const,
);

describe("canonicalJson", () => {
  test("keys are sorted by UTF-16 unit, numbers and strings have one spelling, blanks are left out", () => {
    expect(
      canonicalJson({ b: [1.0, -0, 1e21, 1e-7], a: 'é\u000f\n"\\/\u2028', "\u{1f600}": 1, "\uffff": 2 }),
    ).toBe('{"a":"é\\u000f\\n\\"\\\\/\u2028","b":[1,0,1e+21,1e-7],"\u{1f600}":1,"\uffff":2}');
  });

  test("it parses back to the same value and does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value as Json))).toBe(text);
      }),
    );
  });

  test("what JSON cannot hold is refused", () => {
    for (const value of [
      undefined,
      Number.NaN,
      [Number.POSITIVE_INFINITY],
      "\ud800",
      { a: "\udc00" },
      { "\ud800": 1 },
    ]) {
      expect(() => canonicalJson(value)).toThrow(Error);
    }
    expect(canonicalJson({ a: null })).toBe('{"a":null}');
  });
});

describe("bindingOf", () => {
  test.each(requests)(
    "the binding of %s is SHA-256 over its label and canonical JSON without the binding",
    (_name, request) => {
      const { binding, ...bound } = request;
      const bytes = Buffer.from(`wisp/request/v1\n${canonicalJson(bound)}`, "utf8");
      expect(binding).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(bindingOf(request)).toBe(binding);
    },
  );

  test.each(requests)(
    "every field of %s, at any depth, changes the binding when it changes",
    (_name, request) => {
      const { binding, ...bound } = request;
      const changes = [...everyChange(bound as unknown as Json)];
      expect(changes.length).toBeGreaterThan(40);
      const seen = new Set([binding]);
      for (const [what, changed] of changes) {
        const other = bindingOf(changed as Record<string, unknown>);
        expect(seen.has(other), what).toBe(false);
        seen.add(other);
      }
      expect(bindingOf(request)).toBe(binding);
    },
  );

  test("a field that a later format adds is bound by construction", () => {
    const request = approvalRequest();
    expect(bindingOf({ ...request, colour: "red" })).not.toBe(request.binding);
    expect(bindingOf({ ...request, binding: "another" })).toBe(request.binding);
  });

  test.each(requests)(
    "the order of keys, blanks and escapes in the file of %s do not matter",
    (_name, request) => {
      const written = JSON.stringify(reversed(request as unknown as Json), null, 2).replaceAll(
        "d",
        "\\u0064",
      );
      const parsed = parseStrictJson(new TextEncoder().encode(written));
      if (!parsed.ok) throw new Error(parsed.objection);
      expect(bindingOf(requestSchema.parse(parsed.value))).toBe(request.binding);
    },
  );

  test("two requests that ask the same differ by nonce and by id", () => {
    const facts = filingFacts();
    const first = approvalRequest({}, facts);
    expect(approvalRequest({}, facts).binding).toBe(first.binding);
    expect(approvalRequest({}, { ...facts, nonce: filingFacts().nonce }).binding).not.toBe(first.binding);
    expect(approvalRequest({}, { ...facts, id: filingFacts().id }).binding).not.toBe(first.binding);
  });
});

describe("composeRequest", () => {
  test.each(requests)("%s is of the format as it is filed", (_name, request) => {
    const parsed = requestSchema.parse(JSON.parse(JSON.stringify(request)));
    expect(parsed).toEqual(request);
  });

  test("the server's part cannot be given by a draft", () => {
    const facts = filingFacts();
    const forged = {
      ...everyDraft()["a fact"],
      v: 7,
      id: "zzzzzzzz",
      createdAt: 1,
      nonce: "n",
      receiptCommit: "c",
    };
    const request = composeRequest(forged as unknown as Parameters<typeof composeRequest>[0], facts);
    expect(request).toMatchObject({ v: 1, id: facts.id, createdAt: facts.createdAt, nonce: facts.nonce });
    expect(request.receiptCommit).toBe(createHash("sha256").update(facts.receiptSecret).digest("hex"));
  });
});

describe("answerHash", () => {
  const answer = answerTo(approvalRequest(), { note: "go on", signature: null });

  test("it is SHA-256 over the canonical JSON of the whole answer", () => {
    expect(answerHash(answer)).toBe(createHash("sha256").update(canonicalJson(answer)).digest("hex"));
    expect(answerHash(reversed(answer as unknown as Json) as unknown as Answer)).toBe(answerHash(answer));
  });

  test("a face that reads its own answer back gets the same hash, with fields null or left out", () => {
    for (const written of [
      answer,
      answerTo(approvalRequest(), { values: null }),
      answerTo(approvalRequest()),
    ]) {
      expect(answerHash(answerSchema.parse(JSON.parse(JSON.stringify(written))))).toBe(answerHash(written));
    }
  });

  test("no two answers to one request share a hash", () => {
    const hashes = [...everyChange(answer as unknown as Json)].map(([, other]) =>
      answerHash(other as unknown as Answer),
    );
    expect(hashes.length).toBeGreaterThan(15);
    expect(new Set([...hashes, answerHash(answer)]).size).toBe(hashes.length + 1);
  });
});

describe("hashes of different kinds", () => {
  test("the same value has another hash as a request, as an answer and as a receipt", () => {
    const value = { id: "k7q2mx9d" };
    const secret = new Uint8Array(32);
    const hashes = [
      bindingOf(value),
      answerHash(value as unknown as Answer),
      proveReceipt(value as unknown as Receipt, secret).mac,
      createHmac("sha256", secret).update(canonicalJson(value)).digest("hex"),
      createHmac("sha256", secret)
        .update(`wisp/request/v1\n${canonicalJson(value)}`)
        .digest("hex"),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("receipts", () => {
  const secret = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
  const request = approvalRequest({}, { receiptSecret: secret });
  const unproved: Omit<Receipt, "reveal" | "mac"> = {
    v: 1,
    id: request.id,
    kind: "approval",
    outcome: "answered",
    via: "cli",
    decision: "approve",
    scope: "once",
    note: "go on",
    answer: answerHash(answerTo(request)),
    verified: { terminal: true, ancestry: null, signed: false },
    at: 1_790_000_013_000,
    seconds: 13.25,
    ran: null,
  };
  const receipt = proveReceipt(unproved, secret);

  test("a receipt of the server that filed the request is verified, as written and as read back", () => {
    expect(isReceiptVerified(receipt, request)).toBe(true);
    const read = receiptSchema.parse(JSON.parse(JSON.stringify(receipt)));
    expect(isReceiptVerified(read, request)).toBe(true);
    expect(receipt.mac).toBe(
      createHmac("sha256", secret)
        .update(`wisp/receipt/v1\n${canonicalJson(unproved)}`)
        .digest("hex"),
    );
    expect(Buffer.from(receipt.reveal ?? "", "base64url")).toEqual(Buffer.from(secret));
    expect(request.receiptCommit).toBe(commitmentOf(secret));
  });

  test("a receipt with any field changed is not verified", () => {
    const changes = [...everyChange(receipt as unknown as Json)];
    expect(changes.length).toBeGreaterThan(20);
    for (const [what, changed] of changes) {
      const parsed = receiptSchema.safeParse(changed);
      if (parsed.success) expect(isReceiptVerified(parsed.data, request), what).toBe(false);
    }
    for (const change of [
      { note: null },
      { outcome: "failed" },
      { decision: "deny" },
      { ran: true },
    ] as const) {
      expect(isReceiptVerified({ ...receipt, ...change }, request)).toBe(false);
    }
    expect(isReceiptVerified(receipt, request)).toBe(true);
  });

  test("whoever does not know the secret cannot prove a receipt", () => {
    const foreign = new Uint8Array(32).fill(1);
    expect(isReceiptVerified(proveReceipt(unproved, foreign), request)).toBe(false);
    // The secret of another request, and a MAC under a secret that was revealed somewhere else.
    const other = approvalRequest({}, { receiptSecret: foreign });
    expect(isReceiptVerified(proveReceipt({ ...unproved, id: other.id }, secret), other)).toBe(false);
    expect(isReceiptVerified({ ...proveReceipt(unproved, foreign), reveal: receipt.reveal }, request)).toBe(
      false,
    );
    expect(isReceiptVerified({ ...receipt, reveal: null }, request)).toBe(false);
    expect(isReceiptVerified({ ...receipt, mac: null }, request)).toBe(false);
    expect(isReceiptVerified({ ...receipt, reveal: null, mac: null }, request)).toBe(false);
    expect(isReceiptVerified(receipt, request)).toBe(true);
  });

  test("a receipt proves the end of its own request only", () => {
    const twin = approvalRequest({}, { receiptSecret: secret });
    expect(isReceiptVerified(receipt, twin)).toBe(false);
    expect(isReceiptVerified(proveReceipt({ ...unproved, id: twin.id }, secret), twin)).toBe(true);
  });
});

/** The same value with every object's keys in the opposite order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
}

/** Every value that differs from `value` in one place: a leaf, a missing key, a new key, the order of a list. */
function* everyChange(value: Json, path = "value"): Generator<readonly [string, Json]> {
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    yield [`${path} with one more`, [...items, "more"]];
    if (items.length > 0) yield [`${path} with one fewer`, items.slice(1)];
    if (items.length > 1) yield [`${path} in another order`, [...items.slice(1), ...items.slice(0, 1)]];
    for (const [index, item] of items.entries()) {
      for (const [what, changed] of everyChange(item, `${path}[${index}]`))
        yield [what, items.with(index, changed)];
    }
  } else if (typeof value === "object" && value !== null) {
    yield [`${path} with a new key`, { ...value, added: null }];
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _gone, ...rest } = value as Record<string, Json>;
      yield [`${path} without ${key}`, rest];
      for (const [what, changed] of everyChange(item, `${path}.${key}`))
        yield [what, { ...value, [key]: changed }];
    }
  } else yield [path, changedLeaf(value)];
}

function changedLeaf(leaf: null | boolean | number | string): Json {
  switch (typeof leaf) {
    case "string":
      return leaf.length > 0
        ? leaf.slice(0, -1) + String.fromCharCode(leaf.charCodeAt(leaf.length - 1) ^ 1)
        : "x";
    case "number":
      return leaf + 1;
    case "boolean":
      return !leaf;
    default:
      return "was null";
  }
}
