/** What the configuration of a client says of the MCP servers that it starts. Its texts are another program's. */

/** One server that a client would start, as far as it was understood. */
export interface Entry {
  /** As the client calls it. */
  readonly name: string;
  /** The program and its words; empty where the server is reached at an address. */
  readonly argv: readonly string[];
  /** After how many seconds the client gives up a call, where that stands beside it; else null. */
  readonly timeoutSeconds: number | null;
}

/** Where a client writes it, and how. */
export type Format = "mcpServers" | "servers" | "codex";

/** The servers that `text` names, of projects for those that `isMeant`; null where it is not of this format. Never throws. */
export function entriesIn(
  text: string,
  format: Format,
  isMeant: (project: string) => boolean = () => true,
): readonly Entry[] | null {
  if (format === "codex") return entriesInToml(text);
  const value = parsedLoosely(text);
  if (!isObject(value)) return null;
  const own = entriesOf(value[format]);
  // Claude Code keeps those of a project below the path of that.
  const projects = isObject(value.projects) ? Object.entries(value.projects) : [];
  const meant = projects.filter(([project]) => isMeant(project));
  return [...own, ...meant.flatMap(([, one]) => (isObject(one) ? entriesOf(one[format]) : []))];
}

/** Is it `wisp mcp`, as a program, as a script, or by way of npx? */
export function isWisp({ argv }: Entry): boolean {
  return verbAt(argv, "mcp") !== -1;
}

/**
 * Where `verb` stands among the words of a command that starts us; -1 where it does not. Our name counts in the place of the
 * program alone: any command may have it among its words.
 */
export function verbAt(argv: readonly string[], verb: string): number {
  const at = ownWordAt(argv);
  const next = argv.findIndex((word, index) => at !== -1 && index > at && !word.startsWith("-"));
  return next !== -1 && argv[next] === verb ? next : -1;
}

const ourName = /^wisp(?:-broker)?(?:@[\w.^~-]+)?(?:\.cjs)?$/;
const node = /^node(?:js)?$/;
/** With the verb that they need to start a package. */
const runners: ReadonlyMap<string, string | null> = new Map([
  ["npx", null],
  ["pnpx", null],
  ["bunx", null],
  ["npm", "exec"],
  ["pnpm", "dlx"],
  ["yarn", "dlx"],
]);
const harmless = new Set(["-y", "--yes", "-q", "--quiet", "--"]);

/** Where among the words stands what has our name, in the place of a program; -1 where nothing does. */
export function ownWordAt(argv: readonly string[]): number {
  const [program = ""] = argv;
  const name = nameIn(program);
  if (ourName.test(name)) return 0;
  if (node.test(name)) return ourName.test(nameIn(argv[1] ?? "")) ? 1 : -1;
  const verb = runners.get(name);
  if (verb === undefined || (verb !== null && argv[1] !== verb)) return -1;
  const at = argv.findIndex((word, index) => index > (verb === null ? 0 : 1) && !harmless.has(word));
  // A package is named as it is; what has a path is another one.
  return at !== -1 && ourName.test(argv[at] ?? "") ? at : -1;
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The seconds of `wisp mcp --hold`, as they stand among its words; null where they do not. */
export function holdIn({ argv }: Entry): number | null {
  const at = argv.findIndex((word) => word === "--hold" || word.startsWith("--hold="));
  if (at === -1) return null;
  const word = argv[at] ?? "";
  const seconds = Number(word === "--hold" ? (argv[at + 1] ?? "") : word.slice("--hold=".length));
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : null;
}

function entriesOf(servers: unknown): readonly Entry[] {
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([name, server]) => {
    if (!isObject(server)) return [];
    if (typeof server.command !== "string")
      return typeof server.url === "string" ? [{ name, argv: [], timeoutSeconds: null }] : [];
    const args = Array.isArray(server.args) ? server.args.filter((one) => typeof one === "string") : [];
    const ms = typeof server.timeout === "number" && server.timeout > 0 ? server.timeout : null;
    return [{ name, argv: [server.command, ...args], timeoutSeconds: ms === null ? null : ms / 1_000 }];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON as editors write it, with comments and commas at the end; undefined where it is none. */
function parsedLoosely(text: string): unknown {
  const bare = text.replace(/^\ufeff/, "").replace(piece, (whole) => (whole.startsWith('"') ? whole : " "));
  try {
    return JSON.parse(bare.replace(trailing, (whole) => (whole.startsWith('"') ? whole : whole.slice(1))));
  } catch {
    // Half written, too deep, or no JSON at all.
    return undefined;
  }
}

/** A text is passed over whole: what looks like a comment in it is none. */
const piece = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const trailing = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/**
 * Tables `[mcp_servers.NAME]` of TOML with the keys `command`, `args`, `url` and `tool_timeout_sec`. Not read: inline tables, dotted
 * keys, texts in three quotes. Who writes those is told that nothing was found.
 */
function entriesInToml(text: string): readonly Entry[] {
  const tables = text.split(/^[ \t]*(?=\[)/m);
  return tables.flatMap((table) => {
    const [, bare, quoted] = /^\[\s*mcp_servers\s*\.\s*(?:([\w-]+)|"([^"\n]*)")\s*\]/.exec(table) ?? [];
    const name = bare ?? quoted;
    const command = /^[ \t]*command[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')/m.exec(table)?.[1];
    if (name === undefined) return [];
    if (command === undefined)
      return /^[ \t]*url[ \t]*=/m.test(table) ? [{ name, argv: [], timeoutSeconds: null }] : [];
    const args = /^[ \t]*args[ \t]*=[ \t]*\[([^\]]*)\]/m.exec(table)?.[1] ?? "";
    const words = args.match(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g) ?? [];
    const seconds = /^[ \t]*tool_timeout_sec[ \t]*=[ \t]*(\d+(?:\.\d+)?)/m.exec(table)?.[1];
    return [
      {
        name,
        argv: [command, ...words].map(tomlText),
        timeoutSeconds: seconds === undefined ? null : Number(seconds),
      },
    ];
  });
}

function tomlText(written: string): string {
  const inner = written.slice(1, -1);
  return written.startsWith("'") ? inner : inner.replace(/\\(["\\])/g, "$1");
}

/** What is said of a file in which nothing was found, though something may stand there that is not read. */
export const entriesNotRead = " (inline tables, dotted keys and texts in three quotes are not read)";
