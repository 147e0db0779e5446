/**
 * The one secret of a home, from which every key is derived that only we can have used. Invariant: a secret that is
 * there is never replaced, not even a wrong one: everything that was sealed with it would silently become worthless.
 */
import { hkdfSync } from "node:crypto";
import { join } from "node:path";
import { syncNames } from "../files/home-place.js";
import { publishDurably } from "../files/publish.js";
import { type ReadObjection, readBytes } from "../files/read.js";
import { ensureSafeDirectory, judgeDirectory } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { Clock } from "../system/clock.js";

/** Keys by what they are for. Nothing is read or made before the first one is asked for. */
export interface RootSecret {
  /**
   * 32 bytes that nobody can tell without the secret, other ones for every `label`. Makes the secret where there is
   * none. Rejects with channel_unsafe for a file that is no secret of ours, with channel_unavailable for a broken disk.
   */
  derivedKey(label: string): Promise<Uint8Array>;
  /** The same where the secret is there; null where there is none, and makes nothing. Throws as above. */
  existingKey(label: string): Uint8Array | null;
}

/** Where the secret lies. */
export interface RootSecretOptions {
  /** The path of the home; nothing is looked at before a key is asked for. */
  readonly path: string;
  /** Makes the home where it is missing, judges it, and returns its path. */
  readonly ensureHome: () => string;
  readonly clock: Clock;
}

/** As many as the hash of HKDF gives: more would not make a key harder to guess. */
const secretBytes = 32;

const fileName = "root";

/** The secret of one home, in the memory of this process once it was read: a file that changes later changes nothing. */
export function rootSecretOf({ path, ensureHome, clock }: RootSecretOptions): RootSecret {
  const directory = join(path, "keys");
  let secret: Uint8Array | null = null;
  let isOnDisk = false;
  const derived = new Map<string, Uint8Array>();

  function keyOf(root: Uint8Array, label: string): Uint8Array {
    const key = derived.get(label) ?? derive(root, label);
    derived.set(label, key);
    return key;
  }

  async function made(): Promise<Uint8Array> {
    ensureHome();
    ensureSafeDirectory(directory);
    // Whoever loses this race takes the winner's.
    await publishDurably(directory, fileName, clock.randomBytes(secretBytes), clock);
    const winner = readSecret(directory);
    if (winner !== null) return winner;
    throw new WispError("channel_unavailable", `${join(directory, fileName)} is gone again.`);
  }

  /** Whoever made it may have died before its name was on disk: what is sealed with it must not outlive it. */
  async function synced(): Promise<void> {
    if (isOnDisk) return;
    await syncNames(path);
    await syncNames(directory);
    isOnDisk = true;
  }

  return {
    async derivedKey(label) {
      secret ??= readSecret(directory) ?? (await made());
      await synced();
      return keyOf(secret, label);
    },
    existingKey(label) {
      secret ??= readSecret(directory);
      return secret === null ? null : keyOf(secret, label);
    },
  };
}

function derive(secret: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), label, secretBytes));
}

/** The secret in `directory`, or null where there is none. */
function readSecret(directory: string): Uint8Array | null {
  const path = join(directory, fileName);
  const result = readBytes(path, secretBytes);
  switch (result.kind) {
    case "missing":
      return null;
    case "refused":
      throw wrong(path, result.objection);
    case "bytes":
      // In a directory that others can write, it could be one that they put there.
      judgeDirectory(directory);
      if (result.bytes.length !== secretBytes) throw wrong(path, "too short");
      return result.bytes;
    default:
      return result satisfies never;
  }
}

function wrong(path: string, what: ReadObjection | "too short"): WispError {
  const file = shellQuoted(path);
  if (what.startsWith("cannot be read")) {
    return new WispError("channel_unavailable", `${path}: ${what}.`, { details: { path } });
  }
  return new WispError("channel_unsafe", `${path}: ${what}.`, {
    why: "It holds the secret that approvals are sealed with, so nothing is sealed and no other is made.",
    fix: what === "open to others" ? `chmod 600 ${file}` : `mv ${file} ${shellQuoted(`${path}.old`)}`,
    details: { path },
  });
}
