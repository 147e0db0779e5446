/** The Ed25519 key that signs the head of the log: `keys/audit`, made at first use and never replaced. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { join } from "node:path";
import { publishDurably } from "../files/publish.js";
import { readBytes } from "../files/read.js";
import { ensureSafeDirectory, judgeDirectory } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { Clock } from "../system/clock.js";

/** Signs and checks signatures. */
export interface Signer {
  /** SHA-256 of the public key (SPKI, DER), hex. */
  readonly fingerprint: string;
  /** base64url. */
  sign(text: string): string;
  hasSigned(text: string, signature: string): boolean;
}

const fileName = "audit";
const mostBytes = 4 * 1024;

/** The key of the home at `path`, or null where it has none. Throws channel_unsafe for a file that is no key of ours. */
export function existingSigner(path: string): Signer | null {
  const directory = join(path, "keys");
  const file = join(directory, fileName);
  const read = readBytes(file, mostBytes);
  if (read.kind === "missing") return null;
  if (read.kind === "refused") throw wrong(file, read.objection);
  // In a directory that others can write, it could be one that they put there.
  judgeDirectory(directory);
  const key = privateKeyIn(read.bytes);
  if (key === null) throw wrong(file, "not an Ed25519 key");
  return signerOf(key);
}

/** The same; makes it where there is none. The home must be there and judged. Whoever loses the race takes the winner's. */
export async function madeSigner(path: string, clock: Clock): Promise<Signer> {
  const found = existingSigner(path);
  if (found !== null) return found;
  const directory = join(path, "keys");
  ensureSafeDirectory(directory);
  const { privateKey } = generateKeyPairSync("ed25519");
  const text = privateKey.export({ type: "pkcs8", format: "pem" });
  await publishDurably(directory, fileName, text, clock);
  const winner = existingSigner(path);
  if (winner !== null) return winner;
  throw new WispError("channel_unavailable", `${join(directory, fileName)} is gone again.`);
}

function privateKeyIn(bytes: Uint8Array): KeyObject | null {
  try {
    const key = createPrivateKey({ key: Buffer.from(bytes), format: "pem" });
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    // Whatever is wrong with it, it is no key.
    return null;
  }
}

function signerOf(key: KeyObject): Signer {
  const publicKey = createPublicKey(key);
  const fingerprint = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
  return {
    fingerprint,
    sign: (text) => sign(null, Buffer.from(text, "utf8"), key).toString("base64url"),
    hasSigned: (text, signature) =>
      verify(null, Buffer.from(text, "utf8"), publicKey, Buffer.from(signature, "base64url")),
  };
}

function wrong(path: string, what: string): WispError {
  const file = shellQuoted(path);
  return new WispError("channel_unsafe", `${path}: ${what}.`, {
    why: "It is the key that signs the head of the audit log, so nothing is signed and no other is made.",
    fix: what === "open to others" ? `chmod 600 ${file}` : `mv ${file} ${shellQuoted(`${path}.old`)}`,
    details: { path },
  });
}
