/** What the shell may put in the place of a word. It errs towards more. */

/** Does the shell look for files by it? */
export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/** May the shell put `name` in the place of `glob`, both without a slash? What stands in brackets may be anything. */
export function isStandingFor(glob: string, name: string): boolean {
  if (glob.length > longestGlob) return true;
  const pieces = glob.split(/\[[^\]]*\]?|\?/).map((piece) => piece.split(/\*+/).map(escaped).join(".*"));
  return new RegExp(`^${pieces.join(".")}$`, "s").test(name);
}

/** A longer name no file has; the limit keeps the search short. */
const longestGlob = 255;

function escaped(text: string): string {
  return text.replace(/[\\^$.|+(){}\]]/g, "\\$&");
}
