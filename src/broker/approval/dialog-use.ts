/**
 * Whether the client's dialog is one of the ways of an ask. Invariant: a dialog that answered by itself, or that the
 * client turned out not to have, is not raised for that client again: its answers are nobody's.
 */
import type { Level } from "../request/request.js";
import type { Ask } from "./approver.js";
import type { Dialog } from "./dialog.js";

/** Why a client's dialog is not raised any more. */
export type Unusable = "unseen" | "unsupported";

/** What one connection has learned of its clients' dialogs; a client without a name is one client too. */
export interface DialogUse {
  /** Why `dialog` is not raised for `ask`, safe to show; null where it is. */
  objection(ask: Pick<Ask, "client" | "level">, dialog: Dialog | null): string | null;
  /** Raises no dialog of this client from here on. */
  stop(client: Ask["client"], why: Unusable): void;
}

const reasons = {
  unseen: "the client's dialog answered by itself earlier in this connection",
  unsupported: "the client cannot show dialogs",
} as const satisfies Record<Unusable, string>;

/** `counts` says at which levels a dialog's answer is enough. */
export function createDialogUse(counts: (level: Level) => boolean): DialogUse {
  const stopped = new Map<string | null, Unusable>();
  return {
    objection({ client, level }, dialog) {
      if (dialog === null) return "the client has no dialog";
      if (!counts(level)) {
        return `the client's dialog does not count for what is ${level} (approval.require)`;
      }
      const why = stopped.get(client?.name ?? null);
      return why === undefined ? null : reasons[why];
    },
    stop(client, why) {
      stopped.set(client?.name ?? null, why);
    },
  };
}
