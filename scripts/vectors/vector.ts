/** One file of the vectors and what a reader of the channel must make of it. */
import type { Shortfall } from "../../src/broker/request/assurance.js";
import type { ErrorCode } from "../../src/broker/request/error-codes.js";

/** Which of the channel's files it stands for. */
export type VectorRole = "request" | "answer" | "receipt" | "refusal" | "spool";

export interface Vector {
  /** Path below test/vectors/channel. */
  readonly file: string;
  readonly as: VectorRole;
  /** The file name it would have in the channel. */
  readonly name: string;
  /** `ok`, `newer`, or why it is not taken. */
  readonly expect: string;
  /** The error code of whoever tries to answer it, or of the answer; null where there is none. */
  readonly code: ErrorCode | null;
  /** For all but requests: the file of the request they belong to. */
  readonly request?: string;
  /** For refusals: the file of the answer that a face looks for one of. */
  readonly answer?: string;
  /** For good requests: SHA-256, hex, as in the file. */
  readonly binding?: string;
  /** For good answers: SHA-256, hex, as the receipt carries it. */
  readonly hash?: string;
  /** For good refusals: what was wanting of the process that answered. */
  readonly shortfall?: Shortfall;
  /** For good receipts: the secret (hex) that the server committed to, and what it proves. */
  readonly secret?: string;
  readonly mac?: string | null;
  readonly isVerified?: boolean;
}

export interface VectorFile {
  readonly vector: Vector;
  readonly bytes: Uint8Array;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
