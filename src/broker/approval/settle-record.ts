/** What the log says of the end of a request and of each call, and what corrects that where it turns out otherwise. */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Ending } from "../channel/channel.js";
import { detachOf, secondsBetween } from "./call.js";
import { assuranceOfTaken, decidedEvent, type EndingWords, settledEvent } from "./record.js";
import type { Settling } from "./settling.js";
import { type Hindrance, isOf, othersIn, type Told } from "./told.js";

/** The log hears how it ends instead, before the receipt says it. */
export async function correctEnding(
  settling: Settling,
  now: Ending,
  { fault, lost }: Hindrance,
): Promise<void> {
  const { request, decided, write } = settling;
  await write([settledEvent(request.id, decided, now, wordsOf(settling, fault ?? lost))], "plain");
}

/** `why` is why a yes came to nothing, or to less; null where it did not. */
export function wordsOf({ startedAt, decidedAt, banner }: Settling, why: string | null): EndingWords {
  return { seconds: secondsBetween(startedAt, decidedAt), banner: banner.word, why };
}

/** Lines for the calls that end otherwise than was written; why a yes among them could not be written, or null. */
export async function correct(
  settling: Settling,
  before: readonly Told[],
  now: readonly Told[],
): Promise<string | null> {
  const changed = othersIn(now, before);
  if (changed.length === 0) return null;
  const isYes = changed.some(({ name }) => name === "approved");
  const lines = changed.map((one) => lineOf(settling, one));
  const fault = await settling.write(lines, isYes ? "durable" : "plain");
  return isYes ? fault : null;
}

/** The line of one call. */
export function lineOf(
  { request, decided, decidedAt }: Settling,
  { call, name, note, run, scope }: Told,
): AuditEvent {
  const seconds = secondsBetween(call.startedAt, decidedAt);
  const { taken } = decided;
  if (name === "pending") {
    return decidedEvent(call.ask, request.id, name, { why: detachOf(call.signal)?.why ?? null, seconds });
  }
  if (!isOf(decided, name)) return decidedEvent(call.ask, request.id, name, { why: note, seconds });
  const { via } = taken.answer;
  const how = { via, scope, assurance: assuranceOfTaken(taken), ...(run !== null && { run }), seconds };
  return decidedEvent(call.ask, request.id, name, how);
}
