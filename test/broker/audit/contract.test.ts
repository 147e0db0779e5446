import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent } from "../../../src/broker/audit/audit-log.js";
import { describeAuditLog } from "../../support/audit-log-contract.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { FakeClock } from "../../support/fake-clock.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";
import type { Sketch } from "../../support/sketched.js";

const complete = (event: AuditEvent): Required<Sketch> => ({
  verified: {},
  selfReported: {},
  details: {},
  ...event,
});

describeAuditLog("in memory", () => {
  const log = new MemoryAuditLog();
  return {
    log,
    written: () => log.events.map(complete),
    breakIt: () => {
      log.failing = "all";
    },
    repair: () => {
      log.failing = "none";
    },
    close: () => {},
  };
});

describeAuditLog("in a file", () => {
  const home = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const directory = join(home, "audit");
  const path = join(directory, "log.jsonl");
  return {
    log: auditLogAt(home, { clock: new FakeClock(), session: "s" }),
    written() {
      const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
      return lines.map((line) => {
        const { kind, call, verified, selfReported, details } = JSON.parse(line) as Required<Sketch>;
        return { kind, call, verified, selfReported, details };
      });
    },
    // A directory that others can open is refused, to root as well.
    breakIt: () => chmodSync(directory, 0o755),
    repair: () => chmodSync(directory, 0o700),
    close: () => rmSync(home, { recursive: true }),
  };
});
