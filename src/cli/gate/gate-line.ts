/** The words that start a gate in front of a server, and the server behind such words. */
import { isGateName, programOnPath, WispError } from "../../broker/index.js";
import { ownWordAt, verbAt } from "../wiring/entries.js";
import { realOf } from "../wiring/real-path.js";

/** What an entry starts, or where it is reached. */
export type Upstream =
  | { readonly kind: "command"; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: "address"; readonly url: string };

/** `before`: how many words behind the first one of `argv` are the gate's, or the server's program. Null where it is no gate. */
export function behindGate(
  argv: readonly string[],
): { readonly upstream: Upstream; readonly before: number } | null {
  const verb = verbAt(argv, "gate");
  if (verb === -1) return null;
  const end = argv.indexOf("--", verb + 1);
  const [program, ...rest] = end === -1 ? [] : argv.slice(end + 1);
  if (program !== undefined)
    return { upstream: { kind: "command", argv: [program, ...rest] }, before: end + 1 };
  const flag = argv.findIndex((word, index) => index > verb && /^--url(?:=|$)/.test(word));
  const word = argv[flag] ?? "";
  const url = word.startsWith("--url=") ? word.slice("--url=".length) : argv[flag + 1];
  return flag === -1 || url === undefined
    ? null
    : { upstream: { kind: "address", url }, before: argv.length };
}

/** The words before those of the server: `wisp gate --name fs --`. */
export function gateWords(own: readonly string[], name: string, upstream: Upstream): readonly string[] {
  const gate = [...own, "gate", "--name", name];
  return upstream.kind === "command" ? [...gate, "--"] : [...gate, "--url", upstream.url];
}

/** Which program this is, for whoever is to start it. */
export interface OwnProgram {
  readonly execPath: string;
  /** The file that Node runs. */
  readonly script: string;
}

/**
 * This program by its path, and by that of its Node: a client that was started from a desktop seldom has the PATH of a shell.
 * In a file that goes to others (`isShared`) it is `wisp`, where that word leads to this very program: no path of this machine
 * leads to theirs.
 */
export function ownWords(
  environment: Readonly<Record<string, string | undefined>>,
  { execPath, script }: OwnProgram,
  isShared: boolean,
): readonly string[] {
  const own = realOf(script);
  const paths = [nodeNamed(execPath, environment), own];
  if (!isShared) return paths;
  const found = onPath("wisp", environment);
  return found !== null && realOf(found) === own ? ["wisp"] : paths;
}

/** Some systems call the file otherwise (`node-20`), and then an entry is known by the link to it that is called `node`. */
function nodeNamed(execPath: string, environment: Readonly<Record<string, string | undefined>>): string {
  const link = isNode(execPath) ? null : onPath("node", environment);
  return link !== null && realOf(link) === realOf(execPath) ? link : execPath;
}

/**
 * Is what has our name among `argv` this very program? Anything can be called `wisp`, and a name proves nothing: it leads to the
 * file that runs here, or a runner fetches it by the name of our package.
 */
export function startsOwn(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { execPath, script }: OwnProgram,
): boolean {
  const [first = ""] = argv;
  const at = ownWordAt(argv);
  const word = argv[at] ?? "";
  if (at > 0 && !isNode(first)) return !first.includes("/") && ownPackage.test(word);
  if (at > 0 && first.includes("/") && realOf(first) !== realOf(execPath)) return false;
  // Where a relative one starts is for the client to say.
  const path = word.startsWith("/")
    ? word
    : at === 0 && !word.includes("/")
      ? onPath(word, environment)
      : null;
  return path !== null && realOf(path) === realOf(script);
}

const ownPackage = /^wisp-broker(?:@[\w.^~-]+)?$/;

function isNode(word: string): boolean {
  return /^(?:.*\/)?node(?:js)?$/.test(word);
}

function onPath(word: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  return programOnPath(word, environment)?.program.path ?? null;
}

/** What the gate of the entry `entry` is called. Throws invalid_input where nothing of the name can stand in a rule. */
export function gateNameFor(entry: string): string {
  const name = entry
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, longestName)
    .replace(/-+$/, "");
  if (isGateName(name)) return name;
  throw new WispError("invalid_input", `A gate cannot be called ${JSON.stringify(entry)}.`, {
    why: "Rules name it: a-z, 0-9 and -, at most 32 characters.",
    fix: "Give the entry another name in the client's configuration.",
  });
}

const longestName = 32;
