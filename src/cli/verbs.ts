/** The verbs under `wisp approvals`: a table, so that none of them waits for a command-line library. */
import { approve } from "./commands/approve.js";
import { deny } from "./commands/deny.js";
import { pending } from "./commands/pending.js";
import { show } from "./commands/show.js";
import { wait } from "./commands/wait.js";
import type { Verb } from "./verb.js";

/** By the word that is typed after `wisp approvals`; the help lists them in this order. */
export const approvalVerbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries({ pending, show, approve, deny, wait }),
);
