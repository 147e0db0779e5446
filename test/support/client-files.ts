/** Configuration of clients as people have it: every way of writing that was seen, without anybody's names or keys. */

/** One file, where it lies below the person's directory, or below the project's, and the entries that a gate can go before. */
export interface ClientFile {
  readonly title: string;
  readonly client: string;
  readonly at: "home" | "project";
  readonly path: readonly string[];
  readonly text: string;
  readonly entries: readonly string[];
}

const claudeUser = `{
  "numStartups": 214,
  "tipsHistory": {
    "shift-enter": 190
  },
  "mcpServers": {
    "fs": {
      "type": "stdio",
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/data"
      ],
      "env": {}
    },
    "memory": {
      "command": "mcp-server-memory"
    }
  },
  "projects": {
    "/somewhere/else": {
      "allowedTools": [],
      "mcpServers": {}
    }
  },
  "bigNumber": 1.0e2
}
`;

const mcpJson =
  '{\r\n\t"mcpServers": {\r\n\t\t"git": {\r\n\t\t\t"args": ["mcp-server-git", "--repository", "."],\r\n\t\t\t"command": "uvx"\r\n\t\t},\r\n\t\t"web": { "type": "http", "url": "https://example.invalid/mcp" }\r\n\t}\r\n}';

const cursor = `\ufeff// mine
{
    "mcpServers": {
        /* reads and writes */
        "fs": {
            "command": "npx", // not bunx
            "args": ["-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "\${workspaceFolder}", "\\u00e9 \\"x\\"",],
            "envFile": ".env",
        },
        "empty": {"command":"server-with-nothing","args":[]},
    },
}
`;

const vscode = `{
  "inputs": [
    { "type": "promptString", "id": "key", "description": "the key", "password": true }
  ],
  "servers": {
    "github": {
      "type": "stdio",
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "TOKEN", "server"],
      "env": { "TOKEN": "\${input:key}" },
      "dev": { "watch": "**/*.ts" }
    },
    "remote": {
      "url": "https://example.invalid/mcp?a=b&c=%20"
    }
  }
}
`;

const desktop =
  '{"mcpServers":{"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"]},"fs":{"command":"node","args":["/srv/fs.js","/a b"]}},"globalShortcut":""}\n';

const codexTables = `model = "some-model"
approval_policy = "on-request" # as ever

[mcp_servers.fs]
command = "npx" # the package runner
args = [
  "-y", # no question
  '@modelcontextprotocol/server-filesystem',
  "/data",
]
startup_timeout_sec = 20

[mcp_servers.fs.env]
KEY = """
several
lines"""

[mcp_servers."a.b"]
  command = 'C:\\tools\\server.exe'
  args = []

[mcp_servers.web]
url = "https://example.invalid/mcp"

[[hooks.PermissionRequest]]
matcher = '''.*'''
since = 1979-05-27 07:32:00
[projects."/somewhere"]
trust_level = "trusted"`;

const codexInline =
  '[mcp_servers]\r\nfs = { command = "npx", args = ["-y", "server-fs"], env = { A = "}" } }\r\nbare = {command="server"}\r\ngit.command = "uvx"\r\ngit.args = [ "mcp-server-git" ]\r\nlone.command = "server-lone"\r\n\r\n[tui]\r\nnotifications = true\r\n';

/** The whole corpus. */
export const clientFileCorpus: readonly ClientFile[] = [
  {
    title: "Claude Code's own, of a person",
    client: "claude-code",
    at: "home",
    path: [".claude.json"],
    text: claudeUser,
    entries: ["fs", "memory"],
  },
  {
    title: "a project's, with tabs, CRLF, and no line end at its end",
    client: "claude-code",
    at: "project",
    path: [".mcp.json"],
    text: mcpJson,
    entries: ["git", "web"],
  },
  {
    title: "Cursor's, with a byte order mark, comments, and commas at the end",
    client: "cursor",
    at: "home",
    path: [".cursor", "mcp.json"],
    text: cursor,
    entries: ["fs", "empty"],
  },
  {
    title: "VS Code's, with inputs",
    client: "vscode",
    at: "project",
    path: [".vscode", "mcp.json"],
    text: vscode,
    entries: ["github", "remote"],
  },
  {
    title: "Claude Desktop's, in one line",
    client: "claude-desktop",
    at: "home",
    path: [".config", "Claude", "claude_desktop_config.json"],
    text: desktop,
    entries: ["memory", "fs"],
  },
  {
    title: "Codex's, in tables",
    client: "codex",
    at: "home",
    path: [".codex", "config.toml"],
    text: codexTables,
    entries: ["fs", "a.b", "web"],
  },
  {
    title: "Codex's, with inline tables, dotted keys and CRLF",
    client: "codex",
    at: "home",
    path: [".codex", "config.toml"],
    text: codexInline,
    entries: ["fs", "bare", "git", "lone"],
  },
];
