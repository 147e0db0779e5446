import { describe, expect, it } from "vitest";
import type { StartSource } from "../../../src/broker/identity/started-with.js";
import { agentAbove, runningServers, startedServers } from "../../../src/broker/identity/unasked-servers.js";
import { identityOf, processesOf, type Row, shellIn, startOf } from "../../support/process-tree.js";

interface Started extends Row {
  readonly words?: readonly string[];
  /** Null where nothing of it shows. */
  readonly variables?: Readonly<Record<string, string>> | null;
}

const person = 59;

/** A person's window, and one in which an agent runs with a server of ours that was never asked through. */
const rows: readonly Started[] = [
  { pid: 1, parent: 0, name: "systemd" },
  { pid: 20, parent: 1, name: "kitty" },
  shellIn("/dev/pts/1", { pid: 40, parent: 20 }),
  { pid: 41, parent: 40, name: "newcomer", words: ["newcomer"] },
  { pid: 42, parent: 41, words: ["node", "/usr/bin/wisp", "mcp"], variables: { WISP_HOME: "/h" } },
  { pid: 43, parent: 41, name: "zsh", words: ["zsh"] },
  shellIn("/dev/pts/2", { pid: 50, parent: 20 }),
  { pid: person, parent: 50, words: ["node", "/usr/bin/wisp", "accept"], variables: { WISP_HOME: "/h" } },
];

function systemOf(all: readonly Started[], isTold = true) {
  const { source } = processesOf(all);
  const byPid = new Map(all.map((row) => [row.pid, row]));
  const starts: StartSource = {
    isTold,
    words: (pid) => byPid.get(pid)?.words ?? [],
    variable(pid, name) {
      const { variables } = byPid.get(pid) ?? {};
      return variables === null ? null : (variables?.[name] ?? "");
    },
  };
  return { look: source.look, starts };
}

const isHome = ({ wispHome }: { readonly wispHome: string }) => wispHome === "/h";

function serversIn(all: readonly Started[]) {
  return runningServers(identityOf(person), isHome, "unasked", systemOf(all)).map(({ pid }) => pid);
}

/** The rows with one server started in another way. */
function startedWith(...words: readonly string[]): readonly Started[] {
  return rows.map((row) => (row.pid === 42 ? { ...row, words } : row));
}

describe("a server that runs", () => {
  it("is found by its words, with its parent, as a record would tell it", () => {
    expect(runningServers(identityOf(person), isHome, "unasked", systemOf(rows))).toEqual([
      { ...identityOf(42), parent: { pid: 41, startedAt: startOf(41) }, client: "unasked" },
    ]);
  });

  it.each([
    [["node", "/lib/wisp-broker/dist/wisp.cjs", "mcp"]],
    [["wisp", "mcp", "--hold", "60"]],
    [["wisp", "gate", "--", "server"]],
    [["node", "--max-old-space-size=64", "/opt/wisp", "mcp"]],
    [["node", "/lib/wisp-broker/dist/wisp-mcp.mjs"]],
  ])("is found as %j", (words) => {
    expect(serversIn(startedWith(...words))).toEqual([42]);
  });

  it.each([
    [["wisp", "approvals", "pending"]],
    [["vim", "wisp-mcp.ts"]],
    [["grep", "wisp", "x"]],
    [["wisper", "mcp"]],
  ])("is none as %j", (words) => {
    expect(serversIn(startedWith(...words))).toEqual([]);
  });

  it("counts only for the home it serves, and where that cannot be seen for every home", () => {
    const withVariables = (variables: Started["variables"] & object) =>
      rows.map((row) => (row.pid === 42 ? { ...row, variables } : row));
    expect(serversIn(withVariables({ WISP_HOME: "/other" }))).toEqual([]);
    expect(serversIn(rows.map((row) => (row.pid === 42 ? { ...row, variables: null } : row)))).toEqual([42]);
    expect(serversIn(withVariables({ WISP_HOME: "/h" }))).toEqual([42]);
  });

  it("is told with its home, where it says one", () => {
    const startedIn = (variables: Readonly<Record<string, string>> | null) =>
      startedServers(
        identityOf(person),
        systemOf(rows.map((row) => (row.pid === 42 ? { ...row, variables } : row))),
      );
    expect(startedIn({ WISP_HOME: "/other", HOME: "/home/p" })).toEqual([
      { pid: 42, started: { wispHome: "/other", home: "/home/p" } },
    ]);
    expect(startedIn({})).toEqual([{ pid: 42, started: { wispHome: "", home: "" } }]);
    expect(startedIn(null)).toEqual([]);
  });

  it("is looked for only where the system tells words", () => {
    expect(startedServers(identityOf(person), systemOf(rows, false))).toEqual([]);
    expect(runningServers(identityOf(person), isHome, "unasked", systemOf(rows, false))).toEqual([]);
  });
});

describe("an agent above a process", () => {
  const below = (row: Partial<Started>) =>
    agentAbove(43, systemOf(rows.map((one) => (one.pid === 41 ? { ...one, ...row } : one))))?.agent ?? null;

  it.each([
    ["claude", { name: "claude" }],
    ["codex", { name: "MainThread", words: ["/opt/codex/bin/codex", "--yolo"] }],
    ["gemini", { name: "node", words: ["node", "/usr/local/bin/gemini"] }],
    ["aider", { name: "python3", words: ["/usr/bin/python3.12", "-u", "/home/p/.local/bin/aider"] }],
    [
      "claude-code",
      { name: "node", words: ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "-p"] },
    ],
    ["cursor", { name: "Cursor", words: ["/opt/Cursor/cursor.AppImage"] }],
  ])("is found as %s", (agent, row) => {
    expect(below(row)).toBe(agent);
  });

  it.each([
    ["an unknown program", { name: "newcomer", words: ["newcomer"] }],
    ["an editor of a file of that name", { name: "vim", words: ["vim", "claude"] }],
    ["a script that is handed one", { name: "node", words: ["node", "/srv/build.js", "/usr/bin/claude"] }],
    ["a source tree of that name", { name: "node", words: ["node", "/home/p/src/codex/cli.js"] }],
  ])("is not found in %s", (_what, row) => {
    expect(below(row)).toBeNull();
  });

  it("is looked for up to the first process, beyond a person's own shell", () => {
    const within = rows.map((row) => (row.pid === 20 ? { ...row, name: "windsurf" } : row));
    expect(agentAbove(person, systemOf(within))).toMatchObject({ agent: "windsurf", process: { pid: 20 } });
    expect(agentAbove(person, systemOf(rows))).toBeNull();
  });
});
