/**
 * Whether the client's dialog is one of the ways of an ask. Invariant: a dialog that answered by itself, or that the
 * client turned out not to have, is not raised for that client again, whatever is asked: its answers are nobody's.
 */
import type { Request } from "../request/request.js";
import { nameOfClient } from "./call.js";

/** Why a client's dialog is not raised any more. */
export type Unusable = "unseen" | "unsupported";

/** What one connection has learned of its clients' dialogs; a client without a name is one client too. */
export interface DialogUse {
  /** Why the dialog of this client is not raised, safe to show; null where it may be. */
  objection(client: Request["client"]): string | null;
  /** Raises no dialog of this client from here on. */
  stop(client: Request["client"], why: Unusable): void;
}

/** Why no dialog is raised for a client that has none. */
export const noDialogThere = "the client has no dialog";

const reasons = {
  unseen: "the client's dialog answered by itself earlier in this connection",
  unsupported: "the client cannot show dialogs",
} as const satisfies Record<Unusable, string>;

/** One for each connection: nothing is learned yet. */
export function createDialogUse(): DialogUse {
  const stopped = new Map<string | null, Unusable>();
  return {
    objection(client) {
      const why = stopped.get(nameOfClient(client));
      return why === undefined ? null : reasons[why];
    },
    stop(client, why) {
      stopped.set(nameOfClient(client), why);
    },
  };
}
