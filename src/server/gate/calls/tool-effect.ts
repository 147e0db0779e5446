/**
 * Sends on a call that was approved. Invariant: that it is sent is on disk before it is, and what came of it is written
 * down after; if the first cannot be written, nothing is sent. A yes is given back only where nothing can have arrived.
 */
import {
  type AuditEvent,
  type AuditLog,
  type Clock,
  type EventValues,
  expectWispError,
  type Outcome,
  shownText,
  WispError,
} from "../../../broker/index.js";
import type { JsonObject } from "../frames/json-object.js";
import type { Forwarded, Passage } from "../frames/passage.js";
import type { ServerIdentity, ToolSubject } from "./tool-subject.js";

/** The yes that a call rests on, and what becomes of it. */
export interface Yes {
  readonly said: Pick<Outcome, "request" | "run" | "scope" | "via" | "assurance">;
  /** The call may have arrived. */
  began(): void;
  /** Nothing was sent, and it is used up all the same. */
  spent(): void;
  /** Nothing was sent, so the next call may use it. Nothing happens where it began or is spent, or a second time. */
  giveBack(): Promise<void>;
}

/** What was approved, and where what comes of it is written down. */
export interface ToolEffect {
  readonly passage: Passage;
  /** What is sent: the parameters that were judged. */
  readonly params: JsonObject;
  readonly subject: ToolSubject;
  readonly server: ServerIdentity;
  readonly yes: Yes;
  /** It goes out now: from here on what is said of it is the server's. */
  readonly onSending: () => void;
  readonly audit: Pick<AuditLog, "append">;
  readonly clock: Clock;
}

/** What became of it. */
export type SentCall = Exclude<Forwarded, { readonly kind: "lost" }>;

/**
 * Rejects with upstream_unavailable or audit_unavailable where nothing was sent, with indeterminate_outcome where it may have
 * run. Whoever calls gives the yes back where this rejects.
 */
export async function sendApproved(effect: ToolEffect): Promise<SentCall> {
  const { passage, params, yes, audit, clock } = effect;
  const startedAt = clock.monotonic();
  await audit.append([startedEvent(effect)], "durable");
  if (passage.signal.aborted) {
    await finish(effect, { ending: "abandoned" });
    await yes.giveBack();
    return { kind: "cancelled" };
  }
  effect.onSending();
  const answered = await passage.forward(params, (isSure) => isSure && yes.began());
  if (answered.kind !== "lost" || !answered.isUnsent) yes.began();
  const durationMs = Math.round(clock.monotonic() - startedAt);
  switch (answered.kind) {
    case "answer":
      await finish(effect, { ending: "answered", bytes: answered.line.length, durationMs });
      return answered;
    case "cancelled":
      await finish(effect, { ending: "cancelled", durationMs });
      return answered;
    case "lost":
      if (!answered.isUnsent) {
        await finish(effect, { ending: "unknown", why: "the server ended before it answered", durationMs });
        throw new WispError("indeterminate_outcome", "The server behind the gate ended before it answered.", {
          why: "The call had been sent to it, so it may have run.",
        });
      }
      await finish(effect, { ending: "not_started", why: "the server could not be reached" });
      await yes.giveBack();
      throw new WispError("upstream_unavailable", "The server behind the gate could not be reached.");
    default:
      return answered satisfies never;
  }
}

/** What was approved is not there any more: that yes is spent, and why is written down. */
export async function noteDrift(effect: Pick<ToolEffect, "yes" | "audit">, why: string): Promise<void> {
  effect.yes.spent();
  await finish(effect, { ending: "drifted", why: shownText(why) });
}

/** That what was approved begins: to be on disk before it does. */
export function startedEvent({
  yes,
  subject,
  server,
}: Pick<ToolEffect, "yes" | "subject" | "server">): AuditEvent {
  const { request, scope, via, assurance, run } = yes.said;
  return {
    kind: "effect.started",
    call: request,
    verified: {
      server: server.name,
      identity: server.hash,
      tool: shownText(subject.tool),
      arguments: subject.argumentsHash,
    },
    details: { scope, via, assurance, run },
  };
}

type Finished = EventValues<"effect.finished", "details">;

/** Writes down how it ended, or why it did not begin. Rejects for programmer's errors only. */
export async function finish(
  { audit, yes }: Pick<ToolEffect, "audit" | "yes">,
  details: Finished,
): Promise<void> {
  const { request, run } = yes.said;
  try {
    await audit.append([{ kind: "effect.finished", call: request, details: { ...details, run } }], "plain");
  } catch (error) {
    // What was sent was sent: the caller gets its answer. A log that cannot be written stops the next call.
    expectWispError(error);
  }
}
