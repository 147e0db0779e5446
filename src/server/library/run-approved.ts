/**
 * Lets an author's tool do what was approved. Invariant: that it begins is on disk before it begins, and how it ended is
 * written down after it; if the first cannot be written, it does not begin. A yes is given back only where it did not.
 */
import { type Clock, expectWispError, type Outcome, shownText } from "../../broker/index.js";
import { yesOf } from "../gate/calls/let-through.js";
import { changedTargets } from "../gate/calls/state-binding.js";
import { finish, noteDrift, startedEvent, type ToolEffect } from "../gate/calls/tool-effect.js";
import type { ServerIdentity, ToolSubject } from "../gate/calls/tool-subject.js";
import type { Asking } from "../mcp/asking.js";
import { abandonedResult, errorResult, refusalResult } from "../mcp/result.js";
import { type Surroundings, stateNow } from "./bound-state.js";
import { type RefusalResult, refusal } from "./results.js";

/** What a tool gets to do it with. */
export interface Approved {
  /** As they were shown and approved: a tool that acts on these acts on nothing else. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborts when the caller cancels or leaves. */
  readonly signal: AbortSignal;
  /** The request that a person said yes to; null where a rule allows it. */
  readonly request: string | null;
}

/** Does what was approved, once, and returns what the client gets. */
export type ToolRun<Result> = (approved: Approved) => Result | Promise<Result>;

/** What was approved, and where what comes of it is written down. */
export interface ApprovedRun<Result> {
  readonly subject: ToolSubject;
  /** What is looked at once more. */
  readonly around: Surroundings;
  readonly run: ToolRun<Result>;
  /** Approved. */
  readonly outcome: Outcome;
  readonly asking: Asking;
  readonly own: ServerIdentity;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** What the client gets. Rejects with what `run` throws, and then it may have done something. */
export async function runApproved<Result>(approved: ApprovedRun<Result>): Promise<Result | RefusalResult> {
  const { subject, outcome, asking, own: server, signal } = approved;
  const { audit, doctorLine } = asking;
  const effect = { yes: yesOf(outcome, asking.approver), subject, server, audit };
  try {
    const drift = await driftOf(approved);
    // A look that was broken off found nothing: whoever comes back has it looked at anew.
    if (signal.aborted) return await givenUp(effect);
    if (drift !== null) {
      await noteDrift(effect, drift);
      return refusal(refusalResult({ ...outcome, name: "drifted", scope: null, note: drift }, doctorLine));
    }
    await effect.audit.append([startedEvent(effect)], "durable");
  } catch (error) {
    // Whatever went wrong: nothing began, and the next call would wait for this yes for ever.
    await effect.yes.giveBack();
    if (signal.aborted && error === signal.reason) return refusal(abandonedResult());
    return refusal(errorResult(expectWispError(error), outcome.request, doctorLine));
  }
  if (signal.aborted) {
    await finish(effect, { ending: "abandoned" });
    return await givenUp(effect);
  }
  effect.yes.began();
  return await done(approved, effect);
}

type Effect = Pick<ToolEffect, "yes" | "subject" | "server" | "audit">;

async function givenUp({ yes }: Effect): Promise<RefusalResult> {
  await yes.giveBack();
  return refusal(abandonedResult());
}

async function done<Result>(
  { around, outcome, run, signal, clock }: ApprovedRun<Result>,
  effect: Effect,
): Promise<Result> {
  const startedAt = clock.monotonic();
  const durationMs = (): number => Math.round(clock.monotonic() - startedAt);
  try {
    const result = await run({ arguments: around.arguments, signal, request: outcome.request });
    await finish(effect, { ending: "answered", durationMs: durationMs() });
    return result;
  } catch (error) {
    const why = shownText(error instanceof Error ? error.message : String(error));
    await finish(effect, { ending: "unknown", why, durationMs: durationMs() });
    throw error;
  }
}

/** What has changed since it was shown, in words; null where nothing has. What cannot be looked at again has. */
async function driftOf<Result>({ around, subject, signal }: ApprovedRun<Result>): Promise<string | null> {
  const before = subject.state === "none" ? null : subject.state.bound;
  try {
    const now = await stateNow(around, signal);
    const changed = new Set([...changedTargets(before, now), ...changedTargets(now, before)]);
    return changed.size === 0
      ? null
      : `changed since it was shown: ${[...changed].map(shownText).join(", ")}`;
  } catch (error) {
    return `it could not be looked at again: ${expectWispError(error).message}`;
  }
}
