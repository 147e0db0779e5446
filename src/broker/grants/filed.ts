/**
 * Approvals as their files tell of them, to a process that did not keep them. Invariant: one is used only when its seal
 * is ours, it has not expired, and the audit log holds its yes and nothing that may have come of it.
 */
import { join } from "node:path";
import { fileNameOf } from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { judgeDirectory } from "../files/safe-directory.js";
import { answerHash } from "../request/binding.js";
import type { Keys } from "../request/seal.js";
import { type GrantFile, isOurs, readGrant } from "./grant-file.js";
import type { Bound, GrantFault, GrantListing, Moment, SessionRule, UnspentApproval } from "./grant-store.js";
import { hasEnded, type LifeWatch } from "./life.js";
import { idsIn, spentFor } from "./places.js";
import { isSpentThere } from "./uncertain.js";

/** Who says what about a file. */
export interface FiledOptions {
  /** The directory of grants; it may be missing. */
  readonly directory: string;
  readonly keys: Keys;
  readonly lives: LifeWatch;
  readonly moment: () => Moment;
  /** What the audit log says of a request (`recordedOf`); null where it cannot be read. */
  readonly recorded: (
    id: string,
  ) => { readonly approvals: readonly string[]; readonly hasEffect: boolean } | null;
}

/** The files in `grants/`, read anew at every question. */
export interface Filed {
  /** Was it spent or revoked? Once it was, it stays so for this process, whatever comes and goes. */
  isSpent(id: string): boolean;
  /** Why something called `id` cannot be used, whatever is in it. */
  overFault(id: string): GrantFault | null;
  /** It was spent just now. */
  noteSpent(id: string): void;
  /** The approval called `id` if it may be used now. */
  usable(id: string): UnspentApproval | null;
  /** All that may be used now and are bound to what `matches`. None where others could have put them there. */
  usableWhere(matches: (bound: Bound) => boolean): readonly UnspentApproval[];
  /** Throws channel_unsafe where others could have put something there. */
  list(): GrantListing;
}

/** Reads nothing yet. */
export function filedGrants({ directory, keys, lives, moment, recorded }: FiledOptions): Filed {
  const spent = spentFor(directory);
  const over = new Set<string>();

  function isSpent(id: string): boolean {
    if (!over.has(id) && lookAt(join(spent, fileNameOf(id))) !== null) over.add(id);
    return over.has(id);
  }

  function overFault(id: string): GrantFault | null {
    if (isSpent(id)) return "it is spent";
    return isSpentThere(directory) ? null : "what was spent is gone";
  }

  function ruleFault({ id, life, idle }: SessionRule): GrantFault | null {
    const now = moment();
    const hasExpired = hasEnded(life, now) || hasEnded(idle, now);
    return overFault(id) ?? (hasExpired ? "it has expired" : null);
  }

  function faultOf({ approval, mac }: Extract<GrantFile, { kind: "unspent" }>): GrantFault | null {
    const { id, request, answer, life } = approval;
    const fault = overFault(id);
    if (fault !== null) return fault;
    // Before anything is remembered of it: whoever cannot seal must not make an approval expire that we kept.
    if (!isOurs(approval, mac, keys)) return "its seal is not ours";
    if (!lives.isAlive(request.id, life)) return "it has expired";
    const found = recorded(request.id);
    if (!found?.approvals.includes(answerHash(answer))) return "the audit log does not hold its yes";
    return found.hasEffect ? "it may have run already" : null;
  }

  function usableWhere(matches: (bound: Bound) => boolean): readonly UnspentApproval[] {
    return idsIn(directory).flatMap((id) => {
      const file = id === null ? null : readGrant(directory, id);
      // What is bound to something else is not looked at any further: it costs one reading.
      if (file?.kind !== "unspent" || !matches(file.approval.bound)) return [];
      return faultOf(file) === null ? [file.approval] : [];
    });
  }

  return {
    isSpent,
    overFault,
    noteSpent: (id) => void over.add(id),
    usable(id) {
      const file = readGrant(directory, id);
      return file?.kind === "unspent" && faultOf(file) === null ? file.approval : null;
    },
    usableWhere: (matches) => (isSafe(directory) ? usableWhere(matches) : []),
    list() {
      if (lookAt(directory) === null) return { unspent: [], sessions: [], unreadable: 0 };
      judgeDirectory(directory);
      const files = idsIn(directory).map((id) => (id === null ? null : readGrant(directory, id)));
      const found = files.filter((file) => file !== null);
      return {
        unspent: found.flatMap((file) =>
          file.kind === "unspent" ? [{ approval: file.approval, fault: faultOf(file) }] : [],
        ),
        sessions: found.flatMap((file) =>
          file.kind === "session" ? [{ rule: file.rule, fault: ruleFault(file.rule) }] : [],
        ),
        unreadable: files.length - found.length,
      };
    },
  };
}

function isSafe(directory: string): boolean {
  try {
    judgeDirectory(directory);
    return true;
  } catch {
    // Missing, not ours alone, or not to be looked at: nothing in it counts.
    return false;
  }
}
