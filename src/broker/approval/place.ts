/** Puts an ask where it can be answered: files it, or composes it in memory for the client's dialog alone. */

import type { Channel } from "../channel/channel.js";
import type { Assurance } from "../request/assurance.js";
import { composeRequest } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import type { RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { ChannelSlot, type DecisionSlot, MemorySlot, type WriteAnswer } from "./decision-slot.js";
import type { Askable } from "./dialog.js";
import { reasonOf } from "./reason.js";
import type { Drafted } from "./wait-kind.js";

/** A request that at least one way can ask about. */
export interface Placed<Asked extends Askable> {
  readonly request: Asked;
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
 * `drafted` makes what is filed, given until when it waits and what an answer can come to. `noDialog` is why the client's
 * dialog does not ask, null where it does. Throws what is wrong with the request itself (`request_too_large`), never what is
 * wrong with the channel.
 */
export function placeRequest<Asked extends Askable>(
  drafted: (expiresAt: number | null, assurance: Assurance) => Drafted,
  noDialog: string | null,
  options: PlaceOptions,
): Placed<Asked> | Unplaced {
  const { channel, clock, server, timeoutMs, writeAnswer } = options;
  const expiresAt = timeoutMs === null ? null : clock.now() + timeoutMs;
  let fault = "asking outside the client's dialog is switched off (approval.outOfBand)";
  if (channel !== null) {
    try {
      // Never promise more than is checked: what a face's yes must come to.
      const { draft, longTexts } = drafted(expiresAt, "terminal");
      // A channel files the kind it is given.
      const request = channel.file(draft, longTexts) as Asked;
      return { request, slot: new ChannelSlot(channel, request.id), fault: null };
    } catch (error) {
      if (!isChannelFault(error)) throw error;
      fault = reasonOf(error);
    }
  }
  if (noDialog !== null) return { request: null, slot: null, fault: `${fault}; ${noDialog}` };
  const request = composeRequest(drafted(expiresAt, "dialog").draft, {
    id: newIdentifier((size) => clock.randomBytes(size)),
    createdAt: clock.now(),
    server,
    nonce: Buffer.from(clock.randomBytes(32)).toString("base64url"),
    receiptSecret: clock.randomBytes(32),
  }) as Asked;
  return { request, slot: new MemorySlot(request, writeAnswer), fault };
}

/** These mean that this way of asking failed; the dialog may still ask. */
function isChannelFault(error: unknown): error is WispError {
  return (
    error instanceof WispError && (error.code === "channel_unsafe" || error.code === "channel_unavailable")
  );
}
