/** Audit logs in files, as servers and faces open them. */
import { type AuditLogOptions, type FileAuditLog, openAuditLog } from "../../src/broker/audit/log.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import type { Keys } from "../../src/broker/request/seal.js";
import { systemClock } from "../../src/broker/system/clock.js";

const own = ownIdentity();

/** The keys of the home at `path`, which is there. */
export function keysOf(path: string): Keys {
  return rootSecretOf({ path, ensureHome: () => path, clock: systemClock });
}

/** The log of the home at `path`. What is not said is as a face has it, but for its head, which is signed when it is closed. */
export function auditLogAt(path: string, options: Partial<AuditLogOptions> = {}): FileAuditLog {
  return openAuditLog({
    home: () => path,
    clock: systemClock,
    session: "test",
    keys: keysOf(path),
    identity: () => own,
    liveness: livenessOf,
    rotation: null,
    headDelayMs: 60_000,
    ...options,
  });
}
