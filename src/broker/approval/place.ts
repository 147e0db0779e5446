/** Puts an ask where it can be answered: files it, or composes it in memory for the client's dialog alone. */

import type { Channel } from "../channel/channel.js";
import type { Assurance } from "../request/assurance.js";
import { composeRequest } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import type { ApprovalRequest, Draft, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Ask } from "./approver.js";
import { ChannelSlot, type DecisionSlot, MemorySlot, type WriteAnswer } from "./decision-slot.js";
import { reasonOf } from "./reason.js";

/** A request that at least one way can ask about. */
export interface Placed {
  readonly request: ApprovalRequest;
  readonly slot: DecisionSlot;
  /** Why the channel does not ask; null when it does. */
  readonly fault: string | null;
}

/** No way can ask. */
interface Unplaced {
  readonly request: null;
  readonly slot: null;
  readonly fault: string;
}

/** Where requests go, and what each of them says beside what was asked. */
export interface PlaceOptions {
  readonly channel: Channel | null;
  readonly clock: Clock;
  readonly server: RequestServer;
  /** How long the request is shown to wait; null for ever. */
  readonly timeoutMs: number | null;
  readonly writeAnswer: WriteAnswer;
}

/**
 * `noDialog` is why the client's dialog does not ask, null where it does. Throws what is wrong with the request itself
 * (`request_too_large`), never what is wrong with the channel.
 */
export function placeRequest(ask: Ask, noDialog: string | null, options: PlaceOptions): Placed | Unplaced {
  const { channel, clock, server, timeoutMs, writeAnswer } = options;
  const expiresAt = timeoutMs === null ? null : clock.now() + timeoutMs;
  let fault = "asking outside the client's dialog is switched off (approval.outOfBand)";
  if (channel !== null) {
    try {
      // A channel files the kind it is given.
      const request = channel.file(draftOf(ask, expiresAt, "terminal"), ask.longTexts) as ApprovalRequest;
      return { request, slot: new ChannelSlot(channel, request.id), fault: null };
    } catch (error) {
      if (!isChannelFault(error)) throw error;
      fault = reasonOf(error);
    }
  }
  if (noDialog !== null) return { request: null, slot: null, fault: `${fault}; ${noDialog}` };
  const request = composeRequest(draftOf(ask, expiresAt, "dialog"), {
    id: newIdentifier((size) => clock.randomBytes(size)),
    createdAt: clock.now(),
    server,
    nonce: Buffer.from(clock.randomBytes(32)).toString("base64url"),
    receiptSecret: clock.randomBytes(32),
  }) as ApprovalRequest;
  return { request, slot: new MemorySlot(request, writeAnswer), fault };
}

/** `assurance` is what a face's yes must come to, or all that the dialog's can: never promise more than is checked. */
function draftOf(ask: Ask, expiresAt: number | null, assurance: Assurance): Draft {
  const { subject, level, reasons, rule, says, scopes, client, caller, thread } = ask;
  return {
    kind: "approval",
    expiresAt,
    subject,
    level,
    reasons: [...reasons],
    rule,
    says,
    scopes: [...scopes],
    assurance,
    client,
    caller,
    thread,
  };
}

/** These mean that this way of asking failed; the dialog may still ask. */
function isChannelFault(error: unknown): error is WispError {
  return (
    error instanceof WispError && (error.code === "channel_unsafe" || error.code === "channel_unavailable")
  );
}
