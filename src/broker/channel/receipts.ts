/** `settled/<id>.json`: how each request ended, for every face that saw it. */
import { join } from "node:path";
import { namesIn } from "../files/look.js";
import { publish } from "../files/publish.js";
import { readJson, sizeLimits } from "../files/read.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import type { Answer } from "../request/answer.js";
import { proveReceipt } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { isIdentifier } from "../request/identifier.js";
import { type Receipt, receiptFileName, receiptSchema } from "../request/receipt.js";
import { formatVersion, type Request } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Ending } from "./channel.js";
import type { Home } from "./home.js";
import { moveAway } from "./rejected.js";

/** Receipts are kept this long after settling, then swept. */
export const receiptLifeMs = 10 * 60_000;

/** The receipt of `id`, or null when none that can be read as ours is there. */
export function readReceipt(home: Home, id: string): Receipt | null {
  if (!isIdentifier(id)) return null;
  const result = readJson(join(home.settled, receiptFileName(id)), sizeLimits.answer);
  if (result.kind !== "value") return null;
  const parsed = receiptSchema.safeParse(result.value);
  return parsed.success && parsed.data.id === id ? parsed.data : null;
}

/** The ids under which a receipt lies in `settled/`, as the file names say; nothing is read. */
export function settledIds(home: Home): readonly string[] {
  return namesIn(home.settled).flatMap((name) => {
    const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
    return isIdentifier(id) ? [id] : [];
  });
}

/**
 * Publishes a receipt; false when one that can be read as a receipt stands there already. Anything else under its
 * name is moved away first. Throws channel_unsafe, channel_unavailable.
 */
export function publishReceipt(home: Home, receipt: Receipt, clock: Clock): boolean {
  if (link(home, receipt, clock)) return true;
  if (readReceipt(home, receipt.id) !== null) return false;
  moveAway(home, pathOf(home, receipt.id));
  return link(home, receipt, clock);
}

/**
 * Publishes the receipt of the server that asked, in place of any that somebody else wrote. Throws channel_unsafe,
 * channel_unavailable when it cannot: then nobody would learn how the request ended.
 */
export function publishOwnReceipt(home: Home, receipt: Receipt, clock: Clock): void {
  if (link(home, receipt, clock)) return;
  moveAway(home, pathOf(home, receipt.id));
  if (link(home, receipt, clock)) return;
  throw new WispError("channel_unavailable", `Something else stands at ${pathOf(home, receipt.id)}.`);
}

function link(home: Home, receipt: Receipt, clock: Clock): boolean {
  ensureSafeDirectory(home.settled);
  return publish(home.settled, receiptFileName(receipt.id), JSON.stringify(receipt), clock);
}

function pathOf(home: Home, id: string): string {
  return join(home.settled, receiptFileName(id));
}

/** The receipt of a request that its own server settles: proved with the secret it committed to. */
export function provedReceipt(request: Request, ending: Ending, secret: Uint8Array, now: number): Receipt {
  return proveReceipt(bare(request, ending, now), secret);
}

/** The receipt that somebody else writes for a server that is gone: nobody can prove it. */
export function unprovedReceipt(request: Request, ending: Ending, now: number): Receipt {
  return { ...bare(request, ending, now), reveal: null, mac: null };
}

function bare(request: Request, ending: Ending, now: number): Omit<Receipt, "reveal" | "mac"> {
  const answer: Partial<Answer> = ending.taken?.answer ?? {};
  return {
    v: formatVersion,
    id: request.id,
    kind: request.kind,
    outcome: ending.outcome,
    via: answer.via ?? null,
    decision: answer.decision ?? null,
    scope: ending.lost === undefined ? (answer.scope ?? null) : "once",
    note: noteOf(answer.note ?? null, ending.lost ?? null),
    answer: ending.taken?.hash ?? null,
    verified: ending.taken?.testimony?.verified ?? null,
    at: now,
    // Wall time: a clock set back must not make a receipt that no reader takes.
    seconds: Math.max(0, (now - request.createdAt) / 1_000),
    ran: ending.ran,
  };
}

/** The person's words, and what became of their yes. */
function noteOf(words: string | null, lost: string | null): string | null {
  return words === null || lost === null ? (words ?? lost) : `${words} (${lost})`;
}
