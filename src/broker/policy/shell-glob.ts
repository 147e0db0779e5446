/** What the shell may put in the place of a word. It errs towards more. */
import { isGlobMatch } from "./glob.js";

/** Does the shell look for files by it? */
export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/** May the shell put `name` in the place of `glob`, both without a slash? Whatever is no letter of its own may be any text. */
export function isStandingFor(glob: string, name: string): boolean {
  return isGlobMatch(glob.split(/\[[^\]]*\]?|[*?]/), name);
}
