/** Files in the channel as another program lays them there. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../../src/broker/channel/home.js";
import { type Receipt, receiptFileName } from "../../src/broker/request/receipt.js";
import { type ApprovalRequest, requestFileName } from "../../src/broker/request/request.js";
import { approvalRequest } from "./builders.js";
import { ownServer } from "./temp-home.js";

/** A file in `pending/`; returns its path. */
export function plantPending(home: Home, name: string, content: string): string {
  const path = join(home.pending, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** A request in `pending/`, as this process might have filed it at `createdAt`. */
export function plantRequest(
  home: Home,
  createdAt: number,
  request: ApprovalRequest = approvalRequest({}, { createdAt, server: ownServer }),
): ApprovalRequest {
  plantPending(home, requestFileName(request), JSON.stringify(request));
  return request;
}

/** A receipt in `settled/`, whole from one moment to the next. */
export function plantReceipt(home: Home, receipt: Receipt): void {
  const temporary = join(home.settled, `.tmp.${receipt.id}`);
  writeFileSync(temporary, JSON.stringify(receipt), { mode: 0o600 });
  renameSync(temporary, join(home.settled, receiptFileName(receipt.id)));
}
