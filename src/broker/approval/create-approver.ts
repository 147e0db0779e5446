/**
 * The one approver of a server. Invariants: a request is settled exactly once; `approved` leaves here only when an
 * approving answer stood in the slot, now or for the rule that allows the call, the decision is on disk and the caller
 * is still there. Whatever else happens runs nothing.
 */

import type { AuditLog } from "../audit/audit-log.js";
import type { Channel } from "../channel/channel.js";
import { type Likeness, likenessOf } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Level, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Approver } from "./approver.js";
import { type Call, callerCancelled, endedAlone, failedBy, type Gone, secondsBetween } from "./call.js";
import { createDeadlines } from "./deadlines.js";
import { answerWriter } from "./decision-slot.js";
import { createDenials, type Denial } from "./denials.js";
import { createDialogUse } from "./dialog-use.js";
import type { Grant } from "./grants.js";
import { writerInto } from "./journal.js";
import type { Placed } from "./place.js";
import type { Decided } from "./race.js";
import { oneLine } from "./reason.js";
import { allowedEvents, assuranceOfTaken, decidedEvent } from "./record.js";
import { createSessionGrants } from "./session-grants.js";
import { Wait } from "./wait.js";

/** What an approver is made of: where it asks, where it writes that down, and in whose name. */
export interface ApproverParts {
  /** Where requests are filed, for this process's own use; null where only the client's dialog may ask. */
  readonly channel: Channel | null;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly server: RequestServer;
  /** The program's version, as it stands in the answers it gives itself. */
  readonly version: string;
  /** How long a person has; 0 waits for ever. */
  readonly timeoutSeconds: number;
  /** For so long a person's no also answers identical asks; 0 asks each time. */
  readonly declineMemorySeconds: number;
  /** An answer of the client's dialog that comes sooner than this was read by nobody; 0 believes every answer. */
  readonly unseenAnswerMs: number;
  /** Is an answer of the client's dialog enough for what can do this much harm? */
  readonly dialogCounts: (level: Level) => boolean;
}

/** Settling takes a moment each and a process must end soon: of the newest so many every face learns at once. */
const mostSettledAtEnd = 256;

