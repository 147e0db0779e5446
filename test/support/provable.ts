/** Requests of a server whose secret the test knows, so that it can prove how they ended, or fail to. */
import { join } from "node:path";
import { ensureHome, type Home } from "../../src/broker/channel/home.js";
import { proveReceipt } from "../../src/broker/request/binding.js";
import { type Receipt, receiptFileName } from "../../src/broker/request/receipt.js";
import { type ApprovalRequest, requestFileName } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { approvalRequest } from "./builders.js";
import { plantRequest } from "./planted.js";
import { madeHome, ownServer } from "./temp-home.js";

/** A home as the first server leaves it. */
export function markedHome(): Home {
  const home = madeHome();
  ensureHome(home, systemClock);
  return home;
}

const secret = new Uint8Array(32).fill(7);

/** A request whose receipt the test can prove. */
export function waiting(home: Home, createdAt = 1_000): ApprovalRequest {
  const facts = { createdAt, server: ownServer, receiptSecret: secret };
  return plantRequest(home, createdAt, approvalRequest({}, facts));
}

/** Where it lies. */
export function pathOf(home: Home, request: ApprovalRequest): string {
  return join(home.pending, requestFileName(request));
}

/** How it was denied, by whomever. */
export function denied({ id }: ApprovalRequest, how: Partial<Receipt> = {}): Omit<Receipt, "reveal" | "mac"> {
  return {
    v: 1,
    id,
    kind: "approval",
    outcome: "answered",
    via: "cli",
    decision: "deny",
    scope: null,
    note: null,
    answer: "0".repeat(64),
    verified: null,
    at: 2_000,
    seconds: 1,
    ran: false,
    ...how,
  };
}

/** By its own server. */
export function proved(request: ApprovalRequest): Receipt {
  return proveReceipt(denied(request), secret);
}

/** By somebody else. */
export function forged(request: ApprovalRequest): Receipt {
  return { ...denied(request), reveal: null, mac: null };
}

/** Where its receipt lies. */
export function receiptPathOf(home: Home, { id }: ApprovalRequest): string {
  return join(home.settled, receiptFileName(id));
}
