/**
 * What a person said before, and what that means for an ask that comes. Invariants: to one caller a no comes before any
 * yes, and a no to another comes before asking; of identical calls at one instant one uses a yes up, and none asks while
 * that is being done.
 */

import type { Bound } from "../grants/grant-store.js";
import { assuranceOf } from "../request/assurance.js";
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Ask, Earlier } from "./approver.js";
import { boundOf, callerOf, ruleOf } from "./bound.js";
import { type Call, endedAlone, failedBy, secondsBetween } from "./call.js";
import { createDenials, type Denial, type DenialTimes } from "./denials.js";
import type { Leavings } from "./leavings.js";
import { type LetThroughParts, letThrough } from "./let-through.js";
import type { Decided } from "./race.js";
import { allowedEvents, assuranceOfTaken, decidedEvent } from "./record.js";
import type { Allowance } from "./rules.js";
import { createSessionRules, type RuleHandles } from "./session-rules.js";
import type { Lying, Unspent } from "./unspent.js";
import { type Lasting, type WiderYesParts, widerYesOf } from "./wider-yes.js";

/** A request that is decided, for whoever asks the same later. */
export interface Precedent {
  readonly ask: Ask;
  readonly likeness: Likeness;
  readonly bound: Bound;
  /** The request's id. */
  readonly request: string;
  readonly decided: Decided;
  /** Does a call wait that is told? */
  readonly isHeard: boolean;
  /** When the request would have ended by itself, in monotonic milliseconds. */
  readonly dueAt: number;
  /** Resolves when everything that follows from the decision is done. */
  readonly ended: () => Promise<void>;
}

/** The noes, rules and unspent approvals of one approver. */
export interface Precedents {
  /**
   * How `call` ends because of what was said before, or null where it has to be asked; that is so at once. What
   * resolves with null is over by then: look again. `over` is a request for the same that the call brings an answer to,
   * and that waits no more; null where there is none.
   */
  find(call: Call, likeness: Likeness, over: Earlier | null): Promise<Outcome | null> | null;
  /** Why a yes that was given for the session does not count for this, in words of our own; null where there is none. */
  whyUncounted(bound: Bound): string | null;
  /** Call at the moment of the decision. What is returned is what a yes is to leave. */
  remember(precedent: Precedent): Lasting;
  /** Forgets every no, and every yes that was to last as long as the connection. */
  clear(): void;
}

/** What they are made of. */
export interface PrecedentParts extends WiderYesParts, LetThroughParts {
  readonly times: DenialTimes;
  readonly handles: RuleHandles | null;
  readonly unspent: Unspent;
  readonly leavings: Pick<Leavings, "forget">;
  /** Did this request end because nobody answered? In seconds, how long it waited; null where nothing says so. */
  readonly timedOutAfter: (request: string) => number | null;
}

type LateNo = NonNullable<Earlier["no"]>;

/** Something is being done with a yes that other calls may be about. */
interface Underway {
  readonly state: string;
  readonly thread: string | null;
  /** What it came to for the call that does it; null where none does. */
  readonly done: Promise<Outcome | null>;
}

