/**
 * The record of calls that nobody was asked about. They are many, and their callers wait for no disk: what goes by is
 * written down together, soon after. Invariant: while it cannot be written down, nothing more goes by.
 */
import type { AuditEvent, AuditLog, Clock, Timer } from "../../../broker/index.js";

/** Of one connection. */
export interface PassedLog {
  /** To be called before a call goes by. Rejects with audit_unavailable while those before it could not be written down. */
  ready(): Promise<void> | null;
  /** A call goes by now. */
  add(event: AuditEvent): void;
  /** Writes down what is left. Never rejects. */
  close(): Promise<void>;
}

const delayMs = 250;
/** So many make no caller wait, and are written down at once. */
const most = 256;

/** `audit` is asked for when there is something to write. */
export function createPassedLog(audit: () => Pick<AuditLog, "append">, clock: Clock): PassedLog {
  let kept: AuditEvent[] = [];
  let timer: Timer | null = null;
  let hasFailed = false;

  async function flush(): Promise<void> {
    timer?.cancel();
    timer = null;
    const events = kept;
    if (events.length === 0) return;
    kept = [];
    try {
      await audit().append(events, "plain");
      hasFailed = false;
    } catch (error) {
      kept = [...events, ...kept];
      hasFailed = true;
      throw error;
    }
  }

  /** What was not written stays, and the next call says so. */
  function flushed(): Promise<void> {
    return flush().catch(() => undefined);
  }

  return {
    ready: () => (hasFailed ? flush() : null),
    add(event) {
      kept.push(event);
      if (kept.length >= most) void flushed();
      else timer ??= clock.after(delayMs, () => void flushed());
    },
    close: flushed,
  };
}
