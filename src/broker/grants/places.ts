/**
 * Which names lie in `grants/`, and where it is kept what was used. Invariant: that lies below `keys/`: an agent that may
 * write every other file of the home can put back what it says was there, and this it must not.
 */
import { dirname, join } from "node:path";
import { idOfFileName } from "../files/home-place.js";
import { namesIn } from "../files/look.js";
import { temporaryPrefix } from "../files/publish.js";

/** The names in `directory` that are no temporaries, and the id in each, null where none is. */
export function idsIn(directory: string): readonly (string | null)[] {
  return namesIn(directory)
    .filter((name) => !name.startsWith(temporaryPrefix))
    .map(idOfFileName);
}

/** Below the home: the names of what was spent or revoked. */
export const spentNames = ["keys", "spent"] as const;
/** The states of dialogs that were used; these names go away again. */
export const consumedNames = ["keys", "consumed"] as const;

/** Where it is kept what of the grants in `directory` was spent. */
export function spentFor(directory: string): string {
  return join(dirname(directory), ...spentNames);
}