/** Remembers nothing yet. */
export function createPrecedents(parts: PrecedentParts): Precedents {
  const { write, clock, unspent, whyGone, leavings } = parts;
  const denials = createDenials(clock, parts.times);
  const rules = createSessionRules(clock, parts.handles);
  const underway = new Map<string, Underway>();

  function secondsOf({ startedAt }: Call): number {
    return secondsBetween(startedAt, clock.monotonic());
  }

  async function refuseAgain(call: Call, denial: Denial): Promise<Outcome> {
    const { name, via, assurance, request } = denial;
    const seconds = secondsOf(call);
    const how = { via, assurance, repeated: true, seconds };
    await write([decidedEvent(call.ask, request, name, how)], "plain");
    return { ...denial, ...nothingRuns, seconds };
  }

  /** A no lets nothing run, so it counts although its request is over; a yes could let run what nobody is shown any more. */
  async function refuseLate(
    call: Call,
    bound: Bound,
    request: string,
    { unseenMs }: LateNo,
  ): Promise<Outcome> {
    const who = { via: "elicitation", assurance: assuranceOf("elicitation", null), verified: null } as const;
    const denial = { name: "declined", ...who, note: null, unseenMs, request } as const;
    denials.remember(bound, denial);
    rules.revoke(bound);
    leavings.forget(bound);
    const seconds = secondsOf(call);
    const how = { via: denial.via, assurance: denial.assurance, why: "its request was over", seconds };
    await write([decidedEvent(call.ask, request, denial.name, how)], "plain");
    return { ...denial, ...nothingRuns, seconds };
  }

  async function tellTimedOut(call: Call, request: string, seconds: number): Promise<Outcome> {
    await write([decidedEvent(call.ask, request, "timed_out", { why: null, seconds })], "plain");
    return endedAlone({ name: "timed_out", note: null }, { request, seconds });
  }

  /** What a rule allows is on disk like any other yes before it counts. */
  async function allow(call: Call, allowance: Allowance): Promise<Outcome> {
    const { ask, signal } = call;
    const { via, scope, assurance, verified, request } = allowance;
    const seconds = secondsOf(call);
    const run = parts.runOf(call);
    const fault = await write(allowedEvents(ask, allowance, { run, seconds }), "durable");
    const ended = whyGone(signal) ?? (fault === null ? null : failedBy(fault));
    if (ended === null) {
      const rest = { note: null, unseenMs: null, waits: null, redeemed: false, run, rule: null };
      return { name: "approved", via, scope, assurance, verified, request, seconds, ...rest };
    }
    await write([decidedEvent(ask, request, ended.name, { why: ended.note, seconds })], "plain");
    return endedAlone(ended, { request, seconds });
  }

  /** Waits for what is being done. An identical call that got the yes has the result. */
  async function awaitOther(call: Call, likeness: Likeness, busy: Underway): Promise<Outcome | null> {
    const { ask, signal } = call;
    const outcome = await untilGone(busy.done, signal);
    const isSame = busy.state === likeness.state && busy.thread === ask.thread;
    if (outcome?.name !== "approved" || !isSame || whyGone(signal) !== null) return null;
    const { via, assurance, verified, note, request } = outcome;
    const seconds = secondsOf(call);
    await write([decidedEvent(ask, request, "already_decided", { via, assurance, seconds })], "plain");
    const ended = endedAlone({ name: "already_decided", note }, { request, seconds });
    return { ...ended, via, assurance, verified };
  }

  /** Null as soon as the caller has cancelled. */
  async function untilGone<Result>(done: Promise<Result>, signal: AbortSignal): Promise<Result | null> {
    let onAbort = (): void => undefined;
    const gone = new Promise<null>((resolve) => {
      onAbort = () => whyGone(signal) !== null && resolve(null);
    });
    signal.addEventListener("abort", onAbort);
    try {
      return await Promise.race([done, gone]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** There is a result only once the effect began: before that the yes may be given back. */
  async function withEffect(used: Promise<Outcome | null>): Promise<Outcome | null> {
    const outcome = await used;
    return outcome?.redeemed === true && !(await unspent.hasBegun(outcome)) ? null : outcome;
  }

  /** Until `done` resolves, whoever asks the same waits. */
  function hold(key: string, state: string, thread: string | null, done: Promise<Outcome | null>): void {
    // Whoever waits is not the one who is to hear of a fault.
    const one = { state, thread, done: done.catch(() => null) };
    underway.set(key, one);
    one.done.then(() => {
      if (underway.get(key) === one) underway.delete(key);
    });
  }

  /** A yes that lies there for this very call is its: it must not let one more through when the rule is gone. */
  function useUp(call: Call, likeness: Likeness, bound: Bound): Promise<Outcome | null> | null {
    const lying = underway.has(actionOf(bound)) ? null : unspent.look(bound);
    return lying?.kind === "same" ? spend(call, likeness, bound, lying) : null;
  }

  function spend(call: Call, likeness: Likeness, bound: Bound, lying: Lying): Promise<Outcome | null> {
    const outcome = unspent.use(call, likeness, lying);
    hold(actionOf(bound), likeness.state, call.ask.thread, withEffect(outcome));
    return outcome;
  }

  return {
    find(call, likeness, over) {
      const bound = boundOf(call.ask, likeness);
      const denied = denials.find(bound);
      if (denied?.isOwn === true) return refuseAgain(call, denied.denial);
      const { allowedBy } = call.ask;
      // An answer that the call brings to a request which waits decides, and that request is joined for it.
      if (allowedBy !== null) {
        if (over === null && call.earlier !== null) return null;
        const no = over?.no ?? null;
        if (over !== null && no !== null) return refuseLate(call, bound, over.request, no);
        return useUp(call, likeness, bound) ?? letThrough(call, allowedBy, parts);
      }
      // What the policy offers no more is asked about, whatever was said when it did.
      const allowance = call.ask.scopes.includes("session") ? rules.use(bound) : null;
      if (allowance !== null) return allow(call, allowance);
      const busy = underway.get(actionOf(bound));
      if (busy !== undefined) return awaitOther(call, likeness, busy);
      const lying = unspent.look(bound);
      if (lying?.kind !== "same" && over !== null && over.no !== null) {
        return refuseLate(call, bound, over.request, over.no);
      }
      if (lying === null) {
        if (denied !== null) return refuseAgain(call, denied.denial);
        const timedOut = over === null ? null : parts.timedOutAfter(over.request);
        return over === null || timedOut === null ? null : tellTimedOut(call, over.request, timedOut);
      }
      return spend(call, likeness, bound, lying);
    },
    whyUncounted: (bound) => (rules.isOvertaken(bound) ? overtaken : null),
    remember({ ask, likeness, bound, request, decided, isHeard, dueAt, ended }) {
      const { name, note, taken, reading } = decided;
      const { via, scope } = taken.answer;
      const who = { via, assurance: assuranceOfTaken(taken), verified: taken.testimony?.verified ?? null };
      if (name === "denied" || name === "declined") {
        const unseenMs = reading?.isUnseen === true ? Math.round(reading.ms) : null;
        const denial = { name, ...who, note, unseenMs, request };
        if (isHeard) denials.remember(bound, denial);
        else denials.hold(bound, denial, dueAt);
        rules.revoke(bound);
      }
      if (name !== "approved") return null;
      // The call that it is for may come before it is kept.
      if (!isHeard)
        hold(
          actionOf(bound),
          likeness.state,
          null,
          ended().then(() => null),
        );
      if (scope !== "session") return widerYesOf({ ask, bound, request, taken }, parts);
      return rules.prepare(bound, ruleOf(ask.subject), {
        scope,
        ...who,
        request,
      });
    },
    clear() {
      denials.clear();
      rules.clear();
    },
  };
}

const overtaken = "the yes for the session does not count: what it was for is another now";

const nothingRuns = { scope: null, waits: null, redeemed: false, run: null, rule: null } as const;

/** Calls in which this is the same are for the same, whatever the state of it. */
function actionOf(bound: Bound): string {
  return callerOf(bound) + bound.subject;
}
