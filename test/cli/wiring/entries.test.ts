/** What stands in the configuration of clients, as far as it is read. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientFiles } from "../../../src/cli/wiring/clients.js";
import { entriesIn, holdIn, isWisp } from "../../../src/cli/wiring/entries.js";
import { strayOf } from "../../../src/cli/wiring/strays.js";
import { tempDirectory } from "../../support/temp-home.js";

const toml = `
[mcp_servers.other]
command = "node"
# command = "wisp"
[mcp_servers."a b"]
command = 'wisp' # ours
args = [
  "mcp", '--hold', "50",
]
tool_timeout_sec = 55.5
[profiles.x]
args = ["mcp"]
`;

describe("entries of MCP servers", () => {
  it("are read from JSON with comments, commas at the end and a byte order mark", () => {
    const text = `\ufeff{ // "a": 1
      "mcpServers": {"wisp": {"command": "/x/wisp", "args": ["mcp", "//no", "/*no*/", ",]"], "timeout": 660000,},},
      /* end */ "projects": {"/p": {"mcpServers": {"two": {"command": "npx", "args": ["-y", "wisp-broker@1.0.0", "mcp"]}}}},
    }`;
    expect(entriesIn(text, "mcpServers")).toEqual([
      { name: "wisp", argv: ["/x/wisp", "mcp", "//no", "/*no*/", ",]"], timeoutSeconds: 660 },
      { name: "two", argv: ["npx", "-y", "wisp-broker@1.0.0", "mcp"], timeoutSeconds: null },
    ]);
  });

  it("of a project are those of the directory that is meant", () => {
    const of = (name: string) => ({ mcpServers: { [name]: { command: "npx" } } });
    const text = JSON.stringify({ ...of("own"), projects: { "/p": of("here"), "/q": of("elsewhere") } });
    const found = entriesIn(text, "mcpServers", (project) => project === "/p");
    expect(found?.map(({ name }) => name)).toEqual(["own", "here"]);
  });

  it("at an address have no words", () => {
    const url = { url: "https://linear.test/mcp" };
    const none = { name: "linear", argv: [], timeoutSeconds: null };
    expect(entriesIn(JSON.stringify({ mcpServers: { linear: url, odd: {} } }), "mcpServers")).toEqual([none]);
    expect(entriesIn('[mcp_servers.linear]\nurl = "https://linear.test/mcp"\n', "codex")).toEqual([none]);
  });

  it("are read from the tables of TOML, with its two kinds of quotes", () => {
    expect(entriesIn(toml, "codex")).toEqual([
      { name: "other", argv: ["node"], timeoutSeconds: null },
      { name: "a b", argv: ["wisp", "mcp", "--hold", "50"], timeoutSeconds: 55.5 },
    ]);
  });

  it.each(["", "[]", "{", `${"[".repeat(200_000)}`, '{"mcpServers": "x", "y": }', "null"])(
    "are none in %.20j, and nothing throws",
    (text) => {
      expect(entriesIn(text, "mcpServers")).toBeNull();
      expect(entriesIn('{"mcpServers":{"a":{"command":"b"}}}', "mcpServers")).toHaveLength(1);
    },
  );

  it.each([
    [["wisp", "mcp"], true],
    [["node", "/p/dist/wisp.cjs", "mcp", "--hold=50"], true],
    [["npx", "-y", "wisp-broker", "mcp"], true],
    [["/opt/node", "/p/dist/wisp.cjs", "mcp"], true],
    [["npm", "exec", "--", "wisp-broker@1.0.0", "mcp"], true],
    [["pnpm", "dlx", "wisp-broker", "mcp"], true],
    [["/tmp/evil", "/x/wisp", "mcp"], false],
    [["node", "/tmp/evil.js", "wisp", "mcp"], false],
    [["node", "-r", "/tmp/evil.js", "/x/wisp", "mcp"], false],
    [["npx", "-y", "evil", "wisp", "mcp"], false],
    [["npx", "-y", "./wisp", "mcp"], false],
    [["npm", "run", "wisp", "mcp"], false],
    [["wisp", "run", "--", "mcp"], false],
    [["mcp", "wisp"], false],
    [["wisp-tui", "mcp"], false],
    [["node", "/p/wisp/other.js", "mcp"], false],
  ])("of %j start wisp mcp: %j", (argv, expected) => {
    expect(isWisp({ name: "x", argv, timeoutSeconds: null })).toBe(expected);
  });

  it("name their hold in either form, and none that is no number", () => {
    const of = (...argv: string[]) => holdIn({ name: "x", argv, timeoutSeconds: null });
    expect([of("--hold", "50"), of("--hold=0"), of("--hold", "x"), of("mcp")]).toEqual([50, 0, null, null]);
  });
});

describe("an entry with the words of a gate", () => {
  it("is a stray where a whole path of it leads to nothing, or to another file than this program", () => {
    const path = tempDirectory();
    const [script, link, other] = [join(path, "wisp.cjs"), join(path, "wisp"), join(path, "wisp-broker")];
    for (const file of [script, other]) writeFileSync(file, "");
    symlinkSync(script, link);
    const of = (...argv: string[]) => strayOf({ name: "x", argv, timeoutSeconds: null }, script);
    const gone = join(path, "gone");
    expect(of("node", `${gone}/wisp.cjs`, "gate")).toEqual({ path: `${gone}/wisp.cjs`, isMissing: true });
    expect(of(`${gone}/node`, script, "gate")).toEqual({ path: `${gone}/node`, isMissing: true });
    expect(of(other, "gate")).toEqual({ path: other, isMissing: false });
    const good = [
      ["node", script],
      [process.execPath, script],
      [link],
      ["wisp"],
      ["npx", "-y", "wisp-broker"],
    ];
    expect([...good, ["node", "./wisp.cjs"]].map((argv) => of(...argv, "gate"))).toEqual(Array(6).fill(null));
  });
});

describe("files of clients", () => {
  it("are found in the home of the person and in the project, by way of links, and no others", () => {
    const [homeDirectory, directory] = [tempDirectory(), tempDirectory()];
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    const around = { homeDirectory, directory, platform: "linux" } as const;
    expect(clientFiles(around)).toEqual([]);
    write(join(homeDirectory, "dotfiles"), toml);
    mkdirSync(join(homeDirectory, ".codex"));
    symlinkSync(join(homeDirectory, "dotfiles"), join(homeDirectory, ".codex", "config.toml"));
    write(join(directory, ".vscode", "mcp.json"), '{"servers": {"w": {"command": "wisp", "args": ["mcp"]}}}');
    mkdirSync(join(directory, ".mcp.json"));
    write(join(homeDirectory, ".claude.json"), "{");
    expect(
      clientFiles(around).map(({ client, entries }) => [client, entries?.map(({ name }) => name)]),
    ).toEqual([
      ["Claude Code", undefined],
      ["Codex", ["a b"]],
      ["VS Code", ["w"]],
    ]);
  });
});
