/** The clients whose configuration is known, where each has it, and whether `wisp mcp` stands in it. Nothing is written. */
import { join } from "node:path";
import { readLoosely } from "../../broker/index.js";
import type { Terminal } from "../terminal.js";
import { type Entry, entriesIn, type Format, isWisp } from "./entries.js";

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
}

/** What Claude Code keeps of every project it ever saw is in one file. */
const mostBytes = 16 * 1024 * 1024;

/** Every known file that is there, in a fixed order. */
export function clientFiles(around: Surroundings): readonly FoundFile[] {
  return placesOf(around).flatMap(({ client, mcpName, path, format }) => {
    const bytes = readLoosely(path, mostBytes);
    if (bytes === null) return [];
    const entries = entriesIn(Buffer.from(bytes).toString("utf8"), format)?.filter(isWisp) ?? null;
    return [{ client, mcpName, path, entries }];
  });
}

interface Place extends Pick<FoundFile, "client" | "mcpName" | "path"> {
  readonly format: Format;
}

function placesOf({ homeDirectory, directory, platform }: Surroundings): readonly Place[] {
  const claude = { client: "Claude Code", mcpName: "claude-code", format: "mcpServers" } as const;
  const codex = { client: "Codex", mcpName: "codex-mcp-client", format: "codex" } as const;
  const cursor = { client: "Cursor", mcpName: "cursor-vscode", format: "mcpServers" } as const;
  const code = { client: "VS Code", mcpName: "Visual Studio Code", format: "servers" } as const;
  const desktop = { client: "Claude Desktop", mcpName: "claude-ai", format: "mcpServers" } as const;
  const ofProject = [
    { ...claude, path: join(directory, ".mcp.json") },
    { ...codex, path: join(directory, ".codex", "config.toml") },
    { ...cursor, path: join(directory, ".cursor", "mcp.json") },
    { ...code, path: join(directory, ".vscode", "mcp.json") },
  ];
  if (homeDirectory === null) return ofProject;
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
  return [...ofPerson, ...ofProject.filter(({ path }) => !known.has(path))];
}
