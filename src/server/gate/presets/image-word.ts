/**
 * The image that `docker run` starts. Invariant: none is told where an option may have put something else in the place of
 * what the image runs.
 */

/** The word that names it, behind `docker` or `podman`; null where that cannot be told. */
export function imageWord([verb, ...words]: readonly string[]): string | null {
  if (verb !== "run") return null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) return word;
    if (flags.has(word)) continue;
    const [name = ""] = word.split("=", 1);
    const isHarmless = valued.get(name);
    const value = word.includes("=") ? word.slice(name.length + 1) : words[at + 1];
    if (isHarmless === undefined || value === undefined || !isHarmless(value)) return null;
    if (!word.includes("=")) at += 1;
  }
  return null;
}

const flags = new Set([
  ...["-i", "-t", "-it", "-ti", "--interactive", "--tty", "--rm", "--init", "-d", "--read-only"],
]);

const anything = (): boolean => true;

/** Options that take a value of their own, and which values leave alone what is started. */
const valued: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ...["-e", "--env"].map((name) => [name, isPlainVariable] as const),
  ...["-v", "--volume"].map((name) => [name, isBesideByColons] as const),
  ["--mount", isBesideByKeys],
  ...["--name", "-w", "--workdir", "--network", "--net", "-p", "--publish", "-l", "--label"].map(
    (name) => [name, anything] as const,
  ),
  ...["--add-host", "-m", "--memory", "--cpus", "-u", "--user"].map((name) => [name, anything] as const),
]);

/** Programs read these before they run, and what they name may be anything. */
const loading = /^(?:NODE_|NPM_|PYTHON|LD_|GIT_|BASH_|ENV$|PATH$|HOME$)/i;

function isPlainVariable(value: string): boolean {
  return !loading.test(value.split("=", 1)[0] ?? "");
}

/** Where images keep what they run. */
const programPlaces = new Set([
  ...["app", "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "nix", "opt", "proc", "root", "run"],
  ...["sbin", "server", "src", "sys", "usr", "var"],
]);

/** `SOURCE:TARGET`, `SOURCE:TARGET:ro`, `TARGET`. */
function isBesideByColons(value: string): boolean {
  const [source = "", target] = value.split(":");
  return target === undefined ? isBeside(source) : isVolume(source) || isBeside(target);
}

/** `type=bind,src=SOURCE,dst=TARGET`. */
function isBesideByKeys(value: string): boolean {
  const pairs = value.split(",").map((pair) => pair.split("=", 2));
  const targets = pairs.filter(([key = ""]) => ["dst", "destination", "target"].includes(key));
  return targets.length === 1 && targets.every(([, target = ""]) => isBeside(target));
}

/** Docker keeps it, and fills a new one from the image. */
function isVolume(source: string): boolean {
  return /^[A-Za-z0-9][\w.-]*$/.test(source);
}

function isBeside(target: string): boolean {
  const names = target.split("/").filter((name) => name !== "" && name !== ".");
  const [first] = names;
  return target.startsWith("/") && first !== undefined && !names.includes("..") && !programPlaces.has(first);
}
