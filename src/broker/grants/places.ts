/** Which names lie in `grants/`. */
import { idOfFileName } from "../files/home-place.js";
import { namesIn } from "../files/look.js";
import { temporaryPrefix } from "../files/publish.js";

/** The names in `directory` that are no temporaries and no directories of ours; and the id in each, null where none is. */
export function idsIn(directory: string): readonly (string | null)[] {
  return namesIn(directory)
    .filter((name) => !name.startsWith(temporaryPrefix) && !subdirectories.has(name))
    .map(idOfFileName);
}

/** Below `grants/`: what was spent or revoked, and the states of dialogs that were used. */
export const spentName = "spent";
/** Of the two, the one whose names go away again. */
export const consumedName = "consumed";

const subdirectories = new Set([spentName, consumedName]);
