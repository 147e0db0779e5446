/**
 * `audit/head.json`: how far the log went when it was last signed. Invariant: what it says is on disk, and one that is not
 * ours is never signed again.
 */
import { join } from "node:path";
import { readJson } from "../files/read.js";
import { canonicalJson } from "../request/binding.js";
import * as s from "../request/shape.js";
import { beforeFirst, type HeadFault, type Link } from "./chain.js";
import { headName } from "./places.js";
import type { Signer } from "./signing-key.js";

/** What is signed. */
export interface Head extends Link {
  /** The first record that is still kept, and the hash of the one before it. */
  readonly start: { readonly seq: number; readonly prev: string };
}

/** The head of a log without records. */
export const emptyHead: Head = { ...beforeFirst, start: { seq: 1, prev: beforeFirst.hash } };

/** A head as it was found. */
export type FoundHead =
  | { readonly kind: "good"; readonly head: Head }
  | { readonly kind: "missing" }
  | { readonly kind: "bad"; readonly fault: Extract<HeadFault, "head_unreadable" | "head_not_signed"> };

const hex = s.string({ pattern: /^[0-9a-f]{64}$/ });

const headSchema = s.strictObject({
  v: s.literal(1),
  seq: s.integer({ least: 0 }),
  hash: hex,
  start: s.strictObject({ seq: s.integer({ least: 1 }), prev: hex }),
  key: hex,
  signature: s.string({ pattern: /^[A-Za-z0-9_-]{86}$/ }),
});

const mostBytes = 4 * 1024;
const label = "wisp/audit-head/v1";

/** Reads the head in `directory`; without a key none is ours. Never throws. */
export function readHead(directory: string, signer: Signer | null): FoundHead {
  const read = readJson(join(directory, headName), mostBytes);
  if (read.kind === "missing") return { kind: "missing" };
  if (read.kind === "refused") return { kind: "bad", fault: "head_unreadable" };
  const parsed = headSchema.safeParse(read.value);
  if (!parsed.success) return { kind: "bad", fault: "head_unreadable" };
  const { signature, ...signed } = parsed.data;
  const isGood =
    signer !== null &&
    signed.key === signer.fingerprint &&
    signer.hasSigned(`${label}\n${canonicalJson(signed)}`, signature);
  if (!isGood) return { kind: "bad", fault: "head_not_signed" };
  const { seq, hash, start } = signed;
  return { kind: "good", head: { seq, hash, start } };
}

/**
 * What it says, as one text; null where it is not ours. Two of them are compared by it, and never by the state of the file:
 * anybody of this account can change that without end.
 */
export function saidBy(found: FoundHead): string | null {
  return found.kind === "good" ? canonicalJson(found.head) : null;
}

/** The text of the file that says so. */
export function headText({ seq, hash, start }: Head, signer: Signer): string {
  const signed = { v: 1, seq, hash, start, key: signer.fingerprint };
  return `${JSON.stringify({ ...signed, signature: signer.sign(`${label}\n${canonicalJson(signed)}`) })}\n`;
}

/**
 * `keys/audit-anchor`: how far the log was at least. It lies where an agent that may write the log may not, and waits for no
 * head, so that a log that was put back is noticed whatever became of its head.
 */
export const anchorName = "audit-anchor";

/** How far a log was, and where it began, at least. */
export interface Anchor {
  /** The number of the last record that was on disk; 0 where nothing says so. */
  readonly seq: number;
  /** The number of the first record that is kept, by the last head that was signed. */
  readonly start: number;
  /** The number of the last record that this head names. */
  readonly head: number;
}

const anchorSchema = s.strictObject({
  v: s.literal(1),
  seq: s.integer({ least: 0 }),
  start: s.integer({ least: 1 }),
  /** Missing where it was written together with each head. */
  head: s.nullish(s.integer({ least: 0 })),
});

/** What the home at `path` says of it. Never throws. */
export function readAnchor(path: string): Anchor {
  const read = readJson(join(path, "keys", anchorName), mostBytes);
  const parsed = read.kind === "value" ? anchorSchema.safeParse(read.value) : null;
  if (parsed?.success !== true) return { seq: 0, start: 1, head: 0 };
  const { seq, start, head } = parsed.data;
  return { seq, start, head: head ?? seq };
}

/** The text of the file that says so. */
export function anchorText({ seq, start, head }: Anchor): string {
  return `${JSON.stringify({ v: 1, seq, start, head })}\n`;
}
