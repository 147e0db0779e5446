/** What a gate is called where nobody names it. */
import { expect, test } from "vitest";
import { presets } from "../../../src/broker/policy/presets/presets.js";
import { readGateArguments } from "../../../src/server/gate/gate-arguments.js";

const nameOf = (line: string) => {
  const given = readGateArguments(line.split(" "), [...presets.keys()]);
  return typeof given === "string" ? given : given.name;
};

test.each([
  ["--name fs --preset git -- x", "fs"],
  ["--preset git -- x", "git"],
  ["--name filesystem -- npx -y @evil/server-filesystem", "filesystem"],
  ["--preset memory -- npx -y @evil/server-filesystem", "memory"],
  ["-- node /opt/node_modules/@modelcontextprotocol/server-memory/dist/index.js", "memory"],
  ["-- docker run -i ghcr.io/github/github-mcp-server", "github"],
  ["--url https://api.githubcopilot.com/mcp/", "github"],
  ["-- npx -y @modelcontextprotocol/server-everything@1.0", "everything"],
  ["-- node /opt/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio", "everything"],
  ["-- node server-notes/build/main.mjs", "notes"],
  ["-- node notes.mjs", "notes"],
  ["-- npm exec -- @acme/server-notes", "notes"],
  ["-- uvx --from notes-mcp==1.2 run", "notes"],
  ["-- uv tool run mcp-server-time", "time"],
  ["-- /opt/bin/mcp-server-time", "time"],
])("%s is called %s", (line, name) => {
  expect(nameOf(line)).toBe(name);
});

test.each([
  ["instal files", 'it does not take "instal". Did you mean wisp gate install?'],
  ["unistall files", 'it does not take "unistall". Did you mean wisp gate uninstall?'],
  ["npx -y server", 'it does not take "npx": put -- before the command of the server'],
  ["--nmae x -- y", 'it does not take "--nmae". Did you mean --name?'],
  ["-y npx", 'it does not take "-y"'],
  ["--name x", "the command of a server is missing behind --"],
])("%s is told what was meant, and how the gate is used, in lines of 80 columns", (line, what) => {
  const said = `wisp gate: ${nameOf(line)}`;
  expect(said.split("\n").slice(0, 2)).toEqual([
    `wisp gate: ${what}`,
    "usage: wisp gate [--name NAME] [--preset PRESET] [--read-only]",
  ]);
  expect(said).toContain("wisp gate install NAME");
  expect(said).not.toMatch(/[^\n]{81}/);
  expect(nameOf("--name fs -- x")).toBe("fs");
});

test.each([
  [
    "--url https://example.org/mcp",
    /^no preset for the address names the server; give it a name with --name/,
  ],
  ["--preset zebra -- x", /there is no preset "zebra"; there are filesystem, git/],
  ["--name Fs -- x", /--name takes a-z/],
  [
    "-- npx -y @evil/server-filesystem",
    /name would be filesystem, .* not known to be for this command; .* --preset filesystem, else .* --name/,
  ],
  ["-- node /opt/server-memory/dist/index.js", /that is a preset .* say --preset memory/],
  ["-- node evil/git.mjs", /that is a preset .* say --preset git/],
])("%s says what is wrong with it", (line, wrong) => {
  expect(nameOf(line)).toMatch(wrong);
  expect(nameOf("--name fs -- x")).toBe("fs");
});

test.each([
  ...["docker run -i ghcr.io/acme/x", "podman run -i acme/x", "docker run --rm -i mcp/time"],
  ...[
    "bash -c notes",
    "env A=1 npx notes",
    "sudo notes",
    "python -m acme",
    "python3 -m notes",
    "python notes.py",
  ],
  ...[
    "npx -y mcp-remote https://example.org/mcp",
    "npx -y mcp-remote@latest https://example.org",
    "npx -y tsx notes.ts",
  ],
  ...["node dist/index.js", "node /x/index.js", "node build/main.mjs", "node --no-warnings notes.mjs"],
  ...["uv --directory /srv/x run notes", "uv run notes", "npm run notes", "yarn notes", "bun run notes"],
  ...[
    "bundle exec notes",
    "nix-shell -p notes --run notes",
    "gradle run",
    "pdm run notes",
    "nodemon notes",
    "electron .",
  ],
  ...["node /usr/lib/npm-cli.js", "python3.12 -m notes", "tsx /opt/notes.ts", "turbo notes"],
  ...["npx --package=notes x", "npx github:acme/notes", "npx ./notes"],
])("%s names no package, so a name is asked for", (line) => {
  expect(nameOf(`-- ${line}`)).toMatch(
    /^no package in the command names the server; give it a name with --name/,
  );
  expect(nameOf(`--name fs -- ${line}`)).toBe("fs");
});
