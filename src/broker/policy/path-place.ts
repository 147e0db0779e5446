/**
 * Paths among the arguments of a call, judged as the file that they lead to. Invariant: a path is let through only where
 * the file that it leads to now is one that the rule names: by no link, and under no second name.
 */
import { resolve } from "node:path";
import { isPathMatch, type PathGlob } from "./path-glob.js";

/** What stands under a path on this machine. */
export interface PathLook {
  /** The real path, links followed, also of what is not there yet; null where that cannot be told. */
  readonly real: (path: string) => string | null;
  /** Is it a link itself, or cannot be told from one? */
  readonly isLink: (path: string) => boolean;
  /** Does anything stand there, or cannot be told from nothing? A link is something, wherever it leads. */
  readonly isThere: (path: string) => boolean;
  /** Does a regular file stand there that has another name somewhere? */
  readonly hasOtherNames: (path: string) => boolean;
}

/** What paths among the arguments start from. */
export interface PathPlace {
  readonly look: PathLook;
  /** The directory of the call: absolute. */
  readonly directory: string;
  readonly homeDirectory: string;
}

/** Is it `directory`, or below it? Both are absolute. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** Is `text` a path that a rule which allows by `glob` speaks of? */
export function isPathAllowed(glob: PathGlob, text: string, place: PathPlace): boolean {
  // Where a link stands before it, `..` leads elsewhere than it reads; and what a ~ means is the server's to say.
  if (text === "" || text.startsWith("~") || text.includes("\0") || text.split("/").includes(".."))
    return false;
  const real = place.look.real(resolve(place.directory, text));
  const start = startOf(glob, place, place.look.real);
  if (real === null || start === null || place.look.hasOtherNames(real)) return false;
  return isPathMatch(glob, start, real.normalize("NFC"));
}

/** The same for a rule that makes stricter: as it reads or as it leads, and all that lies below what it names. */
export function isPathMeant(glob: PathGlob, text: string, place: PathPlace): boolean {
  const { look, directory, homeDirectory } = place;
  const named = text.replaceAll("\0", "");
  const path = resolve(directory, named.startsWith("~/") ? `${homeDirectory}${named.slice(1)}` : named);
  const paths = [path, look.real(path) ?? path];
  const starts = [startOf(glob, place, (start) => start), startOf(glob, place, look.real)];
  const below: PathGlob = { ...glob, names: [...glob.names, "any"] };
  return paths.some((one) =>
    starts.some((start) => start !== null && isPathMatch(below, start, one.normalize("NFC"))),
  );
}

function startOf(
  { base }: PathGlob,
  { directory, homeDirectory }: PathPlace,
  spelled: (path: string) => string | null,
): string | null {
  switch (base) {
    case "root":
      return "/";
    case "home":
      return spelled(homeDirectory);
    case "call":
      return spelled(directory);
    default:
      return base satisfies never;
  }
}
