/**
 * Answering as a face does it: publish, then stay until the receipt says whose answer was taken. Linking is not
 * yet winning. Of all faces that answer one request exactly one ends with `won`.
 */
import { type Answer, needsPerson, objectionTo } from "../request/answer.js";
import type { Shortfall } from "../request/assurance.js";
import { answerHash, isReceiptVerified } from "../request/binding.js";
import type { Receipt } from "../request/receipt.js";
import type { Request } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Channel } from "./channel.js";

/** What became of one face's answer. */
export type AnswerEnding =
  /** This answer was taken; `isVerified` says whether the receipt comes from the server that asked. */
  | { readonly kind: "won"; readonly receipt: Receipt; readonly isVerified: boolean }
  /** The request ended another way: by an earlier answer, by its server, or before this one was given. */
  | { readonly kind: "settled"; readonly receipt: Receipt; readonly isVerified: boolean }
  /** Somebody's answer stands in the slot and the server has not read it yet. */
  | { readonly kind: "first"; readonly winner: Answer | null }
  /**
   * The server looked at this answer and did not take it; the request still waits. `shortfall` is what was wanting of
   * this process, null where nothing says so.
   */
  | { readonly kind: "refused"; readonly shortfall: Shortfall | null }
  /** The request is gone and nothing says how it ended. */
  | { readonly kind: "gone" }
  /** `signal` was aborted: the answer lies in the slot and nobody has read it yet. */
  | { readonly kind: "unread" };

/** What a face waits with, and what it does meanwhile. */
export interface AnsweringOptions {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once when the server has been silent for 3 s: it is stopped or busy. */
  readonly onSilent: () => void;
  /** Sweeps, so that a server that died meanwhile is noticed; called every second of waiting. */
  readonly sweep: () => void;
  /**
   * Filled with the hash of the answer before that is published, for whoever must tell it from one that only names this
   * process; taken out again when nothing comes of it any more.
   */
  readonly given?: Set<string>;
}

/** Answers `request` and waits for how it ended. Throws channel_unsafe, channel_unavailable. */
export async function answerAndWait(
  request: Request,
  answer: Answer,
  options: AnsweringOptions,
): Promise<AnswerEnding> {
  const { channel } = options;
  const earlier = endOf(request, channel);
  if (earlier !== null) return settledBy(earlier, request);
  const own = answerHash(answer);
  options.given?.add(own);
  const ending = await publishAndWait(request, answer, options);
  // One that nobody has read yet may be carried out later.
  if (ending.kind !== "unread") options.given?.delete(own);
  return ending;
}

async function publishAndWait(
  request: Request,
  answer: Answer,
  options: AnsweringOptions,
): Promise<AnswerEnding> {
  if (!(await claim(request, answer, options))) return firstOf(request, options.channel);
  // A fact may have no server any more: then it is this face that carries the answer out.
  if (request.kind === "fact") attempt(options.sweep);
  return await waitForReceipt(request, answer, options);
}

/** Waits until `request` has ended, without answering; null when it is gone or `signal` was aborted. */
export async function waitForEnd(
  request: Request,
  options: Omit<AnsweringOptions, "onSilent">,
): Promise<Receipt | null> {
  const { channel } = options;
  const look = (): { readonly receipt: Receipt | null } | null => {
    const receipt = endOf(request, channel);
    if (receipt !== null) return { receipt };
    // Its receipt was published before it was cleared, so one look after it was seen gone is enough.
    return channel.isThere(request.id) ? null : { receipt: endOf(request, channel) };
  };
  return (await until(request.id, look, { ...options, onSilent: () => {} }))?.receipt ?? null;
}

/**
 * The receipt that says how `request` ended, or null. Anybody can write one; as long as the request lies there only
 * one that its server proved counts. A server that is gone proves nothing, and its sweep clears the request away.
 */
function endOf(request: Request, channel: Channel): Receipt | null {
  const receipt = channel.receipt(request.id);
  if (receipt === null) return null;
  return isReceiptVerified(receipt, request) || !channel.isThere(request.id) ? receipt : null;
}

/** What may not decide is cleared away by the server in a moment; what stands there longer is taken for an answer. */
const slotWaitMs = 500;
/**
 * A living server answers within milliseconds. Arming watches costs a face more than a few looks, and their probe
 * files wake every server; so it looks at once, after 2, 4, 8 … 128 ms more, and watches only after that.
 */
const firstLookMs = 2;
const lastLookMs = 128;
const silentMs = 3_000;
/** A server that lives says within a second that its request was removed; after this long nobody stands behind that. */
const removedMs = 1_500;
const sweepMs = 1_000;

/**
 * What stands in the slot may still be moved away: junk, or a yes of a process that is not enough. Its server says so
 * in a moment; until then nobody has won.
 */
