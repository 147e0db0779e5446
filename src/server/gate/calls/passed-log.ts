/**
 * The record of calls that nobody was asked about. They are many, and their callers wait for no disk: what goes by is
 * written down together, soon after. Invariant: nothing goes by before something was written, the call itself at first; nor
 * after a write that failed, until one is good.
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
  /**
   * To be called before a call goes by. Null where the log is known to take what is written: then `add` the call once it is
   * sent. Else `event` is on disk when the promise resolves, with all that was left; rejects with audit_unavailable.
   */
  ready(event: () => AuditEvent): Promise<void> | null;
  /** What goes by now, and was not written by `ready`. */
  add(event: AuditEvent): void;
  /**
   * The same. What is written is worked out when what this returns is called, so that the call need not wait for it, and at
   * the latest when it is written.
   */
  addUnder(event: () => AuditEvent): () => void;
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
  let kept: Entry[] = [];
  let timer: Timer | null = null;
  /** Over when that write is, however it ends. */
  let underWay: Promise<void> | null = null;
  /** Was a call written before it went by, and no write failed since? */
  let isGood = false;
  let isClosed = false;

  async function append(
    entries: readonly Entry[],
    own: readonly AuditEvent[],
    durability: "durable" | "plain",
  ): Promise<void> {
    await audit().append([...entries.map(eventOf), ...own], durability);
  }

  /** One after the other: what one of them failed to write is in the next. */
  async function write(own: readonly AuditEvent[], durability: "durable" | "plain"): Promise<void> {
    while (underWay !== null) await underWay;
    timer?.cancel();
    timer = null;
    const entries = kept;
    if (entries.length === 0 && own.length === 0) return;
    kept = [];
    const writing = append(entries, own, durability);
    const isOver = (): void => {
      underWay = null;
    };
    underWay = writing.then(isOver, isOver);
    try {
      await writing;
      // Not by what is no call: the first one is on disk itself.
      if (durability === "durable") isGood = true;
    } catch (error) {
      kept = [...entries, ...kept];
      isGood = false;
      if (kept.length > 0 && !isClosed) again();
      throw error;
    }
  }

  function again(): void {
    timer ??= clock.after(delayMs, () => void flushed());
  }

  /** What was not written stays, and is tried again; the next call says so. */
  async function flushed(): Promise<void> {
    await write([], "plain").catch(() => undefined);
  }

  function keep(entry: Entry): void {
    kept.push(entry);
    if (kept.length < most) again();
    // Whoever is being written takes no more: the next one takes all of these.
    else if (kept.length === most || underWay === null) void flushed();
  }

  return {
    ready: (event) => (isGood ? null : write([event()], "durable")),
    add: (event) => keep({ event }),
    addUnder(event) {
      const entry: Entry = { event };
      keep(entry);
      return () => void eventOf(entry);
    },
    close() {
      isClosed = true;
      return flushed();
    },
  };
}

/** What is to be written, or how to work it out. */
interface Entry {
  event: AuditEvent | (() => AuditEvent);
}

function eventOf(entry: Entry): AuditEvent {
  if (typeof entry.event === "function") entry.event = entry.event();
  return entry.event;
}
