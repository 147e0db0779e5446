/** The clients whose configuration is known, where each has it, and whether `wisp mcp` or a gate stands in it. Nothing is written here. */
import { join } from "node:path";
import { readLoosely } from "../../broker/index.js";
import type { Terminal } from "../terminal.js";
import { type Entry, entriesIn, type Format, isWisp, verbAt } from "./entries.js";
import { type Stray, strayOf } from "./strays.js";

/** Where to look. */
export interface Surroundings {
  /** What `~` stands for; null where nobody knows. */
  readonly homeDirectory: string | null;
  /** Where the command was started: projects have files of their own. */
  readonly directory: string;
  readonly platform: NodeJS.Platform;
}

/** As a command finds them that talks through `terminal`. */
export function aroundOf({
  environment,
  directory,
}: Pick<Terminal, "environment" | "directory">): Surroundings {
  return { homeDirectory: environment.HOME ?? null, directory, platform: process.platform };
}

/** One file that is there. */
export interface FoundFile {
  /** As a person calls the client. */
  readonly client: string;
  /** As it names itself over MCP; null where that was not seen. */
  readonly mcpName: string | null;
  readonly path: string;
  /** The entries that start `wisp mcp`; null where the file was not understood. */
  readonly entries: readonly Entry[] | null;
  /** Names of entries that start a gate, but for those of `strays`. */
  readonly gated: readonly string[];
  /** Entries that look like a gate, and start a file that is not there, or is not this program. */
  readonly strays: readonly (Stray & Pick<Entry, "name">)[];
  /** Names of entries without a gate that a gate can be put before from this directory. */
  readonly bare: readonly string[];
  /** The same for servers at an address, before which not every gate can stand. */
  readonly addresses: readonly string[];
}

/** What Claude Code keeps of every project it ever saw is in one file. */
const mostBytes = 16 * 1024 * 1024;

/** Every known file that is there, in a fixed order; `script` is the program that a gate is to start. */
export function clientFiles(around: Surroundings, script = process.argv[1] ?? "wisp"): readonly FoundFile[] {
  return placesOf(around).flatMap(({ client, mcpName, path, format }) => {
    const bytes = readLoosely(path, mostBytes);
    if (bytes === null) return [];
    const text = Buffer.from(bytes).toString("utf8");
    const all = entriesIn(text, format);
    const here = entriesIn(text, format, (project) => project === around.directory) ?? [];
    const gates = (all ?? []).filter(isGate).map((entry) => ({ ...entry, stray: strayOf(entry, script) }));
    const open = here.filter((entry) => !isWisp(entry) && !isGate(entry));
    return [
      {
        ...{ client, mcpName, path, entries: all?.filter(isWisp) ?? null },
        gated: gates.filter(({ stray }) => stray === null).map(({ name }) => name),
        strays: gates.flatMap(({ name, stray }) => (stray === null ? [] : [{ name, ...stray }])),
        bare: open.filter(({ argv }) => argv.length > 0).map(({ name }) => name),
        addresses: open.filter(({ argv }) => argv.length === 0).map(({ name }) => name),
      },
    ];
  });
}

function isGate({ argv }: Entry): boolean {
  return verbAt(argv, "gate") !== -1;
}

/** How far an entry counts, in a client's words: `local` is what Claude Code keeps of one directory in the file of the person. */
export const entryScopes = ["user", "project", "local"] as const;
/** One of these. */
export type EntryScope = (typeof entryScopes)[number];

/** Where a client may have a file. */
export interface Place extends Pick<FoundFile, "client" | "mcpName" | "path"> {
  /** The client as it is typed. */
  readonly word: ClientWord;
  readonly format: Format;
  /** Does it count everywhere, or in this directory? */
  readonly scope: Exclude<EntryScope, "local">;
}

/** The known clients as they are typed. */
export const clientWords = ["claude-code", "codex", "cursor", "vscode", "claude-desktop"] as const;
/** One of them. */
export type ClientWord = (typeof clientWords)[number];

/** All of them, whether a file is there or not. */
export function placesOf({ homeDirectory, directory, platform }: Surroundings): readonly Place[] {
  const claude = {
    word: "claude-code",
    client: "Claude Code",
    mcpName: "claude-code",
    format: "mcpServers",
  } as const;
  const codex = { word: "codex", client: "Codex", mcpName: "codex-mcp-client", format: "codex" } as const;
  const cursor = {
    word: "cursor",
    client: "Cursor",
    mcpName: "cursor-vscode",
    format: "mcpServers",
  } as const;
  const code = {
    word: "vscode",
    client: "VS Code",
    mcpName: "Visual Studio Code",
    format: "servers",
  } as const;
  const desktop = {
    word: "claude-desktop",
    client: "Claude Desktop",
    mcpName: "claude-ai",
    format: "mcpServers",
  } as const;
  const ofProject = [
    { ...claude, path: join(directory, ".mcp.json") },
    { ...codex, path: join(directory, ".codex", "config.toml") },
    { ...cursor, path: join(directory, ".cursor", "mcp.json") },
    { ...code, path: join(directory, ".vscode", "mcp.json") },
  ];
  const projects = ofProject.map((place) => ({ ...place, scope: entryScopes[1] }));
  if (homeDirectory === null) return projects;
  const inHome = (...names: readonly string[]): string => join(homeDirectory, ...names);
  const settings = platform === "darwin" ? inHome("Library", "Application Support") : inHome(".config");
  const ofPerson = [
    { ...claude, path: inHome(".claude.json") },
    { ...codex, path: inHome(".codex", "config.toml") },
    { ...cursor, path: inHome(".cursor", "mcp.json") },
    { ...code, path: join(settings, "Code", "User", "mcp.json") },
    { ...desktop, path: join(settings, "Claude", "claude_desktop_config.json") },
  ];
  const known = new Set(ofPerson.map(({ path }) => path));
  return [
    ...ofPerson.map((place) => ({ ...place, scope: entryScopes[0] })),
    ...projects.filter(({ path }) => !known.has(path)),
  ];
}
