/** What tests of the slot do to it by hand, and what must hold after whatever they tried. */
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { DirectoryChannel } from "../../src/broker/channel/directory.js";
import type { Home } from "../../src/broker/channel/home.js";
import { answerHash, isReceiptVerified } from "../../src/broker/request/binding.js";
import type { Request } from "../../src/broker/request/request.js";
import { answerTo } from "./builders.js";
import { openFace } from "./temp-home.js";

/** The path of the slot of `request`. */
export function slotOf(home: Home, request: Request): string {
  return join(home.pending, `${request.id}.answer.json`);
}

/** Writes `content` into the slot in place, as no honest program would. */
export function plantInSlot(home: Home, request: Request, content: unknown): void {
  const isRaw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(slotOf(home, request), isRaw ? content : JSON.stringify(content), { mode: 0o600 });
  chmodSync(slotOf(home, request), 0o600);
}

/** A good answer still decides, the receipt says so, and nothing is left. */
export function expectGoodAnswerWorks(home: Home, channel: DirectoryChannel, request: Request): void {
  const answer = answerTo(request);
  expect(openFace(home).answer(answer)).toBe(true);
  const news = channel.take(request.id);
  expect(news?.kind === "answer" && news.taken.hash).toBe(answerHash(answer));
  if (news?.kind !== "answer") return;
  const receipt = channel.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
  expect(isReceiptVerified(receipt, request)).toBe(true);
  expect(readdirSync(home.pending)).toEqual([]);
}
