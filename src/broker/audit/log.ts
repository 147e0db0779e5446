/**
 * `audit/log.jsonl`: one line a record. Invariant: an append that was asked to be durable resolves only when its
 * lines are on disk. Records carry no chain yet.
 */
import { join } from "node:path";
import { appendLines } from "../files/durable.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { errnoOf, WispError } from "../request/errors.js";
import type { Clock } from "../system/clock.js";
import type { AuditEvent, AuditLog } from "./audit-log.js";

/** Where the lines go, and what each says beside its event. */
export interface AuditLogOptions {
  /** Makes the home where it is missing, judges it, and returns its path. Called before each append. */
  readonly home: () => string;
  readonly clock: Clock;
  /** Which process writes: the instance of a server, or the name of a face. */
  readonly session: string;
}

/** The log of one process. Makes and opens nothing before the first append; processes may share the file. */
export function openAuditLog(options: AuditLogOptions): AuditLog {
  return {
    async append(events, durability) {
      const lines = events.map((event) => lineOf(event, options)).join("");
      try {
        const directory = join(options.home(), "audit");
        ensureSafeDirectory(directory);
        await appendLines(join(directory, "log.jsonl"), lines, durability === "durable");
      } catch (error) {
        throw new WispError("audit_unavailable", "The audit log cannot be written.", {
          ...(error instanceof WispError ? { why: error.message, fix: error.fix } : { why: whyOf(error) }),
          cause: error,
        });
      }
    },
  };
}

function lineOf(event: AuditEvent, { clock, session }: AuditLogOptions): string {
  const record = {
    v: 1,
    ts: clock.now(),
    kind: event.kind,
    session,
    call: event.call,
    verified: event.verified ?? {},
    selfReported: event.selfReported ?? {},
    details: event.details ?? {},
  };
  return `${JSON.stringify(record)}\n`;
}

function whyOf(error: unknown): string {
  return errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
}