/** Touches nothing, in the channel or the audit log, before the first ask. */
export function createApprover(parts: ApproverParts): Approver {
  const { channel, audit, clock, server, timeoutSeconds } = parts;
  const write = writerInto(audit);
  const timeoutMs = timeoutSeconds === 0 ? null : timeoutSeconds * 1_000;
  const deadlines = createDeadlines<Wait>(clock, timeoutMs, (wait) =>
    wait.end("timed_out", `nobody answered within ${timeoutSeconds} s`),
  );
  const denials = createDenials(clock, parts.declineMemorySeconds);
  const grants = createSessionGrants(clock);
  const calls = new Set<Promise<Outcome>>();
  /** What an identical call may join. */
  const open = new Map<string, Wait>();
  const racing = new Set<Wait>();
  const filed = new Map<string, Wait>();
  let stopListening: (() => void) | null = null;
  let closedBecause: string | null = null;

  const waitParts = {
    write,
    clock,
    placing: { channel, clock, server, timeoutMs, writeAnswer: answerWriter(clock, server, parts.version) },
    dialogs: createDialogUse(parts.dialogCounts),
    unseenAnswerMs: parts.unseenAnswerMs,
    whyGone,
    onRacing(wait: Wait, { request, slot }: Placed): void {
      racing.add(wait);
      deadlines.add(wait);
      if (slot.isFiled) listenFor(request.id, wait);
    },
    onDecided(wait: Wait, { request }: Placed, decided: Decided): (() => void) | null {
      racing.delete(wait);
      filed.delete(request.id);
      deadlines.remove(wait);
      return remember(wait.likeness, request.id, decided);
    },
    onClosed(wait: Wait): void {
      if (open.get(wait.key) === wait) open.delete(wait.key);
    },
  };

  /** Everything up to the first await is one step: of identical calls at one instant, one asks and the others join. */
  function run(call: Call): Promise<Outcome> {
    // A cancellation may come before the call's own handler runs; then no listener would ever hear it.
    const gone = whyGone(call.signal);
    if (gone !== null) return Promise.resolve(endedAlone(gone, { request: null, seconds: 0 }));
    const likeness = likenessOf(call.ask.subject);
    // A no comes first: whatever was allowed before it, it is the newer word.
    const denial = denials.find(likeness);
    if (denial !== null) return refuseAgain(call, denial);
    const grant = grants.use(likeness);
    if (grant !== null) return allow(call, grant);
    return waitFor(call, likeness).attach(call);
  }

  /** The identical ask that waits, or a new one; the same in another state gives way to this. */
  function waitFor({ ask: { thread } }: Call, likeness: Likeness): Wait {
    const key = thread === null ? likeness.subject : `${likeness.subject} ${thread}`;
    const there = open.get(key);
    if (there?.likeness.state === likeness.state) return there;
    there?.supersede();
    const wait = new Wait(likeness, key, waitParts);
    open.set(key, wait);
    return wait;
  }

  async function refuseAgain({ ask, startedAt }: Call, denial: Denial): Promise<Outcome> {
    const { name, via, request } = denial;
    const seconds = secondsBetween(startedAt, clock.monotonic());
    await write([decidedEvent(ask, request, name, { via, remembered: true, seconds })], "plain");
    return { ...denial, scope: null, assurance: null, seconds };
  }

  /** What a rule allows is on disk like any other yes before it counts. */
  async function allow({ ask, signal, startedAt }: Call, grant: Grant): Promise<Outcome> {
    const { via, scope, assurance, request } = grant;
    const seconds = secondsBetween(startedAt, clock.monotonic());
    const fault = await write(allowedEvents(ask, grant, seconds), "durable");
    const ended = whyGone(signal) ?? (fault === null ? null : failedBy(fault));
    if (ended === null) {
      return { name: "approved", via, scope, assurance, note: null, unseenMs: null, request, seconds };
    }
    await write([decidedEvent(ask, request, ended.name, { why: ended.note, seconds })], "plain");
    return endedAlone(ended, { request, seconds });
  }

  /** What a person's answer means for asks that come later; what is returned leaves the rule of a yes. */
  function remember(likeness: Likeness, request: string, decided: Decided): (() => void) | null {
    const { name, note, taken, reading } = decided;
    const { via, scope } = taken.answer;
    if (name === "denied" || name === "declined") {
      const unseenMs = reading?.isUnseen === true ? Math.round(reading.ms) : null;
      denials.remember(likeness, { name, via, note, unseenMs, request });
      grants.revoke(likeness.subject);
    }
    if (name !== "approved" || scope !== "session") return null;
    return grants.prepare(likeness, { scope, via, assurance: assuranceOfTaken(taken), request });
  }

  /** One subscription for all that waits. */
  function listenFor(id: string, wait: Wait): void {
    filed.set(id, wait);
    if (stopListening !== null || channel === null) return;
    stopListening = channel.changes((changed) => {
      if (changed !== null) filed.get(changed)?.look();
      else for (const waiting of filed.values()) waiting.look();
    });
  }

  function whyGone(signal: AbortSignal): Gone | null {
    if (signal.aborted) return { name: "abandoned", note: callerCancelled };
    return closedBecause === null ? null : { name: "withdrawn", note: closedBecause };
  }

  return {
    async ask(ask, dialog, signal, onAsked) {
      const outcome = run({ ask, dialog, signal, onAsked, startedAt: clock.monotonic() });
      calls.add(outcome);
      try {
        return await outcome;
      } finally {
        calls.delete(outcome);
      }
    },
    async close(why) {
      closedBecause ??= oneLine(why);
      denials.clear();
      grants.clear();
      const oldest = racing.size - mostSettledAtEnd;
      for (const [index, wait] of [...racing].entries()) {
        if (index < oldest) wait.leaveToSweep(closedBecause);
        else wait.end("withdrawn", closedBecause);
      }
      stopListening?.();
      stopListening = null;
      await Promise.allSettled(calls);
    },
  };
}
