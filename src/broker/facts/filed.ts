/**
 * Facts as their files tell of them. Invariant: an id is decided in one way, however many files bear it; what was forgotten
 * counts first, then what was dropped, so that no crash brings either back.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileNameOf, idOfFileName } from "../files/home-place.js";
import { isYoung, lookAt, stateOf } from "../files/look.js";
import { temporaryPrefix, writeFault } from "../files/publish.js";
import { judgeIfMade } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import { isIdentifier } from "../request/identifier.js";
import type { Keys } from "../request/seal.js";
import type { Clock } from "../system/clock.js";
import { type FactRead, type FiledFact, readFact } from "./fact-file.js";
import type { DroppedFact, FactListing, KeptFact } from "./fact-store.js";

/** The directories below `facts/`. Of several files of one id the first counts. */
export const places = ["forgotten", "dropped", "project", "global"] as const;
/** One of them. */
export type FactPlace = (typeof places)[number];

/** How one id was decided, and where that lies. */
export interface Standing {
  readonly place: FactPlace;
  readonly filed: FiledFact;
}

/**
 * The files below `facts/`. Each question throws channel_unsafe, and channel_unavailable where the system does not answer;
 * `among` says in which places is looked.
 */
export interface FiledFacts {
  /** How `id` was decided; null where it was not, or is no id. */
  standing(id: string, among?: readonly FactPlace[]): Standing | null;
  /** All ids in a place, whatever lies under their names. */
  ids(place: FactPlace): readonly string[];
  list(among?: readonly FactPlace[]): FactListing;
  forgotten(): readonly (KeptFact | DroppedFact)[];
}

/** Without more of these nothing at all can be read: that must not look as if nothing were kept. */
const exhausted: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/** Reads nothing yet. `root` is the directory of facts; it may be missing. */
export function filedFacts(root: string, keys: Keys, clock: Pick<Clock, "now">): FiledFacts {
  /** By path, as long as its file is the one that was read, in the state that it had. */
  const known = new Map<
    string,
    { readonly found: Extract<FactRead, { kind: "fact" | "foreign" }>; readonly state: string }
  >();

  /** Those that are made; none of them, and not the one around them, is open to others. */
  function judged(among: readonly FactPlace[]): readonly FactPlace[] {
    return judgeIfMade(root) ? among.filter((place) => judgeIfMade(join(root, place))) : [];
  }

  function read(place: FactPlace, id: string): FactRead {
    const path = join(root, place, fileNameOf(id));
    const before = known.get(path);
    const stats = lookAt(path);
    const state = stats === null ? null : stateOf(stats);
    if (before !== undefined && before.state === state) return before.found;
    known.delete(path);
    const found = readIn(place, path, id);
    // Junk as well: whoever may write here must not have it read with each listing.
    const isLasting = found.kind === "fact" || (found.kind === "foreign" && found.isLasting);
    if (isLasting && stats !== null && state !== null && !isYoung(stats, clock.now())) {
      known.set(path, { found, state });
    }
    return found;
  }

  function readIn(place: FactPlace, path: string, id: string): FactRead {
    const found = readFact(path, id, place === "forgotten" ? "forgotten" : "decided", keys);
    return found.kind === "fact" && !belongsTo(place, found.filed) ? foreign : found;
  }

  function names(place: FactPlace): readonly string[] {
    const directory = join(root, place);
    try {
      return readdirSync(directory).filter((name) => !name.startsWith(temporaryPrefix));
    } catch (error) {
      throw writeFault(directory, error);
    }
  }

  /** All that was decided in what was judged, and how many files are none of ours. */
  function decided(among: readonly FactPlace[]) {
    const facts = new Map<string, Standing>();
    const seen = new Set<string>();
    let unreadable = 0;
    for (const place of among) {
      for (const name of names(place)) {
        const path = join(root, place, name);
        const id = idOfFileName(name);
        const found: FactRead = id === null ? foreign : read(place, id);
        if (found.kind === "unread" && exhausted.has(found.errno)) throw unread(path, found.errno);
        seen.add(path);
        if (found.kind === "foreign" || found.kind === "unread") unreadable += 1;
        if (id !== null && found.kind === "fact" && !facts.has(id))
          facts.set(id, { place, filed: found.filed });
      }
      forgetOthers(place, seen);
    }
    return { standings: [...facts.values()], unreadable };
  }

  function forgetOthers(place: FactPlace, seen: ReadonlySet<string>): void {
    const directory = join(root, place);
    for (const path of known.keys())
      if (path.startsWith(`${directory}/`) && !seen.has(path)) known.delete(path);
  }

  return {
    standing(id, among = places) {
      if (!isIdentifier(id)) return null;
      for (const place of judged(among)) {
        const found = read(place, id);
        // Whether it was decided there cannot be told: to go on as if it were not would keep what was dropped.
        if (found.kind === "unread") throw unread(join(root, place, fileNameOf(id)), found.errno);
        if (found.kind === "fact") return { place, filed: found.filed };
      }
      return null;
    },
    ids: (place) =>
      judged([place])
        .flatMap(names)
        .map(idOfFileName)
        .filter((id) => id !== null),
    list(among = places) {
      const { standings, unreadable } = decided(judged(among));
      const there = standings.filter(({ place }) => place !== "forgotten").map(({ filed }) => filed);
      const kept = there.flatMap((filed) => (filed.kind === "kept" ? [filed.fact] : []));
      const dropped = there.flatMap((filed) => (filed.kind === "dropped" ? [filed.fact] : []));
      return {
        kept: kept.sort((one, other) => one.keptBy.at - other.keptBy.at),
        dropped: dropped.sort((one, other) => one.droppedBy.at - other.droppedBy.at),
        unreadable,
      };
    },
    forgotten: () => decided(judged(["forgotten"])).standings.map(({ filed }) => filed.fact),
  };
}

const foreign = { kind: "foreign", isLasting: true } as const;

/** A copy in another place would reach further, or be kept where it was dropped. */
function belongsTo(place: FactPlace, { kind, fact }: FiledFact): boolean {
  return place === "forgotten" || place === (kind === "kept" ? fact.scope : "dropped");
}

function unread(path: string, errno: string): WispError {
  return new WispError("channel_unavailable", `${path} cannot be read (${errno}).`, {
    details: { path, errno },
  });
}
