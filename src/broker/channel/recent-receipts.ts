/** The receipts that lie in `settled/`, for whoever looks back: the newest, and no more of them than is asked for. */
import { join } from "node:path";
import { writtenAtNs } from "../files/look.js";
import { type Receipt, receiptFileName } from "../request/receipt.js";
import type { Home } from "./home.js";
import { readReceipt, settledIds } from "./receipts.js";

/** Files whose age is asked for; where there are more, somebody plants them. */
const mostLookedAt = 4_096;

/** The last `most` that were published and can be read, newest first by the time of their files. */
export function recentReceipts(home: Home, most: number): readonly Receipt[] {
  const files = settledIds(home)
    .slice(0, mostLookedAt)
    .map((id) => ({ id, at: writtenAtNs(join(home.settled, receiptFileName(id))) }));
  files.sort((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1));
  return files.slice(0, most).flatMap(({ id }) => readReceipt(home, id) ?? []);
}
