/** Lines of which nobody can tell beforehand what runs: why that is, in the words of a rule, and what to write instead. */
import type { Parts } from "./parts.js";

const ofShell = "works inside the shell, so a line with it always asks";
const ofGlob = "the shell puts names of files in the place of a glob, so a line with one always asks";

/** Null where everybody can tell. */
export function unseenIn({
  isComplex,
  shellWord,
  hasFileGlob,
}: Pick<Parts, "isComplex" | "shellWord" | "hasFileGlob">): string | null {
  if (isComplex) return "a line of more than plain commands always asks";
  if (shellWord !== null) return `${shellWord} ${ofShell}`;
  // Whoever makes files names them: one may be called as the verb that a rule denies.
  return hasFileGlob ? ofGlob : null;
}

/** What changes the verdict of a plain line that asks for the reason `why`; null where that is another. */
export function plainerThan(why: string): string | null {
  if (why.endsWith(ofShell))
    return "a program instead of what works inside the shell: argv, or a line without it";
  return why === ofGlob
    ? "the names of the files instead of the glob, or an argv, in which nothing is put in its place"
    : null;
}
