/** Globs over paths: `*` stays within one name, `**` stands for any number of names, and nothing else is special. */
import { type Glob, isGlobMatch } from "./glob.js";

/** A pattern for absolute paths. */
export interface PathGlob {
  /** Where it starts from: the root, the person's home, or the directory of the call. */
  readonly base: "root" | "home" | "call";
  /** One for each name; `any` is `**`. */
  readonly names: readonly (Glob | "any")[];
}

/** A glob, or what is wrong with the text. */
export type ParsedPathGlob =
  | { readonly kind: "glob"; readonly glob: PathGlob }
  | { readonly kind: "wrong"; readonly why: string };

const mostNames = 64;

/** Reads what follows the base: `a/*.ts`. */
export function parsePathGlob(base: PathGlob["base"], text: string): ParsedPathGlob {
  const names: (Glob | "any")[] = [];
  const written = text.split("/");
  // `dir/` is all that is in it.
  if (written.at(-1) === "") written[written.length - 1] = "**";
  if (written[0] === ".") written.shift();
  for (const name of written) {
    if (name === "" || name === "." || name === "..")
      return wrong(`${name || "an empty name"} is no part of a path`);
    if (name === "**") {
      if (names.at(-1) !== "any") names.push("any");
      continue;
    }
    const glob = nameGlob(name);
    if (typeof glob === "string") return wrong(glob);
    names.push(glob);
  }
  if (names.length > mostNames) return wrong(`more than ${mostNames} names`);
  return { kind: "glob", glob: { base, names } };
}

/** Matches `path`, which is absolute and normal, where the base is `start`. */
export function isPathMatch({ names }: PathGlob, start: string, path: string): boolean {
  if (start !== "/" && path !== start && !path.startsWith(`${start}/`)) return false;
  const rest = path
    .slice(start === "/" ? 0 : start.length)
    .split("/")
    .filter((name) => name !== "");
  return areNamesMatched(names, rest);
}

/** After a name that does not fit, all goes on from the last `**`, which then stands for one name more. */
function areNamesMatched(globs: PathGlob["names"], names: readonly string[]): boolean {
  let at = 0;
  let glob = 0;
  let resume: { glob: number; at: number } | null = null;
  for (let name = names[0]; name !== undefined; name = names[at]) {
    const wanted = globs[glob];
    if (wanted === "any") {
      resume = { glob, at };
      glob += 1;
    } else if (wanted !== undefined && isGlobMatch(wanted, name)) {
      glob += 1;
      at += 1;
    } else if (resume !== null) {
      resume = { glob: resume.glob, at: resume.at + 1 };
      glob = resume.glob + 1;
      at = resume.at;
    } else return false;
  }
  return globs.slice(glob).every((one) => one === "any");
}

/** The parts of one name, or what is wrong with it. */
function nameGlob(name: string): Glob | string {
  const parts = [""];
  for (let at = 0; at < name.length; at += 1) {
    const character = name.charAt(at);
    if (character === "*") {
      if (name.charAt(at + 1) === "*") return "** stands for whole names only: between two /";
      parts.push("");
    } else if ("?[{".includes(character)) {
      return `${character} is no glob here; write \\${character} for the character`;
    } else {
      if (character === "\\") at += 1;
      parts[parts.length - 1] += name.charAt(at);
    }
  }
  return parts.map((part) => part.normalize("NFC"));
}

function wrong(why: string): ParsedPathGlob {
  return { kind: "wrong", why };
}
