/**
 * A request as the process that asked remembers it. Invariant: it is decided by what stands in its slot, compared
 * with the binding held here and never with its file; junk is moved away and decides nothing.
 */
import type { BigIntStats } from "node:fs";
import { publish } from "../files/publish.js";
import { sizeLimits } from "../files/read.js";
import type { Answer } from "../request/answer.js";
import { answerHash, composeRequest } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import { alteredNote } from "../request/receipt.js";
import { type Draft, type Request, type RequestServer, requestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { News, RefusedAnswer, Taken } from "./channel.js";
import type { Home } from "./home.js";
import { readReceipt } from "./receipts.js";
import { rejectSlot } from "./rejected.js";
import { isRequestThere, objectionInSlot, readSlot, requestFileState } from "./slot.js";

/** What stays in memory from filing to settling; the file in `pending/` is a copy for others. */
export interface OwnRequest {
  readonly request: Request;
  /** The bytes as filed. */
  readonly filed: string;
  /** What the receipt reveals; nobody else knows it before. */
  readonly secret: Uint8Array;
  /** Hashes of the texts in the spool. */
  readonly spooled: readonly string[];
  /** Hashes of the answers that this process itself published into the slot. */
  readonly claims: Set<string>;
}

/** More tries than this in a row mean that somebody fills the slot or the names on purpose. */
export const mostAttempts = 8;

/**
 * Publishes `draft` under a new id in `pending/`, which was judged. Throws request_too_large, request_exists,
 * channel_unavailable.
 */
export function publishRequest(
  home: Home,
  draft: Draft,
  spooled: readonly string[],
  server: RequestServer,
  clock: Clock,
): OwnRequest {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const secret = clock.randomBytes(32);
    const request = composeRequest(draft, {
      id: newIdentifier((size) => clock.randomBytes(size)),
      createdAt: clock.now(),
      server,
      nonce: Buffer.from(clock.randomBytes(32)).toString("base64url"),
      receiptSecret: secret,
    });
    const filed = JSON.stringify(request);
    if (Buffer.byteLength(filed) > sizeLimits.request) {
      throw new WispError("request_too_large", `The request is over ${sizeLimits.request} bytes.`);
    }
    // An answer or a receipt that is there before its request belongs to something else.
    const slot = readSlot(home, request.id);
    if (slot.kind === "unreachable") {
      throw new WispError(
        "channel_unavailable",
        `Nothing in ${home.pending} can be read: it ${slot.reason}.`,
      );
    }
    const isFree = slot.kind === "free" && readReceipt(home, request.id) === null;
    if (isFree && publish(home.pending, requestFileName(request), filed, clock)) {
      return { request, filed, secret, spooled, claims: new Set() };
    }
  }
  throw new WispError("request_exists", "No free request id was found.");
}

/**
 * What became of `own`; null while it waits, `unreachable` when its slot cannot be read or cleared now. What may not
 * decide is moved away and reported first.
 */
export function takeFrom(
  home: Home,
  own: OwnRequest,
  onRefused: (refused: RefusedAnswer) => void,
): News | "unreachable" | null {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const found = readSlot(home, own.request.id);
    if (found.kind === "unreachable") return "unreachable";
    if (found.kind === "free") {
      return isRequestThere(home, own.request)
        ? null
        : { kind: "broken", why: "its request file was removed" };
    }
    const objection =
      found.kind === "junk" ? found.reason : objectionInSlot(found.answer, own.request, own.claims);
    if (found.kind === "answer" && objection === null) {
      return { kind: "answer", taken: takenOf(found.answer) };
    }
    const broken = reject(home, own, found.stats, objection ?? "it is not an answer", onRefused);
    if (broken !== null) return broken;
  }
  // Something fills it faster than it can be cleared. Junk never settles a request: it is looked at again.
  return "unreachable";
}

/** An answer with its hash, which only the receipt needs: it is computed when it is asked for. */
export function takenOf(answer: Answer): Taken {
  let known: string | null = null;
  return {
    answer,
    get hash() {
      known ??= answerHash(answer);
      return known;
    },
  };
}

/** Moves what stands in the slot away and reports it; News when the request cannot go on waiting after it. */
function reject(
  home: Home,
  own: OwnRequest,
  judged: BigIntStats | null,
  reason: string,
  onRefused: (refused: RefusedAnswer) => void,
): News | null {
  const { request } = own;
  const rejection = rejectSlot(home, request.id, judged);
  if (rejection.kind === "stuck") return { kind: "broken", why: "its slot is blocked and cannot be cleared" };
  if (rejection.kind === "changed") return null;
  const movedTo = rejection.kind === "moved" ? rejection.to : null;
  onRefused({ id: request.id, reason, movedTo });
  // An answer to something else, and a file that is not the one we filed: the person was shown that file.
  return requestFileState(home, request, own.filed) === "altered"
    ? { kind: "broken", why: alteredNote }
    : null;
}
