/**
 * What a yes left behind. Invariants: an approval is spent by a name in `keys/spent/` that is on disk before anything
 * follows from it, and no name is ever removed there; one request has at most one approval that is not spent. While this
 * process lives its memory is the truth about what it kept, and files only record spending.
 */
import { join } from "node:path";
import { claimFile } from "../files/claim.js";
import { fileNameOf, type HomePlace, makeDirectoriesDurably, sweepTemporaries } from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { publishDurably, writeFault } from "../files/publish.js";
import { removeQuietly } from "../files/remove.js";
import { judgeDirectory } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import { isIdentifier, newIdentifier } from "../request/identifier.js";
import type { RequestServer } from "../request/request.js";
import { isDrifted, isSame } from "./bound.js";
import { type FiledOptions, filedGrants } from "./filed.js";
import { approvalText, grantLabel, isApproved, readGrant } from "./grant-file.js";
import type { Bound, GrantStore, Moment, UnspentApproval } from "./grant-store.js";
import { hasEnded, remainingMs, watchLives } from "./life.js";
import { idsIn, spentFor, spentNames } from "./places.js";
import { sessionRules } from "./session-rules.js";
import { removeUncertain, uncertainGrants } from "./uncertain.js";

/** What grants are kept with, and who says what of the world around them. */
export interface GrantStoreOptions extends HomePlace, Pick<FiledOptions, "keys" | "recorded"> {
  readonly moment: () => Moment;
  /** How long a yes is kept that comes while no call waits for it. */
  readonly ttlSeconds: number;
  /** Is the server gone whose connection a rule was set up for? */
  readonly isServerGone: (server: RequestServer) => boolean;
}

/** The grants of one home as one process sees them. Touches nothing before the first one is kept or sought. */
export function openGrantStore(options: GrantStoreOptions): GrantStore {
  const { clock, moment, keys } = options;
  const directory = join(options.path, "grants");
  const spent = spentFor(directory);
  const lives = watchLives(clock, moment);
  const filed = filedGrants({ ...options, directory, lives });
  const kept = new Map<string, UnspentApproval>();
  /** Claimed here and not given back. */
  const claimed = new Map<string, UnspentApproval>();

  function usable(id: string): UnspentApproval | null {
    const own = kept.get(id);
    if (own === undefined) return filed.usable(id);
    return filed.overFault(id) === null && lives.isAlive(own.request.id, own.life) ? own : null;
  }

  function ownWhere(matches: (bound: Bound) => boolean): readonly UnspentApproval[] {
    return [...kept.values()].filter(({ id, bound }) => matches(bound) && usable(id) !== null);
  }

  function othersWhere(matches: (bound: Bound) => boolean): readonly UnspentApproval[] {
    return filed.usableWhere(matches).filter(({ id }) => !kept.has(id));
  }

  /** False where something has that name, here or among what was spent. */
  async function publish(approval: UnspentApproval): Promise<boolean> {
    const { id } = approval;
    const key = await keys.derivedKey(grantLabel);
    // What nobody can say of whether it was spent must not lie there when `keys/spent/` is made anew.
    forget(removeUncertain(directory));
    // On disk before there is anything to spend: were their names lost, all that was spent would be lost with them.
    await makeDirectoriesDurably(options, ...spentNames);
    await makeDirectoriesDurably(options, "grants");
    if (!(await publishDurably(directory, fileNameOf(id), approvalText(approval, key), clock))) return false;
    // It was kept and spent before, by whomever: what was just written can never be used.
    if (filed.isSpent(id)) removeQuietly(join(directory, fileNameOf(id)));
    else kept.set(id, approval);
    return kept.has(id);
  }

  /** Gives what is called `id` its name in `keys/spent/`, which must be there: it was made before the first grant was. */
  async function spend(id: string): Promise<boolean> {
    const path = join(directory, fileNameOf(id));
    try {
      judgeDirectory(directory);
      // Whoever removed it would have what was spent once more.
      judgeDirectory(spent);
      const how = await claimFile(path, spent);
      kept.delete(id);
      if (how === "gone") return false;
      filed.noteSpent(id);
      removeQuietly(path);
      return how === "claimed";
    } catch (error) {
      throw unspendable(writeFault(spent, error), filed.isSpent(id));
    }
  }

  /** They count as spent, whatever comes back. */
  function forget(ids: readonly string[]): void {
    for (const id of ids) {
      kept.delete(id);
      filed.noteSpent(id);
    }
  }

  function isOver(id: string): boolean {
    const file = readGrant(directory, id);
    if (file === null) return false;
    if (filed.isSpent(id)) return true;
    if (file.kind === "unspent") return hasEnded(file.approval.life, moment());
    const { life, idle, server } = file.rule;
    return hasEnded(life, moment()) || hasEnded(idle, moment()) || options.isServerGone(server);
  }

  return {
    async keep({ bound, request, answer, life: given }) {
      if (!isApproved(request, answer)) throw new TypeError("Only a yes to this request can be kept.");
      const life = given ?? { from: moment(), forMs: options.ttlSeconds * 1_000 };
      if (remainingMs(life, moment()) === null) return null;
      const approval = { id: request.id, from: null, bound, request, answer, life };
      if (await publish(approval)) return approval;
      if (filed.isSpent(approval.id) || readGrant(directory, approval.id) !== null) return null;
      const path = join(directory, fileNameOf(approval.id));
      throw new WispError("channel_unavailable", `Something else stands at ${path}.`, { details: { path } });
    },

    find(bound) {
      const matches = (other: Bound): boolean => isSame(other, bound);
      return ownWhere(matches)[0] ?? othersWhere(matches)[0] ?? null;
    },

    drifted(bound) {
      const matches = (other: Bound): boolean => isDrifted(other, bound);
      return [...ownWhere(matches), ...othersWhere(matches)];
    },

    async claim(id) {
      const approval = isIdentifier(id) ? usable(id) : null;
      if (approval === null || !(await spend(id))) return false;
      claimed.set(id, approval);
      return true;
    },

    async release(id) {
      const approval = claimed.get(id);
      if (approval === undefined) throw new TypeError(`${id} is not claimed here.`);
      claimed.delete(id);
      for (;;) {
        if (!lives.isAlive(approval.request.id, approval.life)) return null;
        const again = { ...approval, id: newIdentifier((size) => clock.randomBytes(size)), from: id };
        if (await publish(again)) return again;
      }
    },

    ...sessionRules(options, directory, lives),

    async revoke(id) {
      if (!isIdentifier(id) || lookAt(join(directory, fileNameOf(id))) === null) return false;
      if (!uncertainGrants(directory).includes(id)) return spend(id);
      forget(removeUncertain(directory, [id]));
      return true;
    },

    list: filed.list,

    expire() {
      const gone = idsIn(directory).filter((id): id is string => id !== null && isOver(id));
      for (const id of gone) removeQuietly(join(directory, fileNameOf(id)));
      for (const id of kept.keys()) if (usable(id) === null) kept.delete(id);
      sweepTemporaries(directory, clock);
      return gone;
    },
  };
}

function unspendable({ code, message, fix, details, cause }: WispError, isSpent: boolean): WispError {
  return new WispError(code, "It cannot be marked as spent, so nothing runs.", {
    why: `${message} ${isSpent ? "It counts as spent." : "It is not spent."}`,
    fix,
    details: { ...details, isSpent },
    cause,
  });
}