async function claim(request: Request, answer: Answer, options: AnsweringOptions): Promise<boolean> {
  const { channel, clock } = options;
  if (channel.answer(answer)) return true;
  if (isDecided(request, channel)) return false;
  const limit = new AbortController();
  const timer = clock.after(slotWaitMs, () => limit.abort(), true);
  const look = (): "claimed" | "ended" | null => {
    if (isDecided(request, channel)) return "ended";
    if (channel.slot(request.id).kind !== "free") return null;
    return channel.answer(answer) ? "claimed" : null;
  };
  const found = await until(request.id, look, {
    ...options,
    signal: AbortSignal.any([options.signal, limit.signal]),
    onSilent: () => {},
  });
  timer.cancel();
  return found === "claimed";
}

/** It has ended, or a no stands in its slot, which its server takes from whoever gave it. */
function isDecided(request: Request, channel: Channel): boolean {
  if (endOf(request, channel) !== null || !channel.isThere(request.id)) return true;
  const slot = channel.slot(request.id);
  return slot.kind === "answer" && objectionTo(slot.answer, request) === null && !needsPerson(slot.answer);
}

/** What may not decide is junk, however well it is formed: the server will move it away. */
function holdsJunk(request: Request, channel: Channel): boolean {
  const slot = channel.slot(request.id);
  return slot.kind === "junk" || (slot.kind === "answer" && objectionTo(slot.answer, request) !== null);
}

async function waitForReceipt(
  request: Request,
  answer: Answer,
  options: AnsweringOptions,
): Promise<AnswerEnding> {
  const { channel, clock } = options;
  const own = answerHash(answer);
  let removedAt: number | null = null;
  const look = (isEarly: boolean): AnswerEnding | null => {
    const receipt = endOf(request, channel);
    if (receipt !== null) {
      // Linked into a name that the server had just cleared: nobody will ever read it.
      if (receipt.answer !== own) channel.retract(answer);
      return receipt.answer === own
        ? { kind: "won", receipt, isVerified: isReceiptVerified(receipt, request) }
        : settledBy(receipt, request);
    }
    // What became of the answer itself matters only where the server does not settle it at once.
    if (isEarly) return null;
    const slot = channel.slot(request.id);
    if (slot.kind === "answer" && answerHash(slot.answer) === own) {
      if (channel.isThere(request.id)) removedAt = null;
      else removedAt ??= clock.monotonic();
      if (removedAt === null || clock.monotonic() - removedAt < removedMs) return null;
      channel.retract(answer);
      return { kind: "gone" };
    }
    // The receipt is published before the slot is cleared: without one the answer was moved away.
    if (endOf(request, channel) !== null) return look(false);
    return channel.isThere(request.id)
      ? { kind: "refused", shortfall: channel.refusal(answer) }
      : { kind: "gone" };
  };
  return (await until(request.id, look, options)) ?? { kind: "unread" };
}

/** Calls `look` now and after every change of request `id` until it returns something; null when `signal` was aborted first. */
function until<T>(
  id: string,
  look: (isEarly: boolean) => T | null,
  options: AnsweringOptions,
): Promise<T | null> {
  const { channel, clock, signal, onSilent, sweep } = options;
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const onAbort = (): void => finish(() => resolve(null));
    const finish = (end: () => void): void => {
      signal.removeEventListener("abort", onAbort);
      for (const stop of stops.splice(0)) stop();
      end();
    };
    const check = (isEarly = false): void => {
      try {
        const found = look(isEarly);
        if (found !== null) finish(() => resolve(found));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const holding = (delayMs: number, run: () => void): void => {
      const timer = clock.after(delayMs, run, true);
      stops.push(() => timer.cancel());
    };
    const watch = (): void => {
      stops.push(
        channel.changes((changed) => {
          if (changed === null || changed === id) check();
        }),
      );
      check();
    };
    const tick = (): void => {
      attempt(sweep);
      check();
    };
    const lookSoon = (delayMs: number): void => {
      check(delayMs <= lastLookMs);
      if (stops.length === 0) return;
      if (delayMs > lastLookMs) watch();
      else holding(delayMs, () => lookSoon(delayMs * 2));
    };
    if (signal.aborted) {
      resolve(null);
      return;
    }
    signal.addEventListener("abort", onAbort);
    holding(silentMs, onSilent);
    const sweeping = clock.every(sweepMs, tick, true);
    stops.push(() => sweeping.cancel());
    lookSoon(firstLookMs);
  });
}

function settledBy(receipt: Receipt, request: Request): AnswerEnding {
  return { kind: "settled", receipt, isVerified: isReceiptVerified(receipt, request) };
}

function firstOf(request: Request, channel: Channel): AnswerEnding {
  const receipt = endOf(request, channel);
  if (receipt !== null) return settledBy(receipt, request);
  const slot = channel.slot(request.id);
  const isAnswer = slot.kind === "answer" && !holdsJunk(request, channel);
  return { kind: "first", winner: isAnswer ? slot.answer : null };
}

/** Sweeping is best effort: what it could not do must not end a wait. */
function attempt(sweep: () => void): void {
  try {
    sweep();
  } catch {
    // An unreadable directory shows in the look that follows.
  }
}
