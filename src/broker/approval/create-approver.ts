/**
 * The one approver of a server. Invariants: a request is settled exactly once; `approved` leaves here only when an
 * approving answer stood in the slot, now or for the rule that allows the call, the decision is on disk and the caller
 * is still there. Whatever else happens runs nothing.
 */

import type { AuditLog } from "../audit/audit-log.js";
import type { Channel } from "../channel/channel.js";
import type { Bound, GrantStore, LateRequests } from "../grants/grant-store.js";
import type { RememberedRules } from "../policy/remembered.js";
import { expectWispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import { type Likeness, likenessOf } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Level, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { approvalKind } from "./approval-kind.js";
import { ApprovalWait, type ApprovalWaitParts } from "./approval-wait.js";
import type { Approver } from "./approver.js";
import { boundOf, callerOf } from "./bound.js";
import { type Call, endedAlone, type Gone, goneOf } from "./call.js";
import { createDeadlines } from "./deadlines.js";
import { answerWriter } from "./decision-slot.js";
import type { DialogUse } from "./dialog-use.js";
import { createTracking, withdrawNewest } from "./ending.js";
import { writerInto } from "./journal.js";
import { createLeavings } from "./leavings.js";
import { createListening } from "./listening.js";
import type { Notices } from "./notices.js";
import { createPrecedents } from "./precedents.js";
import { oneLine } from "./reason.js";
import { judgedEvent } from "./record.js";
import { createUnspent } from "./unspent.js";

/** What an approver is made of: where it asks, where it writes that down, and in whose name. */
export interface ApproverParts {
  /** Where requests are filed, for this process's own use; null where only the client's dialog may ask. */
  readonly channel: Channel | null;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly server: RequestServer;
  /** The program's version, as it stands in the answers it gives itself. */
  readonly version: string;
  /** How long a person has; 0 waits for ever. Like the next two read anew for each ask, which keeps what it found. */
  readonly timeoutSeconds: number;
  /** For so long a person's no also answers identical asks; 0 asks each time. */
  readonly declineMemorySeconds: number;
  /** An answer of the client's dialog that comes sooner than this was read by nobody; 0 believes every answer. */
  readonly unseenAnswerMs: number;
  /** Is an answer of the client's dialog enough for what can do this much harm? */
  readonly dialogCounts: (level: Level) => boolean;
  /** One for all that asks in this connection. */
  readonly dialogUse: DialogUse;
  /** Where a yes is kept that comes while no call waits for it; null where none is. */
  readonly grants: GrantStore | null;
  /** Where requests are kept that ended without a no; null where none are. */
  readonly late: LateRequests | null;
  /** Where a yes for the project or for always leaves its rule; null where none can. */
  readonly remembered: Pick<RememberedRules, "remember" | "revoke"> | null;
  readonly notices: Notices;
}

/** Touches nothing, in the channel or the audit log, before the first ask. */
export function createApprover(parts: ApproverParts): Approver {
  const { channel, audit, clock, server, grants, notices } = parts;
  const write = writerInto(audit);
  /** Each call has one, however often it is told how it ended. */
  const runs = new WeakMap<object, string>();
  const deadlines = createDeadlines<ApprovalWait>(clock, (wait) => wait.timeOut());
  const unspent = createUnspent({ grants, write, clock, runOf, whyGone });
  const handles = grants === null ? null : { grants, server };
  const leavings = createLeavings(parts.late);
  const precedents = createPrecedents({
    ...{ write, clock, times: parts, handles, unspent, whyGone, leavings },
    ...{ audit, runOf, remembered: parts.remembered },
    timedOutAfter: (request) => (hasTimedOut(channel, request) ? parts.timeoutSeconds : null),
  });
  const { track, settled } = createTracking();
  /** What an identical call may join. */
  const open = new Map<string, ApprovalWait>();
  const racing = new Set<ApprovalWait>();
  /** The same by what would be done. */
  const alike = new Map<string, readonly ApprovalWait[]>();
  const listening = createListening<ApprovalWait>(channel);
  let closedBecause: string | null = null;

  const kind = approvalKind(parts.dialogUse, parts.dialogCounts);
  const waitParts: ApprovalWaitParts = {
    write,
    clock,
    placing: { channel, clock, server, writeAnswer: answerWriter(clock, server, parts.version) },
    times: parts,
    dialogUse: parts.dialogUse,
    whyGone,
    isClosing: () => closedBecause !== null,
    notices,
    unspent,
    leavings,
    runOf,
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
      deadlines.add(wait, wait.timeoutMs);
      if (slot.isFiled) listening.add(request.id, wait);
    },
    onDecided(wait, { request: { id: request } }, decided) {
      const { ask, likeness, bound, isAttended: isHeard } = wait;
      const dueAt = deadlines.dueAt(wait);
      racing.delete(wait);
      const others = (alike.get(likeness.subject) ?? []).filter((other) => other !== wait);
      if (others.length > 0) alike.set(likeness.subject, others);
      else alike.delete(likeness.subject);
      listening.remove(request);
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
    const left = call.ask.allowedBy === null ? null : leftBehind(call, likeness);
    // What a person has said to it by now comes before any rule.
    for (const wait of left ?? []) wait.look();
    const precedent = precedents.find(call, likeness, isOver(call, likeness) ? call.earlier : null);
    if (precedent === null) {
      const asked = withUncounted(call, likeness);
      return waitFor(asked, likeness).attach(asked);
    }
    return precedent.then((outcome) => {
      if (outcome === null) return run(call);
      if (left !== null && outcome.name === "approved") endNeedless(left, boundOf(call.ask, likeness));
      return outcome;
    });
  }

  /** The person said yes before, and is asked all the same: the request says why. */
  function withUncounted(call: Call, likeness: Likeness): Call {
    const { ask } = call;
    const why = precedents.whyUncounted(boundOf(ask, likeness));
    return why === null ? call : { ...call, ask: { ...ask, reasons: [...ask.reasons, why] } };
  }

  /** Requests for the same that calls of this caller left behind, whatever they call their line of work. */
  function leftBehind({ ask }: Call, likeness: Likeness): readonly ApprovalWait[] {
    const caller = callerOf(boundOf(ask, likeness));
    const others = alike.get(likeness.subject) ?? [];
    return others.filter((wait) => wait.isDetached && callerOf(wait.bound) === caller);
  }

  /** Nobody is asked any more for what runs by a rule: a yes to it would let one more call through when the rule is gone. */
  function endNeedless(left: readonly ApprovalWait[], bound: Bound): void {
    for (const wait of left) if (wait.isDetached) wait.becomeNeedless();
    leavings.forget(bound);
  }

  /** Does what `call` brings an answer to wait no more for calls like this one? */
  function isOver({ ask, earlier }: Call, likeness: Likeness): boolean {
    if (earlier === null) return false;
    const there = open.get(callOf(boundOf(ask, likeness), ask.thread));
    return there?.request?.id !== earlier.request || there.likeness.state !== likeness.state;
  }

  /** The identical ask that waits, or a new one; the same in another state gives way to this. */
  function waitFor({ ask }: Call, likeness: Likeness): ApprovalWait {
    const key = callOf(boundOf(ask, likeness), ask.thread);
    const there = open.get(key);
    if (there?.likeness.state === likeness.state) return there;
    there?.supersede();
    const wait = new ApprovalWait(ask, likeness, key, kind, waitParts);
    open.set(key, wait);
    return wait;
  }

  function runOf(call: object): string {
    const run = runs.get(call) ?? newIdentifier((size) => clock.randomBytes(size));
    runs.set(call, run);
    return run;
  }

  function whyGone(signal: AbortSignal): Gone | null {
    return goneOf(signal, closedBecause);
  }

  return {
    ask: async (ask, dialog, signal, onAsked, earlier = null) =>
      track(run({ ask, dialog, signal, onAsked, earlier, startedAt: clock.monotonic() })),
    refuse: async (ask) => void (await track(write([judgedEvent(ask, "deny", null)], "plain"))),
    release: (outcome) => track(unspent.release(outcome)),
    conclude: (outcome, how) => unspent.conclude(outcome, how === "began"),
    async close(why) {
      closedBecause ??= oneLine(why);
      precedents.clear();
      unspent.concludeAll();
      listening.stop();
      await withdrawNewest(racing, closedBecause, clock);
      await settled();
      notices.close();
    },
  };
}

function hasTimedOut(channel: Channel | null, id: string): boolean {
  try {
    return channel?.receipt(id)?.outcome === "timed_out";
  } catch (error) {
    expectWispError(error);
    return false;
  }
}

/** Calls in which this is the same are one request, as long as the state is. */
function callOf({ client, role, server, subject }: Bound, thread: string | null): string {
  return JSON.stringify([client, role, server, subject, thread]);
}
