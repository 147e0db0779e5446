/**
 * The hash that ties an answer to what was shown, and the hashes that tie a receipt to its answer and to the
 * server that wrote it. All are over RFC 8785 canonical JSON. Requests and receipts stand behind a label of their
 * own and an answer begins with `{`, so that no value of one kind can stand in for another. Callers pass values
 * that came from the strict parser or the schemas.
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import canonicalize from "canonicalize";
import type { Answer } from "./answer.js";
import type { Receipt } from "./receipt.js";
import type { Draft, Request } from "./request.js";
import { formatVersion } from "./request.js";

/** RFC 8785 canonical JSON of a JSON value. Throws an Error for NaN, infinities and lone surrogates. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("This value has no canonical JSON.");
  return text;
}

/** SHA-256, hex, over the whole request without `binding`: every field that any face can show. */
export function bindingOf(request: Record<string, unknown>): string {
  const { binding: _itself, ...bound } = request;
  return labelledHash("wisp/request/v1\n", bound);
}

/** SHA-256, hex, of the answer as it was taken: a face has won only when a receipt carries its own. */
export function answerHash(answer: Answer): string {
  return hash("sha256", canonicalJson(answer), "hex");
}

/** What only the asking server can add to a draft. */
export interface FilingFacts {
  readonly id: string;
  readonly createdAt: number;
  readonly server: Request["server"];
  /** 32 random bytes, base64url. */
  readonly nonce: string;
  /** The 32 bytes the server keeps in memory until the receipt. */
  readonly receiptSecret: Uint8Array;
}

/** The request as it is filed: the draft, what the server adds, and the binding over all of it. */
export function composeRequest(draft: Draft, facts: FilingFacts): Request {
  const unbound = {
    ...draft,
    v: formatVersion,
    id: facts.id,
    createdAt: facts.createdAt,
    server: facts.server,
    nonce: facts.nonce,
    receiptCommit: commitmentOf(facts.receiptSecret),
  } as const;
  // The spread keeps the draft's kind together with its own fields, which the type system cannot see.
  return { ...unbound, binding: bindingOf(unbound) } as Request;
}

/** SHA-256, hex, of the secret a server reveals only in the receipt. */
export function commitmentOf(secret: Uint8Array): string {
  return hash("sha256", secret, "hex");
}

/** Adds the proof that this receipt comes from whoever filed the request: `reveal` and the HMAC under it. */
export function proveReceipt(receipt: Omit<Receipt, "reveal" | "mac">, secret: Uint8Array): Receipt {
  return { ...receipt, reveal: Buffer.from(secret).toString("base64url"), mac: receiptMac(receipt, secret) };
}

/** Does the receipt come from the server that filed `request`? A receipt without proof is never verified. */
export function isReceiptVerified(receipt: Receipt, request: Pick<Request, "id" | "receiptCommit">): boolean {
  const { reveal, mac, ...unproved } = receipt;
  if (reveal === null || mac === null || receipt.id !== request.id) return false;
  const secret = Buffer.from(reveal, "base64url");
  if (commitmentOf(secret) !== request.receiptCommit) return false;
  return timingSafeEqual(Buffer.from(receiptMac(unproved, secret), "hex"), Buffer.from(mac, "hex"));
}

function receiptMac(receipt: Omit<Receipt, "reveal" | "mac">, secret: Uint8Array): string {
  return createHmac("sha256", secret)
    .update(`wisp/receipt/v1\n${canonicalJson(receipt)}`, "utf8")
    .digest("hex");
}

function labelledHash(label: string, value: unknown): string {
  return hash("sha256", `${label}${canonicalJson(value)}`, "hex");
}
