/**
 * A request as the process that asked remembers it. Invariant: it is decided by what stands in its slot, compared
 * with the binding held here and never with its file; junk is moved away and decides nothing.
 */
import type { BigIntStats } from "node:fs";
import { publish } from "../files/publish.js";
import { sizeLimits } from "../files/read.js";
import { type Answer, needsPerson } from "../request/answer.js";
import type { Shortfall, Testimony, Witness } from "../request/assurance.js";
import { answerHash, composeRequest } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import { alteredNote } from "../request/receipt.js";
import { type Draft, type Request, type RequestServer, requestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { AnswerFile } from "./answer-file.js";
import type { News, RefusedAnswer, Taken } from "./channel.js";
import type { Home } from "./home.js";
import { readReceipt } from "./receipts.js";
import { publishRefusal, rejectSlot } from "./rejected.js";
import { isRequestThere, isServersOwn, objectionInSlot, readSlot, requestFileState } from "./slot.js";

/** What stays in memory from filing to settling; the file in `pending/` is a copy for others. */
export interface OwnRequest {
  readonly request: Request;
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
    const filed = textOf(request);
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
      return { request, secret, spooled, claims: new Set() };
    }
  }
  throw new WispError("request_exists", "No free request id was found.");
}

/** The text as filed. It is made again where it is needed: thousands may wait, and junk comes to few of them. */
function textOf(request: Request): string {
  return JSON.stringify(request);
}

/** What an answer meets on its way from the slot into a decision, beside the rules of the format. */
export interface Taking {
  readonly home: Home;
  readonly clock: Clock;
  /** Asked about answers that came from another process. */
  readonly witness: Witness;
  readonly onRefused: (refused: RefusedAnswer) => void;
}

/**
 * What became of `own`; null while it waits, `unreachable` when its slot cannot be read or cleared now. What may not
 * decide is moved away and reported first.
 */
export function takeFrom(own: OwnRequest, taking: Taking): News | "unreachable" | null {
  const { home } = taking;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const found = readSlot(home, own.request.id);
    if (found.kind === "unreachable") return "unreachable";
    if (found.kind === "free") {
      return isRequestThere(home, own.request)
        ? null
        : { kind: "broken", why: "its request file was removed" };
    }
    const judged = judge(found, own, taking);
    if (judged.kind === "good") return { kind: "answer", taken: judged.taken };
    const broken = reject(own, found.stats, judged, taking);
    if (broken !== null) return broken;
  }
  // Something fills it faster than it can be cleared. Junk never settles a request: it is looked at again.
  return "unreachable";
}

/** An answer with its hash, which only the receipt needs: it is computed when it is asked for. */
export function takenOf(answer: Answer, testimony: Testimony | null): Taken {
  let known: string | null = null;
  return {
    answer,
    testimony,
    get hash() {
      known ??= answerHash(answer);
      return known;
    },
  };
}

type Found = Exclude<AnswerFile, { kind: "free" | "unreachable" }>;

type Judged =
  | { readonly kind: "good"; readonly taken: Taken }
  | { readonly kind: "bad"; readonly reason: string; readonly insufficient: Insufficient | null };

/** An answer that was in order, from a process that was not. */
interface Insufficient {
  readonly answer: Answer;
  readonly shortfall: Shortfall;
  readonly testimony: Testimony;
}

function judge(found: Found, own: OwnRequest, { home, witness }: Taking): Judged {
  if (found.kind === "junk") return { kind: "bad", reason: found.reason, insufficient: null };
  const { answer } = found;
  const objection = objectionInSlot(answer, own.request, own.claims);
  if (objection !== null) return { kind: "bad", reason: objection, insufficient: null };
  // What this process said itself, for its own reasons or for its client's dialog, has nobody to look at.
  if (isServersOwn(answer)) return { kind: "good", taken: takenOf(answer, null) };
  // What is kept for good is what was shown, to whoever looked at the file last.
  if (
    own.request.kind === "fact" &&
    requestFileState(home, own.request, textOf(own.request)) !== "as filed"
  ) {
    return { kind: "bad", reason: "what was shown is not what was filed", insufficient: null };
  }
  const testimony = witness(answer, own.request);
  const { shortfall } = testimony;
  if (shortfall === null || !needsPerson(answer)) return { kind: "good", taken: takenOf(answer, testimony) };
  return {
    kind: "bad",
    reason: `assurance_insufficient: ${shortfall}`,
    insufficient: { answer, shortfall, testimony },
  };
}

/** Moves what stands in the slot away and reports it; News when the request cannot go on waiting after it. */
function reject(
  own: OwnRequest,
  judged: BigIntStats | null,
  { reason, insufficient }: Exclude<Judged, { kind: "good" }>,
  { home, clock, onRefused }: Taking,
): News | null {
  const { request } = own;
  // Its face looks for the reason as soon as the slot is clear.
  if (insufficient !== null) publishRefusal(home, insufficient.answer, insufficient.shortfall, clock);
  const rejection = rejectSlot(home, request.id, judged);
  if (rejection.kind === "stuck") return { kind: "broken", why: "its slot is blocked and cannot be cleared" };
  if (rejection.kind === "changed") return null;
  const movedTo = rejection.kind === "moved" ? rejection.to : null;
  onRefused({ id: request.id, reason, movedTo, testimony: insufficient?.testimony ?? null });
  // An answer to something else, and a file that is not the one we filed: the person was shown that file.
  return requestFileState(home, request, textOf(request)) === "altered"
    ? { kind: "broken", why: alteredNote }
    : null;
}
