/**
 * Yeses that were given while no call was there to use them. Invariants: one is spent before anything follows from it,
 * and written down before its call may run; one for another state of the target is spent and runs nothing; it is given
 * back only where it is certain that nothing ran, and once.
 */
import type { Taken } from "../channel/channel.js";
import type { Bound, GrantStore, UnspentApproval } from "../grants/grant-store.js";
import { assuranceOf } from "../request/assurance.js";
import { expectWispError, type WispError } from "../request/errors.js";
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import {
  type Call,
  detachOf,
  endedAlone,
  endedPending,
  failedBy,
  type Gone,
  secondsBetween,
} from "./call.js";
import { driftedEvents, keptEvent, redeemedEvents, releasedEvent } from "./grant-record.js";
import type { Write } from "./journal.js";
import { oneLine, reasonOf } from "./reason.js";
import { assuranceOfTaken, decidedEvent } from "./record.js";

/** What lies there for a call: one to use, or what its target has drifted away from. */
export type Lying =
  | { readonly kind: "same"; readonly approval: UnspentApproval }
  | { readonly kind: "drifted"; readonly approvals: readonly UnspentApproval[] };

/** The part of an approver that keeps and uses them. */
export interface Unspent {
  /** Keeps a yes that is written down. Null when it is kept, else why it is not. */
  keep(bound: Bound, request: ApprovalRequest, taken: Taken): Promise<string | null>;
  /** Spends what was kept of `request`: its receipt could not be published. */
  takeBack(request: ApprovalRequest): Promise<void>;
  /** Only looks; null where there is nothing. */
  look(bound: Bound): Lying | null;
  /** How `call` ends because of what lies there; null where it does not lie there any more. Rejects as `GrantStore` does not. */
  use(call: Call, likeness: Likeness, lying: Lying): Promise<Outcome | null>;
  /** In `Approver` it says what this does. */
  release(outcome: Outcome): Promise<void>;
  /** The same; `hasBegun` says whether there will be a result. */
  conclude(outcome: Outcome, hasBegun: boolean): void;
  /** Nobody waits any more for what becomes of a yes. */
  concludeAll(): void;
  /** Resolves when that is known for a yes that was used: did its effect begin? */
  hasBegun(outcome: Outcome): Promise<boolean>;
}

/** Where they are kept, and who says what of callers; without `grants` nothing is kept. */
export interface UnspentParts {
  readonly grants: GrantStore | null;
  readonly write: Write;
  readonly clock: Clock;
  readonly runOf: (call: object) => string;
  readonly whyGone: (signal: AbortSignal) => Gone | null;
}

/** A yes that a call has used, until it is known what became of it. */
interface Given {
  readonly approval: UnspentApproval;
  readonly hasBegun: Promise<boolean>;
  readonly conclude: (hasBegun: boolean) => void;
}

/** How sure it is that a person gave it. */
type Seen = Pick<Outcome, "assurance" | "verified">;

