/**
 * The one approver of a server. Invariants: a request is settled exactly once; `approved` leaves here only when an
 * approving answer stood in the slot, now or for the rule that allows the call, the decision is on disk and the caller
 * is still there. Whatever else happens runs nothing.
 */

import type { AuditLog } from "../audit/audit-log.js";
import type { Channel } from "../channel/channel.js";
import type { Bound, GrantStore, LateRequests } from "../grants/grant-store.js";
import { WispError } from "../request/errors.js";
import { type Likeness, likenessOf } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Level, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Approver } from "./approver.js";
import { boundOf, callerOf } from "./bound.js";
import { type Call, callerCancelled, detachOf, endedAlone, type Gone } from "./call.js";
import { createDeadlines } from "./deadlines.js";
import { answerWriter } from "./decision-slot.js";
import { createDialogUse } from "./dialog-use.js";
import { writerInto } from "./journal.js";
import { createLeavings } from "./leavings.js";
import type { Notices } from "./notices.js";
import { createPrecedents } from "./precedents.js";
import { oneLine } from "./reason.js";
import { createUnspent } from "./unspent.js";
import { Wait } from "./wait.js";
import type { WaitParts } from "./wait-parts.js";

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
  /** Where a yes is kept that comes while no call waits for it; null where none is. */
  readonly grants: GrantStore | null;
  /** Where requests are kept that ended without a no; null where none are. */
  readonly late: LateRequests | null;
  readonly notices: Notices;
}

/**
 * Settling takes a moment each, and a client waits two seconds before it kills: of the newest so many, as far as the time
 * goes, every face learns at once and a person may answer late. The others are left to a sweep.
 */
const mostSettledAtEnd = 256;
const longestSettlingMs = 1_000;
/** So many are brought to their end together, each whole: what is not begun when the time is over is left as it was. */
const settledTogether = 16;

