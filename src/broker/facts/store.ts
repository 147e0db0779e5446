/**
 * The facts of one home, a file for each. Invariants: what was kept, dropped or forgotten is on disk before the promise
 * resolves; a fact that is forgotten has its name among the forgotten, on disk, before it loses the one it had.
 */
import { linkSync, renameSync } from "node:fs";
import { join } from "node:path";
import { syncDirectoryNow } from "../files/durable.js";
import {
  fileNameOf,
  type HomePlace,
  makeDirectoriesDurably,
  sweepTemporaries,
  syncNames,
} from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { publishDurably, writeFault } from "../files/publish.js";
import { rawWatch, type StartWatch } from "../files/raw-watch.js";
import { removeQuietly } from "../files/remove.js";
import { WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import type { Keys } from "../request/seal.js";
import { isOver, newestAgainst } from "./drops.js";
import { type FiledFact, factText, type SealedAs } from "./fact-file.js";
import type { FactStore } from "./fact-store.js";
import { type FactPlace, filedFacts, places } from "./filed.js";
import { watchNames } from "./watch-names.js";

/** Where they are kept, and who seals them. */
export interface FactStoreOptions extends HomePlace {
  readonly keys: Keys;
  readonly startWatch?: StartWatch;
}

/** Below the home. */
const directoryName = "facts";

const keptPlaces = ["project", "global"] as const satisfies readonly FactPlace[];
/** Where a fact lies that is not forgotten. */
const decidedPlaces = ["dropped", ...keptPlaces] as const;

/** The facts of one home as one process sees them. Touches nothing before one is kept or sought. */
export function openFactStore(options: FactStoreOptions): FactStore {
  const { path: home, clock, keys, startWatch = rawWatch } = options;
  const root = join(home, directoryName);
  const filed = filedFacts(root, keys, clock);
  const kept = keptPlaces.map((place) => join(root, place));

  const pathOf = (place: FactPlace, id: string): string => join(root, place, fileNameOf(id));

  async function put(place: FactPlace, fact: FiledFact): Promise<boolean> {
    const { id } = fact.fact;
    if (filed.standing(id) === null && (await write(place, fact, "decided"))) return true;
    const first = filed.standing(id);
    if (first === null) throw occupied(pathOf(place, id));
    // Whoever was first may have died before the name was on disk; to be told that it is kept must mean the same to all.
    await syncNames(join(root, first.place));
    return false;
  }

  /** Under its name in `place`, in the stead of what is no fact; false where one stands there. */
  async function write(place: FactPlace, fact: FiledFact, as: SealedAs): Promise<boolean> {
    const { id } = fact.fact;
    const text = await factText(fact, as, keys);
    await makeDirectoriesDurably(options, directoryName, place);
    const publishing = (): Promise<boolean> =>
      publishDurably(join(root, place), fileNameOf(id), text, clock, "remove");
    if (await publishing()) return true;
    if (filed.standing(id, [place]) !== null || !putAside(place, id)) return false;
    return await publishing();
  }

  /**
   * Moves what stands under the name of a fact and is none to where nobody looks: whoever may write here must not keep a
   * person's decision from being written down. True where the name may be free.
   */
  function putAside(place: FactPlace, id: string): boolean {
    const path = pathOf(place, id);
    const judged = lookAt(path);
    if (judged === null) return true;
    if (filed.standing(id, [place]) !== null) return false;
    // It stays, and is counted as what is none of ours.
    const aside = join(root, place, `${id}.${newIdentifier((size) => clock.randomBytes(size))}.aside`);
    try {
      renameSync(path, aside);
    } catch (error) {
      throw writeFault(path, error);
    }
    const moved = lookAt(aside);
    const isJudged = moved !== null && moved.ino === judged.ino && moved.dev === judged.dev;
    // Somebody else was faster, and this is their fact.
    if (!isJudged && moved !== null) linkSync(aside, path);
    return isJudged;
  }

  /** What else bears the id of something that counts before it: whoever put that there died before it removed this. */
  function hidden(): readonly { readonly id: string; readonly place: FactPlace; readonly by: FactPlace }[] {
    const seen = new Set<string>();
    return places.flatMap((place) => {
      const ids = filed.ids(place);
      const again = ids.filter((id) => seen.has(id));
      for (const id of ids) seen.add(id);
      return again.flatMap((id) => {
        const by = filed.standing(id)?.place ?? place;
        return by === place || filed.standing(id, [place]) === null ? [] : [{ id, place, by }];
      });
    });
  }

  /** Would something be kept if this drop were not there? */
  function hides(id: string): boolean {
    return keptPlaces.some((place) => lookAt(pathOf(place, id)) !== null);
  }

  function removeHidden(): void {
    const files = hidden();
    // What hides them must outlive them.
    for (const place of new Set(files.map(({ by }) => by))) syncDirectoryNow(join(root, place));
    for (const { id, place } of files) removeQuietly(pathOf(place, id));
  }

  function removeOver(): void {
    const over = filed.list(["forgotten", "dropped"]).dropped.filter((one) => isOver(one, clock.now()));
    if (over.length === 0) return;
    // Whoever removed what a drop hid, and when: it must be gone for good before the drop is.
    for (const directory of kept.filter((one) => lookAt(one) !== null)) syncDirectoryNow(directory);
    for (const { id } of over) if (!hides(id)) removeQuietly(pathOf("dropped", id));
  }

  return {
    keep: (fact) => put(fact.scope, { kind: "kept", fact }),
    drop: (fact) => put("dropped", { kind: "dropped", fact }),
    list: () => filed.list(),
    forgotten: () => filed.forgotten(),
    isDecided: (id) => filed.standing(id) !== null,
    dropAgainst: (proposal) =>
      newestAgainst(filed.list(["forgotten", "dropped"]).dropped, proposal, clock.now()),

    async forget(id) {
      const standing = filed.standing(id, decidedPlaces);
      if (standing === null) return false;
      const path = pathOf(standing.place, id);
      if (!(await write("forgotten", standing.filed, "forgotten"))) {
        if (filed.standing(id, ["forgotten"]) === null) throw occupied(pathOf("forgotten", id));
        await syncNames(join(root, "forgotten"));
      }
      // Of several that forget it one removes its name; where nobody can, it is forgotten all the same.
      return removeQuietly(path) || lookAt(path) !== null;
    },

    sweep() {
      try {
        removeHidden();
        removeOver();
        for (const place of places) sweepTemporaries(join(root, place), clock);
      } catch {
        // In a directory that others can reach nothing is removed; whoever lists hears what is wrong.
      }
    },

    changes: watchNames(kept, clock, startWatch),
  };
}

function occupied(path: string): WispError {
  return new WispError("channel_unavailable", `Something else stands at ${path}, or it is gone again.`, {
    details: { path },
  });
}
