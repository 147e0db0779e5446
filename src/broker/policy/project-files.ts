/** Where projects keep their rules: `.wisp/policy.json` in a directory and in every one above it. */
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file that may be there. */
export interface ProjectFile {
  readonly path: string;
  /** The directory that holds `.wisp`. */
  readonly project: string;
}

/** A directory as it is written, and where it leads. */
export interface RealDirectory {
  readonly written: string;
  readonly real: string;
}

/** Finds the places above directories, as `projectFilesAbove` does. Calls mostly come from where the last one came from. */
export function createProjectPlaces(
  homes: readonly string[],
): (directories: readonly RealDirectory[]) => readonly ProjectFile[] {
  let known: { readonly of: string; readonly files: readonly ProjectFile[] } | null = null;
  return (directories) => {
    // No path holds a NUL.
    const of = directories.map(({ written, real }) => `${written}\0${real}`).join("\0");
    if (known?.of !== of) known = { of, files: projectFilesAbove(directories, homes) };
    return known.files;
  };
}

/**
 * The places for what runs in any of `directories`, the nearest first, as they are written and as they lead: a link into a
 * project is no way around its rules. `homes` hold the rules of a person, never of a project.
 */
function projectFilesAbove(
  directories: readonly RealDirectory[],
  homes: readonly string[],
): readonly ProjectFile[] {
  const found = new Map<string, ProjectFile>();
  for (const directory of new Set(directories.flatMap(({ written, real }) => [written, real]))) {
    for (const project of upwards(directory)) {
      const place = join(project, ".wisp");
      if (!homes.includes(place)) found.set(place, { path: join(place, "policy.json"), project });
    }
  }
  return [...found.values()];
}

function upwards(directory: string): readonly string[] {
  const all = [directory];
  for (let one = directory; dirname(one) !== one; one = dirname(one)) all.push(dirname(one));
  return all;
}

/** Where a directory leads. */
export function realOf(directory: string): string {
  try {
    // Of one that no text can name it says so much as a text can; the other way it would not be found.
    return realpathSync.native(directory);
  } catch {
    // It is gone, or cannot be entered: nothing runs there.
    return directory;
  }
}
