/**
 * The record of calls that nobody was asked about. They are many, and their callers wait for no disk: what goes by is
 * written down together, soon after. Invariant: while it cannot be written down, nothing more goes by.
 */
import {
  type AuditEvent,
  type AuditLog,
  type Clock,
  canonicalJson,
  type GateRuling,
  sha256Hex,
  shownText,
  type Timer,
} from "../../../broker/index.js";
import type { Peer } from "../../mcp/peer.js";
import { ruleLine } from "../../mcp/verdict.js";
import type { ServerIdentity, ToolCall } from "./tool-subject.js";

/** Of one connection. */
export interface PassedLog {
  /** To be called before a call goes by. Rejects with audit_unavailable while those before it could not be written down. */
  ready(): Promise<void> | null;
  /** A call goes by now. */
  add(event: AuditEvent): void;
  /** Writes down what is left. Never rejects. */
  close(): Promise<void>;
}

/** What is written of a call that a rule let through. `client` is null for a call of the gate's own. */
export function passedEvent(
  server: ServerIdentity,
  { tool, arguments: given }: ToolCall,
  { verdict }: Pick<GateRuling, "verdict">,
  client: Peer["client"],
): AuditEvent {
  const shownClient =
    client === null ? null : { name: shownText(client.name), version: shownText(client.version) };
  return {
    kind: "call.passed",
    call: null,
    verified: {
      server: server.name,
      tool: shownText(tool.name),
      arguments: sha256Hex(canonicalJson(given)),
    },
    selfReported: { client: shownClient, thread: null },
    details: { rule: shownText(ruleLine(verdict.rule)) },
  };
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
