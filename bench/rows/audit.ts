/** What it costs to verify an audit log, against what no verification can do without. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  ensureHome,
  livenessOf,
  openAuditLog,
  ownIdentity,
  rootSecretOf,
  systemClock,
  verifyLog,
} from "../../src/broker/index.js";
import { blocksOfTime, type Row } from "../row.js";
import { newPlace } from "../support/places.js";
import { alternate, ratioOf } from "../verdict.js";

const records = 20_000;
const perAppend = 500;
const rounds = 10;

export const auditRow: Row = {
  name: "audit-verify",
  what: "`audit verify` of 20,000 records: form, number, chain and hash of each, the signed head; CPU",
  against: "reading the same bytes and one SHA-256 over them",
  unit: "×",
  gate: { bar: 6, goal: 3, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "there is no signed head, so the mac of each record is looked at as well",
  async open({ fault }) {
    const place = newPlace();
    const { home } = place;
    const keys = rootSecretOf({
      path: home.path,
      ensureHome: () => ensureHome(home, systemClock),
      clock: systemClock,
    });
    const log = openAuditLog({
      home: () => ensureHome(home, systemClock),
      clock: systemClock,
      session: "bench",
      keys,
      identity: ownIdentity,
      liveness: livenessOf,
      rotation: null,
      headDelayMs: 60_000,
    });
    for (let written = 0; written < records; written += perAppend) {
      await log.append(Array.from({ length: perAppend }, decided), "plain");
    }
    await log.close();
    const directory = join(home.path, "audit");
    if (fault) rmSync(join(directory, "head.json"));
    const path = join(directory, "log.jsonl");
    const verify = (): void => {
      const { records: good } = verifyLog(home.path, keys);
      if (good !== records) throw new Error(`Only ${good} records are good.`);
    };
    return {
      block: async () =>
        ratioOf(
          await alternate(
            rounds,
            () => cpuMsOfCall(() => digestOf(path)),
            () => cpuMsOfCall(verify),
          ),
        ),
      async close() {
        place.remove();
      },
    };
  },
};

function decided() {
  return {
    kind: "approval.decided",
    call: "abcdefgh",
    selfReported: { client: { name: "bench", version: "1" }, thread: null, says: null },
    details: {
      outcome: "approved",
      level: "high",
      rule: "every command asks (built in)",
      subject: "command",
      command: "git push origin main",
      directory: "/home/p/api",
      via: "cli",
      scope: "once",
      seconds: 2.5,
    },
  } as const;
}

function digestOf(path: string): void {
  const file = openSync(path, "r");
  const piece = Buffer.allocUnsafe(1024 * 1024);
  const digest = createHash("sha256");
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
    digest.update(piece.subarray(0, read));
  }
  digest.digest("hex");
  closeSync(file);
}

async function cpuMsOfCall(call: () => void): Promise<number> {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
