/**
 * What is known of clients by the name that they give themselves: data, each line with where it was measured or
 * reported. A name is no proof of anything. A client that is not here is taken at the protocol's word.
 */

/** Whether a decline that nobody can have read the question for is a person's no. */
export type UnseenDecline = "cancel" | "decline";

/** One line of the list. */
export interface KnownClient {
  /** What it says in `clientInfo.name`. */
  readonly name: string;
  /** The name goes on with something of each installation's own. */
  readonly isPrefix?: true;
  /** It gives its agent a shell, or stands between us and a client that may. */
  readonly shell: boolean;
  /** `cancel` for one that was seen to decline by itself. */
  readonly unseenDecline: UnseenDecline;
  /** "measured, VERSION", or the address of a report. */
  readonly source: string;
}

/** Names of clients as many servers saw them. */
const nameList = "https://github.com/apify/mcp-client-capabilities";

/** Agents that write programs and run them. Of their dialogs nothing was measured. */
const reportedShells = [
  "Cline",
  "Codex",
  "Kilo-Code",
  "Q-DEV-CLI",
  "Roo-Code",
  "Visual Studio Code",
  "Visual-Studio-Code",
  "Windsurf",
  "Zed",
  "amp-mcp-client",
  "antigravity-client",
  "continue-cli-client",
  "crush",
  "cursor-vscode",
  "factory-cli",
  "github-copilot-developer",
  "goose",
  "windsurf-client",
];

/** All of them; the first that fits a name counts. */
export const knownClients: readonly KnownClient[] = [
  {
    // Headless it cancels in 3 to 6 ms; a desktop host of it was reported to decline.
    name: "claude-code",
    shell: true,
    unseenDecline: "cancel",
    source: "https://github.com/anthropics/claude-code/issues/89858",
  },
  {
    // Headless it declines every dialog within 1 ms.
    name: "codex-mcp-client",
    shell: true,
    unseenDecline: "cancel",
    source: "measured, 0.171.0",
  },
  // These three declare no dialog and answer one with -32601.
  { name: "opencode", shell: true, unseenDecline: "decline", source: "measured, 1.18.33" },
  { name: "gemini-cli-mcp-client", shell: true, unseenDecline: "decline", source: "measured, 0.61.0" },
  {
    name: "qwen-cli-mcp-client-",
    isPrefix: true,
    shell: true,
    unseenDecline: "decline",
    source: "measured, 0.15.10",
  },
  // It speaks for whoever is behind it, and hides who that is.
  { name: "mcp-proxy", shell: true, unseenDecline: "decline", source: "measured, 6.7.19" },
  ...reportedShells.map((name) => ({
    name,
    shell: true,
    unseenDecline: "decline" as const,
    source: nameList,
  })),
];
