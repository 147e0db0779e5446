/** A home with an audit log, its head signed, and what can be done to it. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyHead, type Head, headText } from "../../src/broker/audit/head.js";
import type { AuditLogOptions } from "../../src/broker/audit/log.js";
import { existingSigner } from "../../src/broker/audit/signing-key.js";
import { type Verification, verifyLog } from "../../src/broker/audit/verify.js";
import { auditLogAt, keysOf } from "./audit-logs.js";
import { sketched } from "./sketched.js";
import { tempDirectory } from "./temp-home.js";

/** `line` with `change` made in it, under the hash that is right for it: no secret is needed for that. */
export function rewritten(line: string, change: (body: string) => string): string {
  const body = change(line.trimEnd().replace(/,"hash":"[0-9a-f]{64}"\}$/, "}"));
  return `${body.slice(0, -1)},"hash":"${createHash("sha256").update(body).digest("hex")}"}\n`;
}

/** The log of one home, as an attacker, a crash or a test reaches it. */
export class ProvableLog {
  readonly home: string;
  readonly directory: string;
  readonly path: string;

  constructor(home = tempDirectory()) {
    this.home = home;
    this.directory = join(home, "audit");
    this.path = join(this.directory, "log.jsonl");
  }

  /** Appends so many records, by a process of its own that signs the head and ends. */
  async write(count: number, options: Partial<AuditLogOptions> = {}): Promise<void> {
    const log = auditLogAt(this.home, options);
    for (let index = 0; index < count; index += 1) {
      const details = { outcome: "approved", command: `git push ${index}` };
      await log.append([sketched({ kind: "approval.decided", call: "abcdefgh", details })], "plain");
    }
    await log.close();
  }

  verify(): Verification {
    return verifyLog(this.home, keysOf(this.home));
  }

  /** What was put aside, and then what is written; without the head and the lock. */
  files(): readonly string[] {
    return readdirSync(this.directory).filter((name) =>
      /^log\.([0-9-]+\.)?([0-9a-f]{8}\.)?jsonl$/.test(name),
    );
  }

  read(name = "log.jsonl"): string {
    return readFileSync(join(this.directory, name), "utf8");
  }

  put(text: string | Uint8Array, name = "log.jsonl"): void {
    writeFileSync(join(this.directory, name), text, { mode: 0o600 });
  }

  /** Signs, as its home does, that it goes as far as the record of this number, or as another one than that. */
  sign(seq: number, hash = hashOf(this.lines()[seq - 1])): void {
    const signer = existingSigner(this.home);
    if (signer === null) throw new Error("Nothing was written yet.");
    this.put(headText({ ...emptyHead, seq, hash }, signer), "head.json");
  }

  lines(): readonly string[] {
    return this.read().split(/(?<=\n)/);
  }
}

function hashOf(line = ""): string {
  return (JSON.parse(line) as Head).hash;
}
