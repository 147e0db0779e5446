/**
 * Options that a program takes before its verb: `git -C x push` pushes. Invariant: rules that deny and ask are searched
 * behind all of them, rules that allow only behind those that change nothing but what is printed and where a command looks
 * within its own directory.
 */
import { resolve } from "node:path";
import { nameOf, optionOf } from "./programs.js";

/** Those that take the next word as their value; any other option is one word. */
const valued: Readonly<Record<string, ReadonlySet<string>>> = tableOf({
  git: "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --exec-path",
  docker: "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
  podman: "-c --connection --url --identity --root --runroot --log-level --storage-driver --tmpdir --config",
  nerdctl: "-H --host -a --address -n --namespace --snapshotter --data-root --cgroup-manager",
  kubectl:
    "--context --cluster -n --namespace --kubeconfig -s --server --token --as --as-group --as-uid --cache-dir " +
    "--certificate-authority --client-certificate --client-key --request-timeout --tls-server-name -v --v --profile",
  oc: "--context --cluster -n --namespace --kubeconfig --config -s --server --token --as --as-group",
  helm: "--kube-context --kubeconfig -n --namespace --registry-config --repository-cache --repository-config",
  npm: "--prefix -C --registry --userconfig --globalconfig --cache --loglevel --script-shell -w --workspace",
  pnpm: "--prefix -C --dir --filter -F --reporter --loglevel --store-dir",
  yarn: "--cwd --registry --cache-folder --modules-folder",
  cargo: "-C --config --color -Z --manifest-path",
  aws: "--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout",
  gcloud: "--project --account --configuration --format --verbosity --impersonate-service-account",
  systemctl: "-H --host -M --machine -t --type -p --property --root",
  "apt-get": "-o --option -c --config-file -t --target-release",
  apt: "-o --option -c --config-file -t --target-release",
  brew: "",
  pip: "--proxy --log --cache-dir --python",
  terraform: "",
  gh: "-R --repo --hostname",
});

function tableOf(table: Readonly<Record<string, string>>): typeof valued {
  return Object.fromEntries(Object.entries(table).map(([name, words]) => [name, new Set(words.split(" "))]));
}

/** Where the verb stands behind the program, which is the first of `words`; their number where there is none. */
export function verbAt(words: readonly string[]): number {
  return verbBehind(words, valued[programName(words)] ?? new Set(), false);
}

/** Options before the verb that say where, as whom or by which settings it works: all but a few. Each with its place. */
export function globalsIn(words: readonly string[]): readonly (readonly [number, string])[] {
  if (programName(words) === "") return [];
  return words
    .slice(0, verbAt(words))
    .flatMap((word, index) =>
      index > 0 && word.startsWith("-") && !telling.test(word) ? [[index, optionOf(word)]] : [],
    );
}

/** How much is said, and in which colour. */
const telling =
  /^(?:-[hqPvV]|--(?:no-pager|no-optional-locks|version|help|verbose|quiet|silent|no-colou?r|colou?r(?:=.*)?))$/;

/** May options stand between `program` and its verb? */
export function takesGlobals(program: string): boolean {
  return programName([program]) !== "";
}

/** `words` without what stands before the verb; several where it cannot be told which word that is, none where nothing does. */
export function withoutGlobals(words: readonly string[]): readonly (readonly string[])[] {
  const options = valued[programName(words)];
  if (options === undefined || words[1]?.startsWith("-") !== true) return [];
  // An option that is not known may have a value of its own.
  const places = new Set([verbBehind(words, options, false), verbBehind(words, options, true)]);
  return [...places].map((at) => [...words.slice(0, 1), ...words.slice(at)]);
}

function verbBehind(
  words: readonly string[],
  options: ReadonlySet<string>,
  isUnknownValued: boolean,
): number {
  let at = 1;
  for (let word = words[at]; word?.startsWith("-") === true; word = words[at]) {
    const hasValue = options.has(word) || (isUnknownValued && !word.includes("="));
    at += hasValue && (options.has(word) || words[at + 1]?.startsWith("-") === false) ? 2 : 1;
  }
  return Math.min(at, words.length);
}

function programName([program = ""]: readonly string[]): string {
  const name = nameOf(program);
  return Object.hasOwn(valued, name) ? name : "";
}

const harmless = new Set(["--no-pager", "-P", "--no-optional-locks"]);
/** Nobody writes more of them, and each directory is looked at. */
const mostHarmless = 8;

/**
 * The words of a git command without options that let nothing more happen: `--no-pager`, and `-C` to a directory inside
 * that of the call. `isInside` tells that of an absolute path. Null where none stands there, or where another one does.
 */
export function withoutHarmless(
  words: readonly string[],
  directory: string,
  isInside: (path: string) => boolean,
): readonly string[] | null {
  if (words[0] !== "git" || words[1]?.startsWith("-") !== true) return null;
  let at = 1;
  let place = directory;
  for (let word = words[at]; word?.startsWith("-") === true; word = words[at]) {
    if (at > mostHarmless) return null;
    at += 1;
    if (harmless.has(word)) continue;
    const next = words[at];
    if (word !== "-C" || next === undefined) return null;
    place = resolve(place, next);
    if (!isInside(place)) return null;
    at += 1;
  }
  return ["git", ...words.slice(at)];
}
