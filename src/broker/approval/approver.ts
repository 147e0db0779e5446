/**
 * Asks a person and says how it ended: all ways at once, the first answer in the slot wins, the others are
 * withdrawn. Knows nothing of MCP, terminals or HTTP; channel, dialog, audit and clock are handed in.
 */

import type { Outcome } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Dialog } from "./dialog.js";

/** What to ask. The policy has said *ask* already: refusals and limits come before. */
export interface Ask {
  readonly subject: ApprovalRequest["subject"];
  /** The whole texts behind the stand-ins in `subject`. */
  readonly longTexts: readonly string[];
  readonly level: ApprovalRequest["level"];
  readonly reasons: readonly string[];
  readonly rule: string | null;
  readonly says: string | null;
  readonly scopes: ApprovalRequest["scopes"];
  readonly client: ApprovalRequest["client"];
  readonly caller: string;
  readonly thread: string | null;
}

/** One for each connection of a server; any number of its asks may wait at once. */
export interface Approver {
  /**
   * Resolves with how the ask ended; rejects only for programmer's errors. `signal` is the caller's cancellation.
   * When it resolves with `approved`, the decision is on disk and its effect may begin, once. `onAsked` hears the
   * request before any way of asking starts, and why no face can answer it (safe to show; null where one can): a
   * caller that waits is told what to answer, and where.
   *
   * A yes that stood in the slot first decides the request, but runs nothing once the caller has cancelled or the
   * approver is closing: the receipt then says `answered`, `approve` and `ran: false`, and this resolves with
   * `abandoned` or `withdrawn`. Whoever gets `approved` looks at its own signal once more before the effect.
   */
  ask(
    ask: Ask,
    dialog: Dialog | null,
    signal: AbortSignal,
    onAsked?: (request: ApprovalRequest, fault: string | null) => void,
  ): Promise<Outcome>;

  /** Settles everything that waits as withdrawn: the client left or the server stops. Idempotent. */
  close(why: string): Promise<void>;
}
