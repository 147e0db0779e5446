/**
 * Of which commands a yes may be given to whatever follows their first words. Data: a program, its verb, and how many words
 * must stand there at least. On it stands only what runs no other program whatever follows, but for options that
 * running-data.ts knows; npm and its like have no such verb, and `git checkout` throws changes away.
 */
const leastWords = new Map(
  Object.entries({
    "git add": 2,
    "git commit": 2,
    "git diff": 2,
    "git log": 2,
    "git show": 2,
    "git status": 2,
    "git switch": 2,
    // Another repository may be a directory with hooks of its own: which one is meant must stand there.
    "git fetch": 3,
    "git pull": 3,
    "git push": 3,
  }),
);

/** How many words of this command a wider form has to keep; null where there is none. */
export function leastWordsOf([program = "", verb = ""]: readonly string[]): number | null {
  return leastWords.get(`${program.slice(program.lastIndexOf("/") + 1)} ${verb}`) ?? null;
}
