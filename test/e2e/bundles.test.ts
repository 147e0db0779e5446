/** What was built, as it would be installed. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Bundle {
  readonly bytes: number;
  readonly packages: readonly string[];
}

const bundles = JSON.parse(readFileSync(join(root, "dist/bundles.json"), "utf8")) as Record<string, Bundle>;

/** Loaded with every `wisp approvals …`, which may take twice the CPU of an empty Node; 4 ms to read each 100 KiB. */
const mostHotBytes = 98 * 1024;

/** What a client waits for before every session. */
const mostServerBytes = 580 * 1024;

/** What somebody who installs the package looks for. */
const promised = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "dist/broker/index.d.ts",
  "dist/broker/index.js",
  "dist/licenses.txt",
  "dist/server/index.d.ts",
  "dist/server/index.js",
  "dist/server/testing/index.js",
  "dist/wisp-tui.mjs",
  "dist/wisp.cjs",
  "docs/channel.md",
  "docs/library.md",
  "examples/v1/main.mjs",
];

describe("bundles", () => {
  it("the command loads no package to find out what to do, and canonical JSON for a hot verb", () => {
    expect(bundles["wisp.cjs"]?.packages).toEqual([]);
    expect(bundles["wisp-verbs.cjs"]?.packages).toEqual(["canonicalize"]);
    expect(bundles["wisp-verbs.cjs"]?.bytes).toBeLessThan(mostHotBytes);
  });

  it("a server introduces itself without what judges, which is a program of its own", () => {
    expect(bundles["wisp-mcp.mjs"]?.bytes).toBeLessThan(mostServerBytes);
    const judging = "no rule speaks of it, so it asks";
    const holding = ["wisp-mcp.mjs", "wisp-gate.mjs", "wisp-rules.cjs"].filter((file) =>
      readFileSync(join(root, "dist", file), "utf8").includes(judging),
    );
    expect(holding).toEqual(["wisp-rules.cjs"]);
  });

  it("no server holds the SDK's compiler of JSON Schema, which it never uses; a client does", () => {
    const compiling = "must NOT have unevaluated properties";
    const holding = ["wisp-mcp.mjs", "wisp-gate.mjs", "wisp-tools.mjs", "wisp-demo.mjs"].filter((file) =>
      readFileSync(join(root, "dist", file), "utf8").includes(compiling),
    );
    expect(holding).toEqual(["wisp-demo.mjs"]);
  });

  it("only programs of the server contain the MCP SDK, and none contains its v1", () => {
    const withSdk = Object.entries(bundles)
      .filter(([, { packages }]) => packages.some((name) => name.startsWith("@modelcontextprotocol/")))
      .map(([file]) => file);
    expect(withSdk).toEqual([
      "wisp-mcp.mjs",
      "wisp-gate.mjs",
      "wisp-tools.mjs",
      "wisp-address.mjs",
      "wisp-demo.mjs",
    ]);
    expect(Object.values(bundles).flatMap(({ packages }) => packages)).not.toContain(
      "@modelcontextprotocol/sdk",
    );
  });

  it("only the screen contains ink, and it has neither ink's developer tools nor a way to the network", () => {
    const withInk = Object.entries(bundles)
      .filter(([, { packages }]) => packages.some((name) => /^(ink|react|yoga-layout)$/.test(name)))
      .map(([file]) => file);
    expect(withInk).toEqual(["wisp-screen.mjs"]);
    const { packages = [] } = bundles["wisp-screen.mjs"] ?? {};
    expect(packages.filter((name) => /devtools|^ws$|stack-utils|is-in-ci/.test(name))).toEqual(["is-in-ci"]);
    const code = readFileSync(join(root, "dist/wisp-screen.mjs"), "utf8");
    expect(code).not.toMatch(/\bfetch\(|node:(https?|net|tls|dgram)\b|__REACT_DEVTOOLS_COMPONENT_FILTERS__/);
  });

  it.each(["dist/wisp.cjs", "dist/wisp-tui.mjs"])("%s is executable and starts with node", (name) => {
    const command = join(root, name);
    expect(statSync(command).mode & 0o777).toBe(0o755);
    expect(readFileSync(command, "utf8").split("\n")[0]).toBe("#!/usr/bin/env node");
  });

  it("every bundled package ships its licence", () => {
    const texts = readFileSync(join(root, "dist/licenses.txt"), "utf8").split(`\n${"-".repeat(72)}\n\n`);
    const names = texts.map((text) => text.slice(0, text.indexOf(" ")));
    const bundled = new Set(Object.values(bundles).flatMap(({ packages }) => packages));
    expect(names).toEqual([...bundled].sort());
    expect(texts.filter((text) => !/copyright|licen[cs]e/i.test(text))).toEqual([]);
  });
});

describe("the package", () => {
  it("holds the programs, the library and the documents, and nothing else", () => {
    const output = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: root, encoding: "utf8" });
    const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
    const paths = files.map((file) => file.path);
    expect(promised.filter((path) => !paths.includes(path))).toEqual([]);
    const known =
      /^((LICENSE|README\.md|SECURITY\.md|CHANGELOG\.md|package\.json)$|docs\/|examples\/v[12]\/[\w.]+\.mjs$|dist\/(broker\/|server\/|wisp(-[a-z]+)*\.[cm]js$|licenses\.txt$))/;
    expect(paths.filter((path) => !known.test(path))).toEqual([]);
  });

  it("the library can be imported, and says nothing when it is", () => {
    const program = `import("wisp-broker").then(({ shownText }) => process.stdout.write(shownText("a\\u202eb")))`;
    const output = execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });
    expect(output).toBe("a\\u{202e}b");
  });
});
