/**
 * Runs a command that was approved. Invariant: that it begins is on disk before it begins, and what it did is
 * written down after it; if the first cannot be written, nothing runs.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  type Approver,
  type AuditEvent,
  type AuditLog,
  type EventValues,
  expectWispError,
  type Outcome,
  type OutcomeRule,
  shownText,
  WispError,
} from "../../../broker/index.js";
import type { ResolvedCommand } from "../../command/resolve.js";
import { type CommandResult, type RanCommand, type RunParts, runCommand } from "../../command/run.js";
import { startFault } from "../../command/start-fault.js";
import { hasWords, leadOf } from "../approved-text.js";
import { errorResult, refusalResult, successResult } from "../result.js";

/** What was approved, and where what it does is written down. */
export interface Effect {
  readonly command: ResolvedCommand;
  readonly timeoutSeconds: number;
  /** The approval it rests on. */
  readonly outcome: Outcome;
  readonly approver: Pick<Approver, "release" | "conclude">;
  readonly audit: AuditLog;
  readonly parts: Omit<RunParts, "onStarted">;
  /** The command that tells a person what is wrong here, safe to show. */
  readonly doctor: string;
}

/** The call's result, whatever became of the command. */
export async function runApproved(effect: Effect): Promise<CallToolResult> {
  const { command, timeoutSeconds, outcome, approver, audit, doctor } = effect;
  let hasBegun = false;
  const onStarted = (): void => {
    hasBegun = true;
    approver.conclude(outcome, "began");
  };
  try {
    await audit.append([startedEvent(effect)], "durable");
    const result = await runCommand(command, timeoutSeconds * 1_000, { ...effect.parts, onStarted });
    await noteFinished(audit, outcome, finishedDetails(result));
    if (isUnstarted(result)) await giveBack(effect);
    return resultOf(result, effect);
  } catch (error) {
    // What has started may have done something, whatever went wrong then.
    if (hasBegun || !(error instanceof WispError)) return await lostSight(error, effect);
    if (error.code !== "replay_drift") {
      await giveBack(effect);
      return errorResult(error, outcome.request, doctor);
    }
    // What was approved is not there any more: that yes is spent.
    approver.conclude(outcome, "spent");
    await noteFinished(audit, outcome, { ending: "drifted", why: shownText(error.message) });
    return refusalResult({ ...outcome, name: "drifted", scope: null, note: error.message });
  }
}

/** A mistake of ours, after which nobody knows: the yes stays used up, and nobody is told that nothing ran. */
async function lostSight(
  cause: unknown,
  { outcome, approver, audit, doctor }: Effect,
): Promise<CallToolResult> {
  approver.conclude(outcome, "began");
  const why = shownText(cause instanceof Error ? cause.message : String(cause));
  await noteFinished(audit, outcome, { ending: "unknown", why });
  const fault = new WispError("indeterminate_outcome", "wisp lost sight of the command.", { why, cause });
  return errorResult(fault, outcome.request, doctor);
}

function isUnstarted({ ending }: CommandResult): boolean {
  return ending === "abandoned" || ending === "not_started";
}

/** A yes that came while no call was there, and that nothing ran for, may be used by the next call. */
async function giveBack({ outcome, approver }: Effect): Promise<void> {
  if (outcome.redeemed) await approver.release(outcome);
}

function startedEvent({ command, timeoutSeconds, outcome }: Effect): AuditEvent {
  const { scope, via, assurance, run } = outcome;
  const program = { ...command.program, path: shownText(command.program.path) };
  const directory = shownText(command.directory);
  return {
    kind: "effect.started",
    call: outcome.request,
    verified: { program, directory },
    details: { scope, via, assurance, timeoutSeconds, run },
  };
}

type Finished = EventValues<"effect.finished", "details">;

function finishedDetails(result: CommandResult): Finished {
  switch (result.ending) {
    case "exited":
    case "timed_out":
    case "cancelled": {
      const { ending, exitCode, signal, truncated, durationMs } = result;
      return { ending, exitCode, signal, truncated, durationMs };
    }
    case "abandoned":
    case "not_started":
      return result;
    default:
      return result satisfies never;
  }
}

async function noteFinished(audit: AuditLog, { request, run }: Outcome, details: Finished): Promise<void> {
  try {
    await audit.append([{ kind: "effect.finished", call: request, details: { ...details, run } }], "plain");
  } catch (error) {
    // What ran has run: the caller gets its result. A log that cannot be written stops the next command.
    expectWispError(error);
  }
}

function resultOf(result: CommandResult, { command, outcome }: Effect): CallToolResult {
  switch (result.ending) {
    case "exited":
    case "timed_out":
    case "cancelled":
      return ranResult(result, outcome);
    case "abandoned":
      return refusalResult({ ...outcome, name: "abandoned", scope: null, note: null });
    case "not_started":
      return errorResult(startFault(result.errno, command), outcome.request);
    default:
      return result satisfies never;
  }
}

function ranResult(result: RanCommand, outcome: Outcome): CallToolResult {
  const { exitCode, signal, stdout, stderr, truncated, durationMs } = result;
  const { scope, via, assurance, request, note, unseenMs, rule } = outcome;
  const timedOut = result.ending === "timed_out";
  const ran = { exitCode, signal, stdout, stderr, truncated, durationMs, timedOut };
  const fields = {
    ...ran,
    scope,
    via,
    assurance,
    request,
    ...(hasWords(note) && { note }),
    ...(unseenMs !== null && { unseenMs }),
    ...(rule !== null && ruleFields(rule)),
  };
  return successResult({ text: textOf(result, outcome), fields });
}

function ruleFields(rule: OutcomeRule): Readonly<Record<string, string>> {
  const text = shownText(rule.text);
  return rule.kind === "lost" ? { rule: text, notRemembered: shownText(rule.why) } : { rule: text };
}

/** Everything once more as text, the outcome first: many clients show a model nothing else. */
function textOf(result: RanCommand, outcome: Outcome): string {
  const { stdout, stderr } = result;
  const lead = `${leadOf(outcome)} ${endingOf(result)}`;
  const parts = [lead, ...labelled("stdout", stdout), ...labelled("stderr", stderr)];
  return parts.length === 1 ? `${lead} It printed nothing.` : parts.join("\n");
}

function endingOf({ ending, exitCode, signal, durationMs }: RanCommand): string {
  const after = `after ${durationMs} ms`;
  switch (ending) {
    case "timed_out":
      return `Ended ${after}: its running time was over. It may have done a part of its work.`;
    case "exited":
    case "cancelled":
      return exitCode === null
        ? `Ended by ${signal ?? "a signal"} ${after}.`
        : `Exit code ${exitCode} ${after}.`;
    default:
      return ending satisfies never;
  }
}

function labelled(name: string, text: string): readonly string[] {
  return text === "" ? [] : [`${name}:`, text];
}