/** Touches nothing, in the channel or the audit log, before the first ask. */
export function createApprover(parts: ApproverParts): Approver {
  const { channel, audit, clock, server, timeoutSeconds, grants, notices } = parts;
  const write = writerInto(audit);
  const timeoutMs = timeoutSeconds === 0 ? null : timeoutSeconds * 1_000;
  const deadlines = createDeadlines<Wait>(clock, timeoutMs, (wait) =>
    wait.end("timed_out", `nobody answered within ${timeoutSeconds} s`),
  );
  const unspent = createUnspent({ grants, write, clock, whyGone });
  const { declineMemorySeconds } = parts;
  const handles = grants === null ? null : { grants, server };
  const leavings = createLeavings(parts.late);
  const precedents = createPrecedents({
    ...{ write, clock, declineMemorySeconds, handles, unspent, whyGone, leavings },
    timedOutAfter: (request) => (hasTimedOut(channel, request) ? timeoutSeconds : null),
  });
  /** What must be over before a connection is: what calls are told, and the end of what no call waits for. */
  const ending = new Set<Promise<unknown>>();
  /** What an identical call may join. */
  const open = new Map<string, Wait>();
  const racing = new Set<Wait>();
  /** The same by what would be done. */
  const alike = new Map<string, readonly Wait[]>();
  const filed = new Map<string, Wait>();
  let stopListening: (() => void) | null = null;
  let closedBecause: string | null = null;

  const waitParts: WaitParts<Wait> = {
    write,
    clock,
    placing: { channel, clock, server, timeoutMs, writeAnswer: answerWriter(clock, server, parts.version) },
    dialogs: createDialogUse(parts.dialogCounts),
    unseenAnswerMs: parts.unseenAnswerMs,
    whyGone,
    isClosing: () => closedBecause !== null,
    notices,
    unspent,
    leavings,
    isAskedElsewhere({ likeness, bound }) {
      const others = alike.get(likeness.subject) ?? [];
      return others.some(
        (other) => other.likeness.state === likeness.state && callerOf(other.bound) === callerOf(bound),
      );
    },
    onRacing(wait, { request, slot }) {
      racing.add(wait);
      const others = alike.get(wait.likeness.subject);
      // Nearly always there is one, and a list that something is spread into holds room for sixteen more.
      alike.set(wait.likeness.subject, others === undefined ? [wait] : [...others, wait]);
      deadlines.add(wait);
      if (slot.isFiled) listenFor(request.id, wait);
    },
    onDecided(wait, { request: { id: request } }, decided) {
      const { ask, likeness, bound, isAttended: isHeard } = wait;
      const dueAt = deadlines.dueAt(wait);
      racing.delete(wait);
      const others = (alike.get(likeness.subject) ?? []).filter((other) => other !== wait);
      if (others.length > 0) alike.set(likeness.subject, others);
      else alike.delete(likeness.subject);
      filed.delete(request);
      deadlines.remove(wait);
      if (!isHeard) track(wait.ended());
      const ended = (): Promise<void> => wait.ended();
      return precedents.remember({ ask, likeness, bound, request, decided, isHeard, dueAt, ended });
    },
    onClosed(wait) {
      if (open.get(wait.key) === wait) open.delete(wait.key);
    },
  };

  /** Everything up to the first wait is one step: of identical calls at one instant, one asks and the others join. */
  function run(call: Call): Promise<Outcome> {
    // A cancellation may come before the call's own handler runs; then no listener would ever hear it.
    const gone = whyGone(call.signal);
    if (gone !== null) return Promise.resolve(endedAlone(gone, { request: null, seconds: 0 }));
    const likeness = likenessOf(call.ask.subject);
    const precedent = precedents.find(call, likeness, isOver(call, likeness) ? call.earlier : null);
    if (precedent === null) return waitFor(call, likeness).attach(call);
    return precedent.then((outcome) => outcome ?? run(call));
  }

  /** Does what `call` brings an answer to wait no more for calls like this one? */
  function isOver({ ask, earlier }: Call, likeness: Likeness): boolean {
    if (earlier === null) return false;
    const there = open.get(callOf(boundOf(ask, likeness), ask.thread));
    return there?.request !== earlier.request || there.likeness.state !== likeness.state;
  }

  /** The identical ask that waits, or a new one; the same in another state gives way to this. */
  function waitFor({ ask }: Call, likeness: Likeness): Wait {
    const key = callOf(boundOf(ask, likeness), ask.thread);
    const there = open.get(key);
    if (there?.likeness.state === likeness.state) return there;
    there?.supersede();
    const wait = new Wait(ask, likeness, key, waitParts);
    open.set(key, wait);
    return wait;
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

  /** Ends all that waits, the newest first. */
  async function settleNewest(why: string): Promise<void> {
    const until = clock.monotonic() + longestSettlingMs;
    const waiting = [...racing].reverse();
    let begun = 0;
    while (begun < Math.min(waiting.length, mostSettledAtEnd) && clock.monotonic() < until) {
      const some = waiting.slice(begun, begun + settledTogether);
      begun += some.length;
      for (const wait of some) wait.end("withdrawn", why);
      await Promise.allSettled(some.map((wait) => wait.ended()));
    }
    for (const wait of waiting.slice(begun)) wait.leaveToSweep(why);
  }

  /** A call that ended alone is not gone: what it asked for is still wanted. */
  function whyGone(signal: AbortSignal): Gone | null {
    if (signal.aborted && detachOf(signal) === null) return { name: "abandoned", note: callerCancelled };
    return closedBecause === null ? null : { name: "withdrawn", note: closedBecause };
  }

  function track<Result>(one: Promise<Result>): Promise<Result> {
    const tracked = one.finally(() => ending.delete(tracked));
    ending.add(tracked);
    return tracked;
  }

  return {
    ask: async (ask, dialog, signal, onAsked, earlier = null) =>
      track(run({ ask, dialog, signal, onAsked, earlier, startedAt: clock.monotonic() })),
    release: (outcome) => track(unspent.release(outcome)),
    conclude: (outcome, how) => unspent.conclude(outcome, how === "began"),
    async close(why) {
      closedBecause ??= oneLine(why);
      precedents.clear();
      unspent.concludeAll();
      stopListening?.();
      stopListening = null;
      await settleNewest(closedBecause);
      await Promise.allSettled(ending);
      notices.close();
    },
  };
}

function hasTimedOut(channel: Channel | null, id: string): boolean {
  try {
    return channel?.receipt(id)?.outcome === "timed_out";
  } catch (error) {
    if (error instanceof WispError) return false;
    throw error;
  }
}

/** Calls in which this is the same are one request, as long as the state is. */
function callOf({ client, role, server, subject }: Bound, thread: string | null): string {
  return JSON.stringify([client, role, server, subject, thread]);
}
