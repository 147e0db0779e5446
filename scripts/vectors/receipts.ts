/** Receipts and spooled texts of the vectors. */
import { answerHash, proveReceipt } from "../../src/broker/request/binding.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import { type Receipt, receiptFileName } from "../../src/broker/request/receipt.js";
import { requestFile, yes } from "./answers.js";
import { fixedBytes, goodRequest, longLine, secretOf } from "./good-requests.js";
import { bytesOf, type VectorFile } from "./vector.js";

const base = goodRequest("approval-words");
const baseFile = requestFile("approval-words");

const ended = {
  v: 1,
  id: base.id,
  kind: "approval",
  outcome: "answered",
  via: "cli",
  decision: "approve",
  scope: "once",
  note: null,
  answer: answerHash(yes),
  verified: { terminal: true, ancestry: true, signed: null },
  at: 1_790_000_012_250,
  seconds: 12.25,
  ran: null,
} as const;

const proved = proveReceipt(ended, secretOf(baseFile));
const timedOut = {
  ...ended,
  outcome: "timed_out",
  via: "server",
  decision: "timed_out",
  scope: null,
  verified: null,
  ran: false,
} as const;
const stale = {
  ...ended,
  outcome: "stale",
  via: null,
  decision: null,
  scope: null,
  answer: null,
  verified: null,
  ran: false,
} as const;

/** [name, receipt, is it verified] */
const goodReceipts: readonly (readonly [string, Receipt, boolean])[] = [
  ["answered", proved, true],
  [
    "with-what-was-not-seen",
    proveReceipt(
      { ...ended, note: "é", verified: { terminal: true, ancestry: null, signed: false } },
      secretOf(baseFile),
    ),
    true,
  ],
  ["nobody-looked", proveReceipt({ ...ended, verified: null }, secretOf(baseFile)), true],
  ["level-raised", { ...proved, verified: { terminal: true, ancestry: true, signed: true } }, false],
  ["timed-out", proveReceipt(timedOut, secretOf(baseFile)), true],
  ["swept", { ...stale, reveal: null, mac: null }, false],
  ["field-changed", { ...proved, decision: "deny", scope: null }, false],
  ["foreign-secret", proveReceipt(ended, fixedBytes("another secret")), false],
  ["proof-moved", { ...proved, mac: proveReceipt(ended, fixedBytes("another secret")).mac }, false],
];

const badReceipts: readonly (readonly [string, object])[] = [
  ["unknown-key", { ...proved, approved: true }],
  ["key-missing", { ...proved, ran: undefined }],
  ["newer", { ...proved, v: 2 }],
  ["unknown-outcome", { ...proved, outcome: "approved" }],
  ["id-not-its-name", { ...proved, id: "zzzzzzzz" }],
  ["negative-duration", { ...proved, seconds: -1 }],
];

export function receiptVectors(): readonly VectorFile[] {
  const secret = Buffer.from(secretOf(baseFile)).toString("hex");
  const name = receiptFileName(base.id);
  const taken = goodReceipts.map(
    ([what, receipt, isVerified]): VectorFile => ({
      vector: {
        file: `valid/receipt-${what}.json`,
        as: "receipt",
        name,
        expect: "ok",
        code: null,
        request: baseFile,
        secret,
        mac: receipt.mac,
        isVerified,
      },
      bytes: bytesOf(JSON.stringify(receipt)),
    }),
  );
  const refused = badReceipts.map(
    ([what, receipt]): VectorFile => ({
      vector: {
        file: `refused/receipt-${what}.json`,
        as: "receipt",
        name,
        expect: "it is not a receipt",
        code: null,
        request: baseFile,
      },
      bytes: bytesOf(JSON.stringify(receipt)),
    }),
  );
  return [...taken, ...refused];
}

/** The whole of the long text, and what must not be taken for it. */
export function spoolVectors(): readonly VectorFile[] {
  const name = sha256Hex(longLine);
  const request = requestFile("approval-long");
  const file = (path: string, expect: string, text: string): VectorFile => ({
    vector: { file: path, as: "spool", name, expect, code: null, request },
    bytes: bytesOf(text),
  });
  return [
    file("valid/spool-long-line.txt", "ok", longLine),
    file("refused/spool-cut.txt", "it is not the text", longLine.slice(0, 100)),
    file("refused/spool-changed.txt", "it is not the text", longLine.replace("document", "documant")),
  ];
}
