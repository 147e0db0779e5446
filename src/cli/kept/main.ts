/**
 * What a person does with what a yes leaves behind, and with requests that have ended. A program of its own: seals, the
 * configuration and looking at processes take longer to load than a hot verb to run. Each function tells what went wrong
 * and returns the exit code; words were parsed and the terminal was judged before.
 */

import { type Kept, openKept } from "../../face/kept.js";
import { lookAtSelf } from "../../face/own-look.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { approveWide, type WiderApproval } from "./approve-wider.js";
import { listGranted } from "./granted.js";
import { approveOne, denyOne, type LateApproval } from "./late-answer.js";
import { listAll, showOne } from "./late-list.js";
import { clearAll, revokeOne, type SeenTaking } from "./take-back.js";

/** `approvals pending --late` */
export function listEnded(isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => listAll(isJson, kept, terminal));
}

/** `approvals show ID` of a request that has ended. */
export function showEnded(typed: string, isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => showOne(typed, isJson, kept, terminal));
}

/** `approvals approve ID` of one. */
export function approveEnded(typed: string, given: LateApproval, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) =>
    approveOne(typed, given, kept, () => lookAtSelf(kept.home, terminal), terminal),
  );
}

/** `approvals approve ID` of what waits, for longer than the connection; and what it refuses. */
export function approveWider(typed: string, given: WiderApproval, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => approveWide(typed, given, kept, terminal));
}

/** `approvals deny ID` of one. */
export function denyEnded(typed: string, note: string | null, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => denyOne(typed, note, kept, terminal));
}

/** `approvals granted` */
export function listGrants(isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => listGranted(isJson, kept, terminal));
}

/** `approvals revoke ID` */
export function revokeGrant(typed: string, terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => revokeOne(typed, kept, lookOf(terminal), terminal));
}

/** `approvals clear`: takes all of it back, after a y. */
export function clearGrants(terminal: Terminal): Promise<number> {
  return told(terminal, (kept) => clearAll(kept, lookOf(terminal), terminal));
}

/** No more than what is written down: where it cannot be seen who takes something back, it is taken back all the same. */
function lookOf(terminal: Terminal): SeenTaking {
  return ({ home }) => {
    try {
      return lookAtSelf(home, terminal).seen;
    } catch {
      return { fault: "this process cannot be seen" };
    }
  };
}

async function told(terminal: Terminal, run: (kept: Kept) => Promise<number>): Promise<number> {
  let kept: Kept | null = null;
  try {
    kept = openKept(terminal);
    return await run(kept);
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  } finally {
    kept?.waiting.channel.close();
  }
}
