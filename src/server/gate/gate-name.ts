/**
 * What a gate is called where nobody names it: after the package that its command starts, without scope, `server-` and
 * version. Invariant: a word that many servers have in common names none, because rules and pins stand by that name.
 */
import { basename } from "node:path";
import { isGateName } from "../../broker/index.js";
import { behind, harmlessOptions, npmWord } from "./presets/npm-word.js";
import { programName, readingThere } from "./reading-there.js";

/** Null where no package stands in the command. */
export function nameFor([program, ...words]: readonly [string, ...string[]]): string | null {
  const runner = basename(program);
  const read = starting.get(runner);
  if (read === undefined && isRunner(runner)) return null;
  const word = read === undefined ? runner : read(words);
  if (word === null || carrying.has(word) || isRunner(word)) return null;
  const name = word.toLowerCase().replace(/^(?:mcp-)?server-|^mcp-|-mcp$/g, "");
  return isGateName(name) && !common.has(name) ? name : null;
}

/** What it starts is no package, whatever version of it stands there. */
function isRunner(word: string): boolean {
  return [word, programName(word)].some((name) => withoutPackage.has(name) || readingThere.has(name));
}

type ReadWords = (words: readonly string[]) => string | null;

const byNpm = (verbs: readonly string[], readsOn: boolean): ReadWords => {
  return (words) => packageIn(npmWord(words, { verbs, readsOn }));
};
const byPython = (verbs: readonly string[]): ReadWords => {
  return (words) => pythonPackageIn(behind(words, verbs));
};

/** Programs that start another one, and the word that names it, where one does. */
const starting: ReadonlyMap<string, ReadWords> = new Map<string, ReadWords>([
  ...["npx", "pnpx", "bunx"].map((runner) => [runner, byNpm([], false)] as const),
  ["npm", byNpm(["exec", "x"], true)],
  ["pnpm", byNpm(["dlx"], true)],
  ["yarn", byNpm(["dlx"], true)],
  ["bun", byNpm(["x"], false)],
  ["uvx", byPython([])],
  ["uv", byPython(["tool run"])],
  ["pipx", byPython(["run"])],
  ["node", ([script = ""]) => scriptIn(script)],
]);

/** What these start is no package: an image, a module, a line, what a file of the directory says. */
const withoutPackage: ReadonlySet<string> = new Set([
  ...[
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "ssh",
    "python",
    "python3",
    "deno",
    "ruby",
    "perl",
    "php",
    "java",
  ],
  ...["bash", "sh", "zsh", "dash", "ksh", "fish", "cmd", "cmd.exe", "powershell", "pwsh", "wsl", "wsl.exe"],
  ...["env", "sudo", "doas", "su", "exec", "nice", "nohup", "setsid", "timeout", "stdbuf", "xargs", "script"],
  ...["go"],
]);

/** Packages that start or reach any server. */
const carrying = new Set([
  "mcp-remote",
  "mcp-proxy",
  "supergateway",
  "tsx",
  "ts-node",
  "node",
  "bun",
  "deno",
]);

/** What the first file of many servers is called. */
const common = new Set([
  ...["index", "main", "server", "mcp", "app", "cli", "start", "run", "bin", "dist", "build", "src", "lib"],
]);

/** Without scope and version. */
function packageIn(word: string | null): string | null {
  const [, name = null] = /^(?:@[^@/]+\/)?([^@/:=]+)(?:(?:@|==)[\w.+~^-]*)?$/.exec(word ?? "") ?? [];
  return name;
}

function pythonPackageIn([first = "", ...rest]: readonly string[]): string | null {
  if (first === "--from" || first === "--spec") return packageIn(rest[0] ?? null);
  const word = [first, ...rest].find((one) => !harmlessOptions.has(one)) ?? "";
  return word.startsWith("-") ? null : packageIn(word);
}

/** As npm lays a package out, the file in it is called the same in most of them. */
function scriptIn(script: string): string | null {
  if (script.startsWith("-")) return null;
  const [, built] = /(?:^|\/)([^/]+)\/(?:dist|build)\/[^/]+\.[cm]?js$/.exec(script) ?? [];
  return built ?? basename(script).replace(/\.[cm]?[jt]s$/, "");
}
