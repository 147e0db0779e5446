/**
 * May something around a directory take the place of the package that `npx` would fetch? It looks there first: for a package
 * or a project that calls itself so, for a program of that name, and for settings of npm. Invariant: what is not understood may.
 */
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readAnybodys } from "../../broker/index.js";

/** `word` is what stands in the command, `@scope/name@version`; `directory` and `home`, the person's, are absolute. */
export function mayReplace(word: string, directory: string, home: string): boolean {
  const projects = projectsAround(directory);
  const [, name] = /^((?:@[^@/]+\/)?[^@/]+)(?:@[\w.+~^-]*)?$/.exec(word) ?? [];
  if (name === undefined) return projects.length > 0;
  const [nearest = directory] = projects;
  const settings = [...new Set([nearest, ...projects])].map((place) => join(place, ".npmrc"));
  // Those of the person count in every directory.
  if (settings.some((path) => path !== join(home, ".npmrc") && existsSync(path))) return true;
  if (projects.some((place) => saysOf(join(place, "package.json"), (said) => isOrHolds(said, word, name))))
    return true;
  const left = { packages: mostPackages };
  return upwards(directory)
    .map((place) => join(place, "node_modules"))
    .some((modules) => shadows(modules, word) || isAmong(modules, name, left));
}

function upwards(directory: string): readonly string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upwards(above)];
}

/** The directories that hold a project or its packages, `directory` and above, the nearest first. */
export function projectsAround(directory: string): readonly string[] {
  const isProject = (place: string): boolean =>
    existsSync(join(place, "package.json")) || existsSync(join(place, "node_modules"));
  return upwards(directory).filter(isProject);
}

type Said = Readonly<Record<string, unknown>>;

/** A project is run in the place of a package where it is called like it, or has a program that is; its workspaces are packages. */
function isOrHolds({ name: own, bin, directories, workspaces }: Said, word: string, name: string): boolean {
  if (own === name || workspaces !== undefined || isHolding(directories, "bin")) return true;
  if (typeof bin === "string") return typeof own === "string" && lastOf(own) === word;
  const named = Object.keys(bin ?? {}).map(lastOf);
  // A list names its programs by their files.
  const listed = Array.isArray(bin) ? bin.map((one) => lastOf(String(one))) : [];
  return [...named, ...listed].includes(word);
}

function isHolding(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

function lastOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\"), name.lastIndexOf(":")) + 1);
}

/** The programs there come before those of the system: the one that is named, and what starts a script of any package. */
function shadows(modules: string, word: string): boolean {
  return [word, "node", "sh"].some((program) => existsSync(join(modules, ".bin", program)));
}

/** So many are looked at: a start waits for it. */
const mostPackages = 2_048;

/** Is a package there, at any depth, that calls itself `name`? A directory may be called otherwise, and a link leads anywhere. */
function isAmong(modules: string, name: string, left: { packages: number }, isScope = false): boolean {
  if (!existsSync(modules)) return false;
  const record = join(modules, ".package-lock.json");
  if (!isScope && (existsSync(join(modules, name)) || saysOf(record, (said) => isListed(said, name))))
    return true;
  return entriesIn(modules).some((entry) => {
    if (entry.name.startsWith(".")) return false;
    if (entry.isSymbolicLink()) return true;
    if (!entry.isDirectory()) return false;
    const path = join(modules, entry.name);
    if (!isScope && entry.name.startsWith("@")) return isAmong(path, name, left, true);
    left.packages -= 1;
    if (left.packages < 0 || saysOf(join(path, "package.json"), (said) => said.name === name)) return true;
    return isAmong(join(path, "node_modules"), name, left);
  });
}

/** npm takes its own list of what is installed for the truth. */
function isListed({ packages }: Said, name: string): boolean {
  const listed: readonly unknown[] = Object.values(packages ?? {});
  return listed.some((one) => isHolding(one, "name") && (one as Said).name === name);
}

function entriesIn(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    // It is not there; what is closed to us is closed to npm as well.
    return [];
  }
}

const longestBytes = 4 * 1_024 * 1_024;

/** Does the file at `path` say so? One that cannot be understood may. */
function saysOf(path: string, is: (said: Said) => boolean): boolean {
  const read = readAnybodys(path, longestBytes);
  if (read.kind !== "bytes") return read.kind === "refused";
  try {
    // Of two keys the last one counts, as for npm.
    const said: unknown = JSON.parse(Buffer.from(read.bytes).toString());
    return typeof said === "object" && said !== null && is(said as Said);
  } catch {
    return true;
  }
}