/** Touches nothing yet. */
export function createUnspent({ grants, write, clock, whyGone, runOf }: UnspentParts): Unspent {
  /** By request: only the process that took the answer saw who gave it. */
  const seen = new Map<string, Seen>();
  const given = new WeakMap<Outcome, Given>();
  const open = new Set<Given>();

  function seenOf({ request, answer }: UnspentApproval): Seen {
    return seen.get(request.id) ?? { assurance: assuranceOf(answer.via, null), verified: null };
  }

  function give(outcome: Outcome, approval: UnspentApproval): void {
    let conclude: Given["conclude"] = () => undefined;
    const hasBegun = new Promise<boolean>((resolve) => {
      conclude = resolve;
    });
    const one = { approval, hasBegun, conclude };
    given.set(outcome, one);
    open.add(one);
  }

  function end(one: Given, hasBegun: boolean): void {
    open.delete(one);
    one.conclude(hasBegun);
  }

  async function redeem(call: Call, likeness: Likeness, approval: UnspentApproval): Promise<Outcome> {
    const { ask, signal, startedAt } = call;
    const { request, answer } = approval;
    const seconds = secondsBetween(startedAt, clock.monotonic());
    const { via, note = null } = answer;
    const { assurance, verified } = seenOf(approval);
    const run = runOf(call);
    // Of a wider yes that could leave no rule this is all that is left.
    const yes = { via, scope: "once", assurance, run, seconds } as const;
    const fault = await write(redeemedEvents(ask, approval, yes), "durable");
    const ended = whyGone(signal) ?? (fault === null ? null : failedBy(fault));
    if (ended === null && detachOf(signal) === null) {
      const rest = { note, unseenMs: null, request: request.id, waits: null, redeemed: true, rule: null };
      const outcome: Outcome = { name: "approved", ...yes, verified, ...rest };
      give(outcome, approval);
      return outcome;
    }
    // Nobody was told that it may run.
    await giveBack(approval);
    if (ended === null) return pending(call, likeness, request, seconds);
    await write([decidedEvent(ask, request.id, ended.name, { why: ended.note, seconds })], "plain");
    return endedAlone(ended, { request: request.id, seconds });
  }

  async function pending(
    { ask, signal }: Call,
    likeness: Likeness,
    request: ApprovalRequest,
    seconds: number,
  ): Promise<Outcome> {
    const why = detachOf(signal)?.why ?? null;
    await write([decidedEvent(ask, request.id, "pending", { why, seconds })], "plain");
    return endedPending(request, likeness, seconds);
  }

  /** That it is given back is on disk first: nobody else may know that nothing ran. */
  async function giveBack(approval: UnspentApproval): Promise<void> {
    const fault = await write([releasedEvent(approval)], "durable");
    if (fault === null) await quietly(async () => void (await grants?.release(approval.id)));
  }

  /** Drift spends what was approved: the target may come back to its state when nobody remembers the yes. */
  async function drift(
    { ask, startedAt }: Call,
    approvals: readonly UnspentApproval[],
  ): Promise<Outcome | null> {
    const spent: UnspentApproval[] = [];
    let fault: WispError | null = null;
    for (const approval of approvals) {
      const claimed = await claim(approval);
      if (claimed === true) spent.push(approval);
      else if (claimed !== false) fault = claimed;
    }
    const [first] = spent.length > 0 || fault === null ? spent : approvals;
    if (first === undefined) return null;
    const request = first.request.id;
    const seconds = secondsBetween(startedAt, clock.monotonic());
    if (spent.length > 0) {
      await write(driftedEvents(ask, spent, request, { seconds }), "plain");
      return endedAlone({ name: "drifted", note: null }, { request, seconds });
    }
    return refuse(ask, request, fault, seconds);
  }

  async function refuse(
    ask: Call["ask"],
    request: string,
    fault: unknown,
    seconds: number,
  ): Promise<Outcome> {
    const ended = failedBy(oneLine(reasonOf(fault)));
    await write([decidedEvent(ask, request, ended.name, { why: ended.note, seconds })], "plain");
    return endedAlone(ended, { request, seconds });
  }

  /** What is wrong where it cannot be spent: then nothing runs. */
  async function claim({ id }: UnspentApproval): Promise<boolean | WispError> {
    try {
      return (await grants?.claim(id)) ?? false;
    } catch (error) {
      return expectWispError(error);
    }
  }

  return {
    async keep(bound, request, taken) {
      if (grants === null) return `${nobodyWaits}, and there is nowhere to keep it`;
      try {
        const kept = await grants.keep({ bound, request, answer: taken.answer, life: null });
        if (kept === null) return `${nobodyWaits}, and it cannot be kept any more`;
        seen.set(request.id, {
          assurance: assuranceOfTaken(taken),
          verified: taken.testimony?.verified ?? null,
        });
        await write([keptEvent(kept)], "plain");
        return null;
      } catch (error) {
        return oneLine(`${nobodyWaits}, and it could not be kept: ${reasonOf(expectWispError(error))}`);
      }
    },
    takeBack: ({ id }) => quietly(async () => void (await grants?.claim(id))),
    look(bound) {
      const approval = grants?.find(bound) ?? null;
      if (approval !== null) return { kind: "same", approval };
      const approvals = grants?.drifted(bound) ?? [];
      return approvals.length === 0 ? null : { kind: "drifted", approvals };
    },
    async use(call, likeness, lying) {
      if (lying.kind === "drifted") return drift(call, lying.approvals);
      const claimed = await claim(lying.approval);
      if (claimed === false) return null;
      if (claimed === true) return redeem(call, likeness, lying.approval);
      const seconds = secondsBetween(call.startedAt, clock.monotonic());
      return refuse(call.ask, lying.approval.request.id, claimed, seconds);
    },
    async release(outcome) {
      const one = given.get(outcome);
      if (one === undefined || !open.has(one))
        throw new TypeError("This is no yes that was redeemed, or it was released.");
      given.delete(outcome);
      await giveBack(one.approval);
      end(one, false);
    },
    conclude(outcome, hasBegun) {
      const one = given.get(outcome);
      if (one !== undefined) end(one, hasBegun);
    },
    concludeAll() {
      for (const one of open) one.conclude(false);
    },
    hasBegun: async (outcome) => (await given.get(outcome)?.hasBegun) ?? true,
  };
}

const nobodyWaits = "no call waits for it any more";

/** What cannot be written stays spent, and a person is asked again. */
async function quietly(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    expectWispError(error);
  }
}
