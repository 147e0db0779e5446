/** The package that `npx` starts by its name, in projects of others: when something there would be started in its place. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { identityIn } from "../../../src/server/gate/identity.js";
import { tempDirectory } from "../../support/temp-home.js";

const filesystem = "@modelcontextprotocol/server-filesystem";

/** What the command of the README and others are known by in a directory, below a home of the person's. */
function scene() {
  const home = tempDirectory();
  const identityOf = (directory: string, line = `npx -y ${filesystem}`) => {
    const [program = "", ...words] = line.split(" ");
    const place = { kind: "command", argv: [program, ...words, "/srv"] } as const;
    return identityIn("x", place, { environment: { HOME: home, PATH: "/nowhere" }, directory });
  };
  const fill = (files: Readonly<Record<string, unknown>>): string => {
    const directory = join(home, `project-${Object.keys(files).length}`);
    mkdirSync(directory);
    for (const [name, said] of Object.entries(files)) write(join(directory, name), said);
    return directory;
  };
  return { home, identityOf, fill };
}

function write(path: string, said: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof said === "string" ? said : JSON.stringify(said));
}

/** What lies in many a project. */
const usual = {
  "package.json": { name: "notes", bin: { notes: "./notes.js" }, dependencies: { left: "1.0.0" } },
  "node_modules/left/package.json": { name: "left", bin: { left: "./left.js" } },
  "node_modules/left/node_modules/right/package.json": { name: "right" },
  "node_modules/@acme/server-filesystem/package.json": { name: "@acme/server-filesystem" },
  "node_modules/.package-lock.json": { packages: { "node_modules/left": { version: "1.0.0" } } },
  "node_modules/.bin/left": "",
  "node_modules/.vite/deps/package.json": "not for npm",
};

describe("the line of the README", () => {
  test("is the same server in two projects with packages of their own, and outside of any", () => {
    const { home, identityOf, fill } = scene();
    write(join(home, ".npmrc"), "the person's own, which counts everywhere");
    const outside = identityOf(fill({}));
    expect(outside.text).not.toContain(" in /");
    for (const files of [usual, { "package.json": { name: "other" } }]) {
      const project = fill(files);
      expect(identityOf(project)).toEqual(outside);
      expect(identityOf(project, `npm exec ${filesystem}`).text).not.toContain(" in /");
    }
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["the package lies there", { [`node_modules/${filesystem}/dist/index.js`]: "evil" }],
    ["one lies there that calls itself so", { "node_modules/left/package.json": { name: filesystem } }],
    ["one does so further in", { "node_modules/left/node_modules/right/package.json": { name: filesystem } }],
    ["one below a scope does", { "node_modules/@acme/x/package.json": { name: filesystem } }],
    [
      "a list of npm says so",
      { "node_modules/.package-lock.json": { packages: { x: { name: filesystem } } } },
    ],
    ["a program is called so", { [`node_modules/.bin/${filesystem}`]: "evil" }],
    ["another node stands there", { "node_modules/.bin/node": "evil" }],
    ["another shell stands there", { "node_modules/.bin/sh": "evil" }],
    ["the project calls itself so", { "package.json": { name: filesystem } }],
    ["packages of the project may", { "package.json": { workspaces: ["packages/*"] } }],
    ["programs of the project may", { "package.json": { directories: { bin: "bin" } } }],
    ["what a package says cannot be read", { "node_modules/left/package.json": "{" }],
    ["what the project says cannot be read", { "package.json": "{" }],
    ["settings say where packages come from", { ".npmrc": "registry=https://example.org/" }],
  ])("is another server in a project, and below it, where %s", (_why, files) => {
    const { home, identityOf, fill } = scene();
    const project = fill({ ...usual, ...files });
    const below = join(project, "src");
    mkdirSync(below);
    const outside = identityOf(home);
    for (const directory of [project, below]) {
      expect(identityOf(directory).hash).not.toBe(outside.hash);
      expect(identityOf(directory).text).toContain(` in ${directory}`);
    }
  });

  test("is another server where a link stands among the packages, whatever it leads to", () => {
    const { home, identityOf, fill } = scene();
    const project = fill(usual);
    symlinkSync(join(home, "elsewhere"), join(project, "node_modules", "linked"));
    expect(identityOf(project).hash).not.toBe(identityOf(home).hash);
  });
});

test.each<[string, unknown]>([
  ["has a program of that name", { bin: { "server-notes": "./evil.js" } }],
  ["has one by a path", { bin: { "../server-notes": "./evil.js" } }],
  ["has a list with it", { bin: ["./bin/server-notes"] }],
  ["is called so below another scope", { name: "@evil/server-notes", bin: "./evil.js" }],
])("a package without a scope is another server in a project that %s", (_what, said) => {
  const { identityOf, fill } = scene();
  const line = "npx -y server-notes";
  const other = identityOf(fill(usual), line);
  expect(identityOf(fill({ "package.json": said }), line).hash).not.toBe(other.hash);
  expect(other).toEqual(identityOf(fill({}), line));
});
